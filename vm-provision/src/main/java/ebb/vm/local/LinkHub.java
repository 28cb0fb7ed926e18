package ebb.vm.local;

import ebb.core.rand.SeededRandom;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A process that carries IP packets between the namespaces of a run, through the links of its plan.
 * It has a TUN device in each namespace and knows by address where a packet goes. It ends with its
 * time, or by being killed; its devices go with it. The directory that it works on is {@link
 * Links}'.
 */
public final class LinkHub {
  private static final int MAX_PACKET = 65_536;
  private static final int MAX_WAITING = 400_000;
  private static final int DESTINATION_AT = 16;
  private static final int HEADER = 20;
  private static final int IPV4 = 4;
  private static final long LOOK_MILLIS = 20;
  private static final int SEED = 1;

  private final Path directory;
  private final Map<Integer, End> ends = new ConcurrentHashMap<>();
  private final Map<String, Pipe> pipes = new HashMap<>();
  private final Set<String> attached = new HashSet<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
  private long number;

  /** A machine's end of the links. */
  private record End(Tun tun, String zone) {}

  /** A packet under way; of two that are due together, the first one comes first. */
  @SuppressWarnings("ArrayRecordComponent") // it is compared by its times only
  private record Waiting(long due, long number, End to, byte[] packet)
      implements Comparable<Waiting> {
    @Override
    public int compareTo(Waiting other) {
      int byDue = Long.compare(due - other.due, 0);
      return byDue != 0 ? byDue : Long.compare(number, other.number);
    }
  }

  private LinkHub(Path directory) throws IOException {
    this.directory = directory;
    int seed = SEED;
    for (String line : Files.readAllLines(directory.resolve(Links.PATHS))) {
      if (!line.isBlank()) {
        String[] words = line.split(" ", -1);
        pipes.put(words[0] + " " + words[1], pipe(words, seed++));
        pipes.put(words[1] + " " + words[0], pipe(words, seed++));
      }
    }
  }

  private static Pipe pipe(String[] words, int seed) {
    return new Pipe(
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]),
        Double.parseDouble(words[5]),
        new SeededRandom(seed));
  }

  /** Carries packets for {@code SECONDS}; words are {@code DIRECTORY SECONDS}. */
  public static void main(String[] words) throws IOException, InterruptedException {
    LinkHub hub = new LinkHub(Path.of(words[0]));
    Thread deliverer = new Thread(hub::deliver, "deliver");
    deliverer.setDaemon(true);
    deliverer.start();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(words[1]));
    while (System.nanoTime() < end && Files.isDirectory(hub.directory)) {
      hub.look();
      Thread.sleep(LOOK_MILLIS);
    }
    System.exit(0);
  }

  /** Attaches who has asked for it since. */
  private void look() throws InterruptedException {
    List<Path> asked = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, Links.ASKED + "*")) {
      files.forEach(asked::add);
    } catch (IOException gone) {
      return;
    }
    for (Path file : asked) {
      String name = file.getFileName().toString().substring(Links.ASKED.length());
      try {
        String line = Files.readString(file).strip();
        if (attached.add(name + " " + line)) {
          attach(line.split(" ", -1));
          Files.writeString(directory.resolve(Links.UP + name), "");
        }
      } catch (IOException e) {
        System.err.println("ebb: the link of " + name + " does not come up: " + OneLine.of(e));
      }
    }
  }

  private void attach(String[] words) throws IOException, InterruptedException {
    String namespace = words[0];
    String address = words[1];
    String temporary = "ebb" + namespace.substring(namespace.length() - 8);
    Tun tun = Tun.make(temporary);
    Namespaces.checked(
        Namespaces.run("ip", "link", "set", temporary, "netns", namespace, "name", "ebb0"));
    Namespaces.checked(
        Namespaces.run("ip", "-n", namespace, "addr", "add", address + "/24", "dev", "ebb0"));
    Namespaces.checked(
        Namespaces.run(
            "ip",
            "-n",
            namespace,
            "link",
            "set",
            "ebb0",
            "mtu",
            "1500",
            "txqueuelen",
            "10000",
            "up"));
    End end = new End(tun, words[2]);
    int key = 0;
    for (String part : address.split("\\.", -1)) {
      key = key << 8 | Integer.parseInt(part);
    }
    ends.put(key, end);
    int mine = key;
    Thread reader = new Thread(() -> read(end, mine), "read-" + address);
    reader.setDaemon(true);
    reader.start();
  }

  private void read(End from, int key) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_PACKET);
    while (from.tun.read(buffer)) {
      if (buffer.limit() >= HEADER && buffer.get(0) >> 4 == IPV4) {
        End to = ends.get(buffer.getInt(DESTINATION_AT));
        if (to != null) {
          accept(from, to, buffer);
        }
      }
    }
    ends.remove(key, from);
    from.tun.close();
  }

  private void accept(End from, End to, ByteBuffer packet) {
    lock.lock();
    try {
      long now = System.nanoTime();
      Pipe pipe = pipes.get(from.zone + " " + to.zone);
      long due = pipe == null ? now : pipe.arrival(now, packet.limit());
      if (due == Pipe.LOST || waiting.size() >= MAX_WAITING) {
        return;
      }
      byte[] copy = new byte[packet.limit()];
      packet.get(0, copy);
      Waiting last = waiting.peek();
      waiting.add(new Waiting(due, number++, to, copy));
      if (last == null || due < last.due) {
        more.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void deliver() {
    List<Waiting> over = new ArrayList<>();
    ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_PACKET);
    while (true) {
      try {
        takeDue(over);
      } catch (InterruptedException e) {
        return;
      }
      for (Waiting one : over) {
        one.to.tun.write(buffer.clear().put(one.packet).flip());
      }
      over.clear();
    }
  }

  private void takeDue(List<Waiting> over) throws InterruptedException {
    lock.lock();
    try {
      while (over.isEmpty()) {
        Waiting next = waiting.peek();
        long now = System.nanoTime();
        if (next == null) {
          more.await();
        } else if (next.due - now > 0) {
          more.awaitNanos(next.due - now);
        } else {
          for (@Nullable Waiting one = next;
              one != null && one.due - now <= 0;
              one = waiting.peek()) {
            over.add(waiting.remove());
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
