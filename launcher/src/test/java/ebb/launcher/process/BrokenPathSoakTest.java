package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transfer whose path goes away for a while: the cable is pulled, routes refuse. */
@Tag("soak")
final class BrokenPathSoakTest {
  private static final int FILE_BYTES = 12 << 20;
  private static final long DOWN_MILLIS = 8_000;
  private static final long REFUSED_MILLIS = 2_500;

  @TempDir Path temp;

  private static long partBytes(Path dir) {
    java.io.File[] parts = dir.resolve(".ebb-part").toFile().listFiles();
    long bytes = 0;
    for (java.io.File part : parts == null ? new java.io.File[0] : parts) {
      bytes += part.getName().endsWith(".part") ? part.length() : 0;
    }
    return bytes;
  }

  private static void awaitMore(EbbProcess sender, Path dir, long bytes) throws Exception {
    long from = partBytes(dir);
    sender.await(() -> partBytes(dir) >= from + bytes);
  }

  @Test
  void aTransferOutlivesAnInterfaceThatIsDownAndRoutesThatRefuse() throws Exception {
    Path dir = Files.createDirectory(temp.resolve("dir"));
    byte[] content = new byte[FILE_BYTES];
    new Random(7).nextBytes(content);
    Path file = Files.write(temp.resolve("file"), content);
    try (Namespaces net = Namespaces.orSkip("a transfer over an interface that goes down");
        EbbProcess receiver =
            EbbProcess.start(
                temp, net.inRight(), null, "ledbat", "receive", "--port", "0", "--dir", "" + dir);
        EbbProcess sender =
            EbbProcess.start(
                temp,
                net.inLeft(),
                null,
                "ledbat",
                "send",
                "--json",
                "--max-rate",
                "16M",
                "" + file,
                Namespaces.RIGHT_ADDRESS + ":" + receiver.port())) {
      List<String> seen = new ArrayList<>();
      // The sender's own end: what it sends is refused with ENETUNREACH.
      awaitMore(sender, dir, 500_000);
      net.left("link set " + Namespaces.LINK + " down");
      goOnAfter(sender, dir, DOWN_MILLIS, seen, "the sender's interface is down");
      net.left("link set " + Namespaces.LINK + " up");
      awaitMore(sender, dir, 500_000);
      // The other end: what is sent vanishes, and the acknowledgements are refused.
      net.right("link set " + Namespaces.LINK + " down");
      goOnAfter(sender, dir, DOWN_MILLIS, seen, "the receiver's interface is down");
      net.right("link set " + Namespaces.LINK + " up");
      awaitMore(sender, dir, 500_000);
      // Linux answers sends by these with EHOSTUNREACH, EACCES and EINVAL.
      for (String refusal : List.of("unreachable", "prohibit", "blackhole")) {
        net.left("route add " + refusal + " " + Namespaces.RIGHT_ADDRESS + "/32");
        goOnAfter(sender, dir, REFUSED_MILLIS, seen, "the route says " + refusal);
        net.left("route del " + refusal + " " + Namespaces.RIGHT_ADDRESS + "/32");
        awaitMore(sender, dir, 500_000);
      }
      assertThat(sender.exitCode()).as(sender.err()).isZero();
      assertThat(dir.resolve("file")).hasBinaryContent(content);
      assertThat(sender.figure("content_bytes")).isEqualTo(FILE_BYTES);
      System.out.println(
          "a path that goes away: " + seen + ", complete after " + sender.json().get("figures"));
    }
  }

  /** Waits that long while nothing arrives, and checks that nobody gives up. */
  private static void goOnAfter(
      EbbProcess sender, Path dir, long millis, List<String> seen, String what) throws Exception {
    // What was on its way arrives.
    assertThat(sender.endsWithin(500)).as(sender.err()).isFalse();
    long there = partBytes(dir);
    assertThat(sender.endsWithin(millis)).as(sender.err()).isFalse();
    assertThat(partBytes(dir)).as(what).isEqualTo(there);
    seen.add(what);
  }
}
