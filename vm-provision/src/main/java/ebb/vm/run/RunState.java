package ebb.vm.run;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.text.OneLine;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlanFile;
import ebb.vm.plan.PlannedVm;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a run, kept on disk so that another process can go on with it. Request ids are
 * in it before their requests are sent. It holds no secrets. Not thread-safe.
 */
public final class RunState {
  private static final String SCHEMA = "ebb-vm-run/1";

  /** The provider whose VMs are processes on this machine. */
  private static final String LOCAL = "local";

  /** A VM of the run. */
  public static final class OneVm {
    final VmRef ref;
    final RequestId create;
    final RequestId delete;
    @Nullable String internal;
    @Nullable String external;

    /** Why nothing more is expected of it; null while there is. */
    @Nullable String trouble;

    /** The end of its serial console, once there was trouble. */
    @Nullable String console;

    OneVm(VmRef ref, RequestId create, RequestId delete) {
      this.ref = ref;
      this.create = create;
      this.delete = delete;
    }
  }

  /**
   * Where the run takes place, and how.
   *
   * @param size how much of the plan is done
   * @param accounts what VMs act as
   */
  public record Setting(
      String provider,
      @Nullable String project,
      @Nullable String endpoint,
      @Nullable String bucket,
      boolean openToTheWorld,
      boolean namespaces,
      String jar,
      String jarSha256,
      String out,
      Size size,
      Accounts accounts) {
    /** Whether its VMs can measure no bucket of the cloud's, for they have no credentials. */
    public boolean isWithoutBuckets() {
      return provider.equals(LOCAL) && bucket == null;
    }
  }

  /** How much of a plan is done. */
  public enum Size {
    /** As it says. */
    FULL,
    /** All of it, each measurement as short as it can be. */
    SMALL
  }

  /**
   * What VMs act as.
   *
   * @param given for those for which the plan says none; null for nothing
   * @param own that the run makes and removes; null for none
   */
  public record Accounts(@Nullable String given, @Nullable String own) {}

  private final RunLabels labels;
  private final Instant started;
  private final Path planFile;
  private final String planText;
  private final Setting setting;
  private RunStep step = RunStep.PLANNED;
  private boolean abandoned;
  private final Map<String, OneVm> vms = new LinkedHashMap<>();

  /** Names of rules, and the requests that make them. */
  private final Map<String, RequestId> rules = new LinkedHashMap<>();

  private final List<String> warnings = new ArrayList<>();

  /** A run that begins now: its VMs have names and request ids, and nothing else. */
  public static RunState begin(
      RunLabels labels, Instant started, Path planFile, String planText, Setting setting) {
    RunState state = new RunState(labels, started, planFile, planText, setting);
    if (setting.size == Size.SMALL) {
      state.warn("each measurement was as short as it can be: its figures say nothing of speed");
    }
    if (setting.isWithoutBuckets() && PlanFile.parse(planFile, planText).measuresBuckets()) {
      state.warn(
          "VMs on this machine have no credentials: what the plan measures of gs:// was a demo"
              + " store in the task's own process");
    }
    for (PlannedVm vm : state.plan().vms()) {
      VmSpec spec = vm.spec(labels, null);
      state.vms.put(
          vm.name(),
          new OneVm(spec.ref(), RunResources.creation(spec), RunResources.deletion(spec)));
    }
    return state;
  }

  RunState(RunLabels labels, Instant started, Path planFile, String planText, Setting setting) {
    this.labels = labels;
    this.started = started;
    this.planFile = planFile;
    this.planText = planText;
    this.setting = setting;
  }

  public RunLabels labels() {
    return labels;
  }

  public String runId() {
    return labels.runId();
  }

  public Instant started() {
    return started;
  }

  /** The plan as it was when the run began. */
  public Plan plan() {
    Plan plan =
        PlanFile.parse(planFile, planText)
            .withServiceAccount(setting.accounts.given)
            .withOwnAccount(setting.accounts.own);
    Plan sized = setting.size == Size.SMALL ? plan.small() : plan;
    return setting.isWithoutBuckets() ? sized.onDemoStores() : sized;
  }

  public Setting setting() {
    return setting;
  }

  public RunStep step() {
    return step;
  }

  void step(RunStep next) {
    step = next;
  }

  /** Whether it was given up: what it made is deleted, and the rest is not done. */
  public boolean isAbandoned() {
    return abandoned;
  }

  void abandon() {
    abandoned = true;
  }

  Map<String, OneVm> vms() {
    return vms;
  }

  Map<String, RequestId> rules() {
    return rules;
  }

  List<String> warnings() {
    return warnings;
  }

  void warn(String line) {
    if (!warnings.contains(line)) {
      warnings.add(line);
    }
  }

  boolean isComplete() {
    return !abandoned && vms.values().stream().allMatch(vm -> vm.trouble == null);
  }

  String toJson() throws IOException {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("schema", SCHEMA);
    json.put("run", labels.runId());
    json.put("owner", labels.owner());
    json.put("expires", labels.expires().toString());
    json.put("started", started.toString());
    json.put("step", step.name());
    json.put("abandoned", abandoned);
    json.put("provider", setting.provider);
    json.put("project", setting.project);
    json.put("endpoint", setting.endpoint);
    json.put("bucket", setting.bucket);
    json.put("open_to_the_world", setting.openToTheWorld);
    json.put("namespaces", setting.namespaces);
    json.put("jar", setting.jar);
    json.put("jar_sha256", setting.jarSha256);
    json.put("out", setting.out);
    json.put("size", setting.size.name());
    json.put("service_account", setting.accounts.given);
    json.put("own_account", setting.accounts.own);
    json.put("plan_file", planFile.toString());
    json.put("plan", planText);
    Map<String, Object> machines = new LinkedHashMap<>();
    vms.forEach((name, vm) -> machines.put(name, vmJson(vm)));
    json.put("vms", machines);
    Map<String, String> requests = new LinkedHashMap<>();
    rules.forEach((name, id) -> requests.put(name, id.toString()));
    json.put("rules", requests);
    json.put("warnings", warnings);
    return JSON.std
            .with(JSON.Feature.WRITE_NULL_PROPERTIES, JSON.Feature.PRETTY_PRINT_OUTPUT)
            .asString(json)
        + "\n";
  }

  private static Map<String, @Nullable Object> vmJson(OneVm vm) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("zone", vm.ref.zone());
    json.put("name", vm.ref.name());
    json.put("create_request", vm.create.toString());
    json.put("delete_request", vm.delete.toString());
    json.put("internal", vm.internal);
    json.put("external", vm.external);
    json.put("trouble", vm.trouble);
    json.put("console", vm.console);
    return json;
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IOException with one line, when it is not such a text
   */
  static RunState fromJson(String text) throws IOException {
    Map<String, Object> json = JSON.std.mapFrom(text);
    if (json == null || !SCHEMA.equals(json.get("schema"))) {
      throw new IOException("it is no state of a run (" + SCHEMA + ")");
    }
    try {
      return read(json);
    } catch (IllegalArgumentException | ClassCastException | DateTimeException e) {
      throw new IOException("it is no state of a run: " + OneLine.of(e), e);
    }
  }

  private static RunState read(Map<String, Object> json) {
    RunState state =
        new RunState(
            new RunLabels(
                text(json, "owner"), text(json, "run"), Instant.parse(text(json, "expires"))),
            Instant.parse(text(json, "started")),
            Path.of(text(json, "plan_file")),
            text(json, "plan"),
            new Setting(
                text(json, "provider"),
                (String) json.get("project"),
                (String) json.get("endpoint"),
                (String) json.get("bucket"),
                Boolean.TRUE.equals(json.get("open_to_the_world")),
                Boolean.TRUE.equals(json.get("namespaces")),
                text(json, "jar"),
                text(json, "jar_sha256"),
                text(json, "out"),
                // Runs of an Ebb that knew no sizes were full ones.
                json.containsKey("size") ? Size.valueOf(text(json, "size")) : Size.FULL,
                new Accounts(
                    (String) json.get("service_account"), (String) json.get("own_account"))));
    state.step = RunStep.valueOf(text(json, "step"));
    state.abandoned = Boolean.TRUE.equals(json.get("abandoned"));
    ((Map<?, ?>) json.getOrDefault("vms", Map.of()))
        .forEach((name, one) -> state.vms.put((String) name, vm((Map<?, ?>) one)));
    ((Map<?, ?>) json.getOrDefault("rules", Map.of()))
        .forEach((name, id) -> state.rules.put((String) name, id((String) id)));
    ((List<?>) json.getOrDefault("warnings", List.of()))
        .forEach(line -> state.warnings.add((String) line));
    return state;
  }

  private static OneVm vm(Map<?, ?> json) {
    OneVm vm =
        new OneVm(
            new VmRef(text(json, "zone"), text(json, "name")),
            id(text(json, "create_request")),
            id(text(json, "delete_request")));
    vm.internal = (String) json.get("internal");
    vm.external = (String) json.get("external");
    vm.trouble = (String) json.get("trouble");
    vm.console = (String) json.get("console");
    return vm;
  }

  private static RequestId id(String text) {
    return new RequestId(UUID.fromString(text));
  }

  private static String text(Map<?, ?> json, String key) {
    if (json.get(key) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("'" + key + "' is missing");
  }
}
