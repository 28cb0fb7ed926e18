package ebb.selfbench.subject;

/**
 * What a run says about a target.
 *
 * @param measured NaN when it was not
 * @param reason why it was not measured; "" when it was
 * @param wasAskedFor whether all that it takes was to be measured
 */
public record Verdict(Target target, double measured, String reason, boolean wasAskedFor) {

  public boolean wasMeasured() {
    return !Double.isNaN(measured);
  }

  public boolean met() {
    return target.atLeast() ? measured >= target.bound() : measured <= target.bound();
  }

  /** "met", "not met" or "not measured". */
  public String word() {
    return wasMeasured() ? (met() ? "met" : "not met") : "not measured";
  }

  public String measuredText() {
    return wasMeasured() ? target.text(measured) : "-";
  }

  public String wantedText() {
    return (target.atLeast() ? ">= " : "<= ") + target.text(target.bound());
  }
}
