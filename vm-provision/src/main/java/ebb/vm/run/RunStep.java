package ebb.vm.run;

/** How far a run has come; each is kept before the next one begins. */
public enum RunStep {
  /** Its state is kept; nothing has been asked for. */
  PLANNED,
  /** The service has what the plan wants. */
  CHECKED,
  /** The jar is where the VMs can fetch it. */
  SHIPPED,
  /** Every VM has been made, or is known not to come. */
  CREATED,
  /** The ports that are needed are open. */
  OPENED,
  /** Every VM has had its turn. */
  MEASURED,
  /** Results are on this machine. */
  COLLECTED,
  /** VMs, rules, and what was in the bucket are gone. */
  DELETED,
  /** There is a report. */
  REPORTED
}
