package ebb.ledbat.netty;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.netty.Drivers.Mode;
import ebb.ledbat.netty.Drivers.Node;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bursts cross between two drivers whole, in order and as bursts, in every mode. */
class BurstTransferTest {
  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void burstsCrossBothWays(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode))) {
      byte[] there = Drivers.burst(45, 1_400, 700, 1);
      byte[] back = Drivers.burst(7, 500, 500, 100);
      a.engine().send(b.address(), there, 1_400);
      a.wake();
      List<byte[]> atB = Drivers.datagrams(b.engine(), a.address(), 45);
      b.engine().send(a.address(), back, 500);
      b.wake();
      List<byte[]> atA = Drivers.datagrams(a.engine(), b.address(), 7);

      assertThat(join(atB)).isEqualTo(there);
      assertThat(atB.get(44)).hasSize(700);
      assertThat(join(atA)).isEqualTo(back);
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void burstsOfManySizesStayApart(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode))) {
      List<byte[]> sent = new ArrayList<>();
      int datagrams = 0;
      for (int i = 0; i < 40; i++) {
        int count = 1 + i % 13;
        int size = 20 + 97 * (i % 14);
        int last = i % 3 == 0 ? size : 20;
        byte[] burst = Drivers.burst(count, size, last, i);
        sent.add(burst);
        datagrams += count;
        a.engine().send(b.address(), burst, size);
      }
      a.wake();

      List<byte[]> got = Drivers.datagrams(b.engine(), a.address(), datagrams);

      assertThat(join(got)).isEqualTo(join(sent));
      // One receive per datagram boundary: the sizes are what was sent, not only the bytes.
      int at = 0;
      for (int i = 0; i < 40; i++) {
        int count = 1 + i % 13;
        int size = 20 + 97 * (i % 14);
        for (int k = 0; k < count - 1; k++) {
          assertThat(got.get(at++)).hasSize(size);
        }
        assertThat(got.get(at++)).hasSize(i % 3 == 0 ? size : 20);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void statisticsCountWhatCrossed(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode))) {
      a.engine().send(b.address(), Drivers.burst(12, 1_000, 400, 1), 1_000);
      a.wake();
      Drivers.datagrams(b.engine(), a.address(), 12);
      a.driver().close();
      b.driver().close();

      DriverStats out = a.driver().stats();
      DriverStats in = b.driver().stats();
      assertThat(out.out().datagrams()).isEqualTo(12);
      assertThat(out.out().bytes()).isEqualTo(11_400);
      assertThat(out.out().bursts()).isEqualTo(1);
      assertThat(in.in().datagrams()).isEqualTo(12);
      assertThat(in.in().bytes()).isEqualTo(11_400);
      assertThat(out.transport()).isEqualTo(mode.transport());
      assertThat(out.gsoInUse()).isEqualTo(mode.gso() == Offload.AUTO);
      assertThat(in.groInUse()).isEqualTo(mode.gro() == Offload.AUTO);
      if (mode.gso() == Offload.AUTO && mode.gro() == Offload.AUTO) {
        // What the kernel kept together on loopback reaches the engine together.
        assertThat(in.in().bursts()).isEqualTo(1);
      }
    }
  }

  private static byte[] join(List<byte[]> parts) {
    var all = new java.io.ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }
}
