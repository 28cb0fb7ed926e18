package org.example.swarm;

import ebb.core.kompics.EbbAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import se.sics.kompics.Kompics;

/** The swarm on real sockets; the usage is in {@link #USAGE}. */
public final class Main {
  static final String USAGE =
      """
      usage: describe FILE DESCRIPTION
             node DESCRIPTION FILE HOST:PORT [OTHER-HOST:PORT]...
             local NODES MEGABYTES
      describe writes the hashes of FILE's pieces. node shares FILE as far as it is there and fetches
      the rest; it listens at the first address, meets others at the rest, and runs until it is
      interrupted. local runs one node that has random content and others that fetch it, on loopback.
      """;

  private static final int WORKERS = 2;
  private static final long LOCAL_SECONDS = 300;

  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    System.exit(run(args, System.out, System.err));
  }

  /** 0 when done, 1 when it failed, 2 when the arguments make no sense. */
  static int run(String[] args, PrintStream out, PrintStream err) throws InterruptedException {
    try {
      if (args.length == 3 && args[0].equals("describe")) {
        Content.describe(Path.of(args[1])).write(Path.of(args[2]));
        return 0;
      } else if (args.length >= 4 && args[0].equals("node")) {
        return node(args, out);
      } else if (args.length == 3 && args[0].equals("local")) {
        return local(Integer.parseInt(args[1]), Integer.parseInt(args[2]), out);
      }
    } catch (IOException e) {
      err.println("error: " + e.getMessage());
      return 1;
    } catch (IllegalArgumentException e) {
      err.println("error: " + e.getMessage());
    }
    err.print(USAGE);
    return 2;
  }

  private static int node(String[] args, PrintStream out) throws IOException, InterruptedException {
    Content content = Content.read(Path.of(args[1]));
    List<EbbAddress> others = new ArrayList<>();
    for (int i = 4; i < args.length; i++) {
      others.add(address(args[i]));
    }
    start(
        List.of(
            new SwarmPeer.Init(
                address(args[3]),
                others,
                content,
                Path.of(args[2]),
                new Random().nextLong(),
                new Printer(out, new CountDownLatch(1)))));
    Kompics.waitForTermination();
    return 0;
  }

  private static int local(int nodes, int megabytes, PrintStream out)
      throws IOException, InterruptedException {
    if (nodes < 2 || megabytes < 1 || megabytes > 1_000) {
      throw new IllegalArgumentException("at least 2 nodes, 1 to 1000 MB");
    }
    Path directory = Files.createTempDirectory("swarm");
    List<EbbAddress> addresses = freeAddresses(nodes);
    Path original = directory.resolve("0");
    byte[] bytes = new byte[megabytes * 1_000_000];
    new SplittableRandom(1).nextBytes(bytes);
    Files.write(original, bytes);
    Content content = Content.describe(original);
    CountDownLatch complete = new CountDownLatch(nodes);
    List<SwarmPeer.Init> inits = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      inits.add(
          new SwarmPeer.Init(
              addresses.get(i),
              List.of(addresses.get(0)),
              content,
              directory.resolve(Integer.toString(i)),
              i,
              new Printer(out, complete)));
    }
    start(inits);
    boolean inTime;
    try {
      inTime = complete.await(LOCAL_SECONDS, TimeUnit.SECONDS);
    } finally {
      Kompics.shutdown();
    }
    boolean same = true;
    for (int i = 0; i < nodes; i++) {
      Path copy = directory.resolve(Integer.toString(i));
      same &= inTime && Files.mismatch(original, copy) == -1;
    }
    for (int i = 0; i < nodes; i++) {
      Files.deleteIfExists(directory.resolve(Integer.toString(i)));
    }
    Files.delete(directory);
    out.println(same ? "all the same" : "failed");
    return same ? 0 : 1;
  }

  private static void start(List<SwarmPeer.Init> nodes) {
    Kompics.createAndStart(LiveNode.class, new LiveNode.Init(nodes), WORKERS);
  }

  private static List<EbbAddress> freeAddresses(int count) throws IOException {
    List<DatagramSocket> sockets = new ArrayList<>();
    List<EbbAddress> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      DatagramSocket socket =
          new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      sockets.add(socket);
      addresses.add(EbbAddress.of(socket.getLocalAddress(), socket.getLocalPort()));
    }
    sockets.forEach(DatagramSocket::close);
    return addresses;
  }

  private static EbbAddress address(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("HOST:PORT is needed: " + text);
    }
    int port = Integer.parseInt(text.substring(colon + 1));
    return EbbAddress.of(new InetSocketAddress(text.substring(0, colon), port));
  }

  /** Tells what happens, and counts the nodes that have everything. */
  private record Printer(PrintStream out, CountDownLatch complete) implements SwarmListener {
    @Override
    public void completed(EbbAddress self) {
      out.println(self + " complete");
      complete.countDown();
    }

    @Override
    public void lost(EbbAddress self, EbbAddress neighbour, String reason) {
      out.println(self + " lost " + neighbour + ": " + reason);
    }
  }
}
