package ebb.vm.command;

import ebb.core.result.ResultRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Plays the VMs of runs, as far as their store shows them: what their start-up scripts would keep
 * there. Each measures to each other one, both ways, as soon as the first round has begun, so the
 * results are there of whichever of the two has its turn.
 */
final class Fleet implements AutoCloseable {
  private final Path stores;
  private final List<String> names;
  private final Set<String> silent = new HashSet<>();
  private final Thread thread;
  private volatile boolean over;

  /**
   * Begins.
   *
   * @param state the state directory of the runs
   */
  Fleet(Path state, List<String> names, Set<String> silent) {
    stores = state.resolve("local").resolve("store");
    this.names = List.copyOf(names);
    this.silent.addAll(silent);
    thread = new Thread(this::play, "fleet");
    thread.setDaemon(true);
    thread.start();
  }

  private void play() {
    while (!over) {
      try {
        for (Path store : list(stores)) {
          if (Files.exists(store.resolve("ebb.jar"))) {
            play(store.resolve("results"));
          }
        }
      } catch (IOException | UncheckedIOException removed) {
        // The run is over, and its store went while it was looked at.
        LockSupport.parkNanos(1);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private void play(Path results) throws IOException {
    for (String name : names) {
      if (!silent.contains(name)) {
        Path mine = results.resolve(name);
        keep(mine.resolve("ready"), "1");
        if (Files.exists(results.resolve("turn").resolve("round-1"))) {
          measure(name, mine);
        }
        if (Files.exists(results.resolve("stop"))) {
          keep(mine.resolve("end"), "0 all done");
        }
      }
    }
  }

  private void measure(String name, Path mine) throws IOException {
    for (String peer : names) {
      if (!peer.equals(name)) {
        String json =
            ResultRecord.of("net matrix")
                .row(row(name, peer))
                .row(row(peer, name))
                .build(true, 0)
                .toJson();
        keep(mine.resolve("net-" + peer + ".begun"), "1");
        keep(mine.resolve("net-" + peer + ".json"), json);
        keep(mine.resolve("net-" + peer + ".exit"), "0");
      }
    }
    keep(mine.resolve("done"), "0");
  }

  private static Map<String, Object> row(String from, String to) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("from", from);
    row.put("to", to);
    row.put("address", "internal");
    row.put("protocol", "tcp");
    row.put("mode", "streaming");
    row.put("transmission_micros", 1_000_000L);
    row.put("received_rate_bits_per_second", 12_000_000.0);
    return row;
  }

  private static void keep(Path file, String text) throws IOException {
    if (!Files.exists(file)) {
      // Not createDirectories: what has been removed must not come back.
      Path directory = file.getParent();
      if (!Files.isDirectory(directory)) {
        Files.createDirectory(directory);
      }
      Path part = file.resolveSibling(file.getFileName() + ".part");
      Files.writeString(part, text + "\n");
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  static List<String> numbered(String name, int count) {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      names.add(name + "-" + i);
    }
    return names;
  }

  @Override
  public void close() {
    over = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(60));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
