package ebb.vm.plan;

import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import java.util.ArrayList;
import java.util.List;

/**
 * A plan made small: the same VMs, disks, paths and tasks, each measured for as short as it can be,
 * so that the way from the plan to its report can be tried. It owns what each command of Ebb's
 * takes for that; its figures say nothing of speed.
 */
final class SmallPlan {
  private static final Micros NET_TIME = Micros.parse("500ms");
  private static final String SECONDS = "0.5";
  private static final String CASE_TIME = "100ms";
  private static final String ONCE = "1";
  private static final String AMOUNT = "1Mi";
  private static final int ROUND_TRIPS = 3;

  private final List<String> words;

  private SmallPlan(List<String> words) {
    this.words = new ArrayList<>(words);
  }

  /** The least and the largest of several rates; few round trips; everything once. */
  static NetPart of(NetPart net) {
    List<BitRate> rates = net.udpRates();
    List<BitRate> ends =
        rates.size() < 2 ? rates : List.of(rates.get(0), rates.get(rates.size() - 1));
    return new NetPart(
        net.protocols(),
        net.time().micros() < NET_TIME.micros() ? net.time() : NET_TIME,
        ends,
        net.addresses(),
        net.port(),
        Math.min(net.roundTrips(), ROUND_TRIPS),
        1);
  }

  /** The same command on little data, for a short time, once; others are as they were. */
  static PlannedTask of(PlannedTask task) {
    SmallPlan small = new SmallPlan(task.words());
    String first = task.words().get(0);
    String second = task.words().size() > 1 ? task.words().get(1) : "";
    switch (first) {
      case "disk" -> small.disk();
      case "memory" -> small.memory();
      case "storage" -> small.storage(second);
      case "net" -> small.net(second);
      default -> {
        // What is not known is not changed.
      }
    }
    return task.withWords(small.words);
  }

  private void disk() {
    set("4Mi", "--size");
    set(CASE_TIME, "--time");
    set("20ms", "--warm-up");
    set(ONCE, "--rounds");
  }

  private void memory() {
    // Room for a block of 1 MiB for each thread.
    set("8Mi", "--size");
    set("1Mi", "--stream-size");
    set("20ms", "--time");
    set("2", "--repeat");
    set(ONCE, "--rounds");
  }

  private void storage(String command) {
    if (command.equals("run")) {
      set("256Ki", "--size");
      set(CASE_TIME, "--time");
      set(ONCE, "--repeat");
      if (at("--interval") >= 0 || words.contains("transfers")) {
        set(CASE_TIME, "--interval");
      }
    }
  }

  private void net(String command) {
    if (command.equals("client")) {
      lessen(AMOUNT, "-n", "--bytes");
      lessen("100", "-k", "--blockcount");
      lessen("0", "-O", "--omit");
      lessen(ONCE, "--repeat");
      if (at("-n", "--bytes", "-k", "--blockcount") < 0) {
        set(SECONDS, "-t", "--time");
      }
    } else if (command.equals("sweep")) {
      set(SECONDS, "-t", "--time");
      set(ONCE, "--repeat");
      lessen(AMOUNT, "-n", "--bytes");
      if (words.contains("amounts")) {
        set("1Mi,2Mi,4Mi", "-n", "--bytes");
      }
    }
  }

  /** Where an option by any of its names stands; -1 for nowhere. */
  private int at(String... names) {
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      for (String name : names) {
        if (word.equals(name) || word.startsWith(name + "=")) {
          return i;
        }
      }
    }
    return -1;
  }

  private void lessen(String value, String... names) {
    if (at(names) >= 0) {
      set(value, names);
    }
  }

  private void set(String value, String... names) {
    int at = at(names);
    if (at < 0) {
      words.addAll(List.of(names[0], value));
    } else if (words.get(at).contains("=") || at + 1 == words.size()) {
      words.set(at, words.get(at).replaceFirst("=.*", "") + "=" + value);
    } else {
      words.set(at + 1, value);
    }
  }
}
