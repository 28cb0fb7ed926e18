package ebb.ledbat.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.fuzz.ModelPeer.PacketHeader;
import ebb.ledbat.wire.PacketWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * How a {@link Script} ends, which shows that nothing in it left a connection stuck: either every
 * peer falls silent, and Ebb must give up in time, or every peer turns honest, and every stream
 * must arrive.
 */
final class Ending {
  private static final long SECOND = 1_000_000;

  /** RFC 6298, 2.5 allows no timer beyond it; the configurations below leave it at its default. */
  private static final long MAX_RTO_MICROS = 60 * SECOND;

  /** How long a peer is waited for whose window is closed, whatever the configuration says. */
  private static final long ZERO_WINDOW_GIVE_UP_MICROS = 600 * SECOND;

  private final Rig rig;
  private final PacketWriter writer = new PacketWriter();
  private final ByteBuffer out = ByteBuffer.allocate(2_048);

  Ending(Rig rig) {
    this.rig = rig;
  }

  /** Nobody answers any more: whoever has something to send or to wait for gives up in time. */
  void everyPeerFallsSilent() {
    long began = rig.nowMicros;
    List<ModelApp> waiting = new ArrayList<>();
    boolean zeroWindow = false;
    for (ModelApp app : rig.apps) {
      app.connection.setMaxRateBytesPerSecond(0);
      app.write(1);
      if (hasWork(app)) {
        waiting.add(app);
        zeroWindow |= app.connection.stats(rig.nowMicros).peerWindowBytes() == 0;
      }
    }
    // The timer that gives up is the retransmission timer: the first to expire after that time,
    // the third in any case, behind at most one that probes a closed window.
    long patience = rig.config.giveUpMicros();
    if (zeroWindow) {
      patience = Math.max(patience, ZERO_WINDOW_GIVE_UP_MICROS);
    }
    long limit = began + Math.max(patience, rig.config.connectTimeoutMicros()) + 4 * MAX_RTO_MICROS;
    rig.cycle();
    while (rig.nowMicros < limit && waiting.stream().anyMatch(app -> app.closed == null)) {
      rig.sleep(limit);
    }
    for (ModelApp app : waiting) {
      assertThat(app.closed)
          .as("a peer is silent and Ebb waits on: %s", app.describe())
          .isNotNull();
    }
  }

  private boolean hasWork(ModelApp app) {
    long acked = app.connection.stats(rig.nowMicros).bytesAcked();
    boolean connected = !app.connection.isInitiator() || app.connectedCalls > 0;
    // Ebb sends signs of life, so its silence means something even where nothing is to be sent.
    boolean silentEbb = app.peer != null && app.peer.saysEbb;
    return !connected || app.written > acked || silentEbb;
  }

  /** Every peer does what it should: nothing that happened before may have broken a connection. */
  void everyPeerTurnsHonest() {
    long limit = rig.nowMicros + 600 * SECOND;
    rig.loseOneIn = 0;
    for (ModelApp app : rig.apps) {
      app.reading = true;
      app.connection.setMaxRateBytesPerSecond(0);
      app.connection.setTargetDelayMicros(100_000);
      app.readAll();
      app.finish();
    }
    rig.cycle();
    List<ModelApp> open = rig.apps.stream().filter(app -> app.peer != null).toList();
    for (ModelPeer peer : rig.peers) {
      peer.end();
    }
    while (open.stream().anyMatch(app -> app.closed == null)) {
      assertThat(rig.nowMicros)
          .as("peers are honest and Ebb does not finish: %s", describeOpen(open))
          .isLessThan(limit);
      for (ModelPeer peer : List.copyOf(rig.peers)) {
        continueHonestly(peer);
      }
      long before = rig.datagramsOut;
      rig.advance(10_000);
      if (rig.datagramsOut == before) {
        rig.sleep(rig.nowMicros + SECOND);
      }
    }
    for (ModelApp app : open) {
      assertThat(app.closed).as(app.describe()).isEqualTo(CloseReason.FINISHED);
    }
  }

  private static String describeOpen(List<ModelApp> apps) {
    StringBuilder text = new StringBuilder();
    for (ModelApp app : apps) {
      if (app.closed == null) {
        text.append(app.describe()).append("; ");
      }
    }
    return text.toString();
  }

  private void continueHonestly(ModelPeer peer) {
    int now = (int) rig.nowMicros;
    PacketHeader header = new PacketHeader(now - 10_000, 10_000, 1 << 20);
    if (peer.app == null || !peer.knowsEbb()) {
      return;
    }
    peer.receiveAll();
    if (peer.awaitsSynAck()) {
      out.clear();
      peer.writeSynAck(header, out, writer);
      out.flip();
      rig.receive(peer.address, out, out.limit());
      rig.cycle();
    }
    long room = Math.max(peer.ebbWindowBytes, 1);
    int index = peer.ackedByEbb();
    for (; index < peer.sendable() && room > 0 && peer.app != null; index++) {
      out.clear();
      peer.writePacket(index, header, out, writer);
      out.flip();
      room -= peer.payloadBytes(index);
      rig.receive(peer.address, out, out.limit());
    }
    out.clear();
    peer.writeState(header, out, writer);
    out.flip();
    rig.receive(peer.address, out, out.limit());
    rig.cycle();
  }
}
