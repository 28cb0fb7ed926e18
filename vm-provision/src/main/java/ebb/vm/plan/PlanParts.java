package ebb.vm.plan;

import ebb.core.toml.TomlReader;
import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parts of a plan that say what is measured, and through what links on one machine. */
final class PlanParts {
  private static final Set<String> OF_NET =
      Set.of("protocols", "time", "udp-rate", "address", "port", "round-trips", "repeat");
  private static final Set<String> OF_TASK = Set.of("name", "run", "on", "seconds", "together");
  private static final Set<String> OF_LINK = Set.of("between", "rate", "delay", "buffer", "loss");
  private static final Set<String> PROTOCOLS = Set.of("tcp", "udp", "ledbat");
  private static final Pattern TASK = Pattern.compile("[a-z](?:[-a-z0-9]{0,38}[a-z0-9])?");
  private static final Pattern DISK = Pattern.compile("\\{disk:([^}]*)\\}");
  private static final String NET = "net";
  private static final int MAX_SECONDS = 86_400;
  private static final int MAX_PORT = 65_534;
  private static final int ROUND_TRIPS = 10;
  private static final int MAX_ROUND_TRIPS = 1_000;
  private static final int MAX_REPEAT = 100;
  private static final Micros LONGEST_RUN = Micros.parse("1h");

  private final TomlReader top;
  private final List<PlannedVm> vms;

  PlanParts(TomlReader top, List<PlannedVm> vms) {
    this.top = top;
    this.vms = vms;
  }

  @Nullable String bucket() {
    String bucket = top.text("bucket");
    if (bucket != null && !bucket.matches("gs://[a-z0-9][-a-z0-9._]{1,220}[a-z0-9]")) {
      throw top.wrong("bucket", "'" + bucket + "' is not such as \"gs://my-bucket\"");
    }
    return bucket;
  }

  @Nullable NetPart net() {
    TomlReader net = top.table("net");
    if (net == null) {
      return null;
    }
    net.only(OF_NET);
    Set<String> protocols = new LinkedHashSet<>(net.texts("protocols"));
    for (String protocol : protocols) {
      if (!PROTOCOLS.contains(protocol)) {
        throw net.wrong("protocols", "'" + protocol + "' is none of tcp, udp, ledbat");
      }
    }
    if (protocols.isEmpty()) {
      throw net.wrong("protocols", "[net] needs 'protocols', such as [\"tcp\", \"ledbat\"]");
    }
    List<String> addresses = addresses(net);
    if (vms.size() < 2) {
      throw net.place("protocols").wrong("[net] measures between VMs, and the plan has one");
    }
    for (PlannedVm vm : vms) {
      if (addresses.contains(NetPart.EXTERNAL) && !vm.externalAddress()) {
        throw net.wrong("address", vm.name() + " has no external address");
      }
    }
    Micros time = net.micros("time", Micros.parse("10s"));
    if (time.micros() < 1 || time.micros() > LONGEST_RUN.micros()) {
      throw net.wrong("time", "'time' has to be up to 1h");
    }
    return new NetPart(
        List.copyOf(protocols),
        time,
        udpRates(net),
        addresses,
        net.number("port", NetPart.DEFAULT_PORT, 1_024, MAX_PORT),
        net.number("round-trips", ROUND_TRIPS, 0, MAX_ROUND_TRIPS),
        net.number("repeat", 1, 1, MAX_REPEAT));
  }

  private static List<String> addresses(TomlReader net) {
    String address = net.text("address", NetPart.INTERNAL);
    return switch (address) {
      case NetPart.INTERNAL, NetPart.EXTERNAL -> List.of(address);
      case "both" -> List.of(NetPart.INTERNAL, NetPart.EXTERNAL);
      default ->
          throw net.wrong(
              "address",
              "'address' is \"internal\", \"external\" or \"both\", not '" + address + "'");
    };
  }

  /** One rate, or several with commas. */
  private static List<BitRate> udpRates(TomlReader net) {
    List<BitRate> rates =
        net.parsed(
            "udp-rate", text -> Arrays.stream(text.split(",", -1)).map(BitRate::parse).toList());
    return rates == null ? List.of(BitRate.parse("10M")) : rates;
  }

  List<PlannedTask> tasks() {
    List<PlannedTask> tasks = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (TomlReader table : top.tables("task")) {
      table.only(OF_TASK);
      String name = table.required("name");
      if (!TASK.matcher(name).matches() || name.equals(NET) || name.startsWith(NET + "-")) {
        throw table.wrong(
            "name",
            "'"
                + name
                + "' has to be 1 to 40 of a-z, 0-9 and '-', begin with a letter, and be neither"
                + " 'net' nor 'net-...'");
      }
      if (!names.add(name)) {
        throw table.wrong("name", "there is a task '" + name + "' already");
      }
      List<String> words = table.texts("run");
      if (words.isEmpty()) {
        throw table.wrong(
            "run", "[[task]] needs 'run', the words of a command such as [\"memory\", \"--json\"]");
      }
      List<String> on = on(table);
      words.forEach(word -> checkDisks(table, word, on));
      words.forEach(word -> checkAddresses(table, word));
      checkVariant(table, words);
      boolean together = table.flag("together", false);
      if (together) {
        new TogetherRules(table, vms).check(words, on);
      }
      tasks.add(
          new PlannedTask(name, words, on, table.number("seconds", 600, 1, MAX_SECONDS), together));
    }
    return tasks;
  }

  /** Each disk that a task names has to be there on each of its VMs. */
  private void checkDisks(TomlReader table, String word, List<String> on) {
    Matcher named = DISK.matcher(word);
    while (named.find()) {
      String disk = named.group(1);
      for (PlannedVm vm : vms) {
        List<String> there = vm.volumes().stream().map(PlannedVolume::name).toList();
        if (on.contains(vm.name()) && !there.contains(disk)) {
          throw table.wrong(
              "run",
              vm.name()
                  + " has no disk '"
                  + disk
                  + "'; it has "
                  + (there.isEmpty() ? "none beside its boot disk" : String.join(", ", there)));
        }
      }
    }
  }

  /** Whose external address a task names has to have one. */
  private void checkAddresses(TomlReader table, String word) {
    Matcher named = PlannedTask.EXTERNAL.matcher(word);
    while (named.find()) {
      for (PlannedVm vm : vms) {
        if (vm.name().equals(named.group(1)) && !vm.externalAddress()) {
          throw table.wrong("run", vm.name() + " has no external address");
        }
      }
    }
  }

  private static void checkVariant(TomlReader table, List<String> words) {
    if ((String.join(" ", words) + " ").matches(".* --variant[= ]grpc .*")) {
      throw table.wrong("run", "--variant grpc needs ebb-grpc.jar, and VMs fetch ebb.jar alone");
    }
  }

  private List<String> on(TomlReader table) {
    List<String> all = vms.stream().map(PlannedVm::name).toList();
    List<String> on = table.texts("on");
    for (String name : on) {
      if (!all.contains(name)) {
        throw table.wrong(
            "on", "the plan has no VM '" + name + "'; it has " + String.join(", ", all));
      }
    }
    return on.isEmpty() ? all : on;
  }

  List<PlannedLink> links() {
    Set<String> zones = new LinkedHashSet<>();
    vms.forEach(vm -> zones.add(vm.zone()));
    List<PlannedLink> links = new ArrayList<>();
    Set<Set<String>> seen = new HashSet<>();
    for (TomlReader table : top.tables("link")) {
      table.only(OF_LINK);
      List<String> between = table.texts("between");
      if (between.size() != 2) {
        throw table.wrong("between", "'between' has to be two zones");
      }
      for (String zone : between) {
        if (!zones.contains(zone)) {
          throw table.wrong(
              "between",
              "no VM is in '" + zone + "'; there are VMs in " + String.join(", ", zones));
        }
      }
      if (!seen.add(new HashSet<>(between))) {
        throw table.wrong("between", "there is a link between these two already");
      }
      links.add(link(table, between));
    }
    return links;
  }

  private static PlannedLink link(TomlReader table, List<String> between) {
    return new PlannedLink(
        between.get(0),
        between.get(1),
        table.bitRate("rate", new BitRate(0)),
        table.micros("delay", new Micros(0)),
        table.micros("buffer", Micros.parse("100ms")),
        table.fraction("loss"));
  }
}
