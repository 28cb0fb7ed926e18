package ebb.ledbat.fuzz;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.fuzz.ModelPeer.PacketHeader;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.SeqNr;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What happens to an endpoint, decided by {@link Choices}: honest traffic mixed with duplicated,
 * reordered, mutated, forged and reflected packets, applications that do as they like, and time
 * that passes or jumps. At the end either every peer falls silent, and Ebb must give up in time, or
 * every peer turns honest, and every stream must arrive.
 *
 * <p>Peers are honest about their streams: no packet goes out that could make Ebb deliver what the
 * model has not sent. Whoever can forge those can forge the stream; nothing can be held against it.
 */
final class Script {
  private static final long SECOND = 1_000_000;
  private static final int MAX_OPEN = 6;
  private static final int MAX_DATAGRAM_BYTES = 1_500;
  private static final InetSocketAddress[] ADDRESSES = {
    new InetSocketAddress("10.0.0.1", 1),
    new InetSocketAddress("10.0.0.1", 2),
    new InetSocketAddress("10.0.0.2", 1)
  };
  private static final InetSocketAddress STRANGER = new InetSocketAddress("10.9.9.9", 9);

  private final Choices choices;
  private final Rig rig;
  private final PacketWriter writer = new PacketWriter();
  private final Packet packet = new Packet();
  private final ByteBuffer out = ByteBuffer.allocate(65_536);
  private final ByteBuffer held = ByteBuffer.allocate(MAX_DATAGRAM_BYTES);
  private InetSocketAddress heldFrom = STRANGER;
  private int salt;
  private int nextSynId;
  private long steps;

  Script(long seed, Choices choices) {
    this.choices = choices;
    rig = new Rig(seed, config(choices), startMicros(choices));
    held.limit(0);
    nextSynId = choices.below(0x10000);
  }

  long steps() {
    return steps;
  }

  Rig rig() {
    return rig;
  }

  private static LedbatConfig config(Choices choices) {
    int minDatagram = choices.between(150, 576);
    int initialDatagram = minDatagram + choices.below(700);
    int maxConnections = choices.between(2, 12);
    List<String> controllers = CongestionControllers.names().stream().sorted().toList();
    return LedbatConfig.defaults().toBuilder()
        .controller(controllers.get(choices.below(256) % controllers.size()))
        .receiveBufferBytes(1 << choices.between(12, 17))
        .sendBufferBytes(1 << choices.between(12, 17))
        .maxBufferedBytes(1L << choices.between(16, 20))
        .minDatagramBytes(minDatagram)
        .initialDatagramBytes(initialDatagram)
        .maxDatagramBytes(initialDatagram + choices.below(250))
        .maxConnections(maxConnections)
        .maxHalfOpen(choices.between(1, Math.min(4, maxConnections)))
        .keepaliveMicros(choices.between(1, 29) * SECOND)
        .giveUpMicros(choices.between(5, 90) * SECOND)
        .minRtoMicros(choices.oneIn(3) ? 50_000 : SECOND)
        .slowStart(!choices.oneIn(3))
        .build();
  }

  /** Any moment, some of them shortly before the wire's 32 bits of microseconds wrap. */
  private static long startMicros(Choices choices) {
    return choices.oneIn(2) ? (1L << 32) - choices.below(20_000_000) : choices.below(1 << 30);
  }

  /** Runs all of it. Whatever is wrong is thrown. */
  void run() {
    boolean honestEnd = choices.oneIn(2);
    while (!choices.exhausted()) {
      steps++;
      act();
      rig.cycle();
    }
    if (honestEnd) {
      new Ending(rig).everyPeerTurnsHonest();
    } else {
      new Ending(rig).everyPeerFallsSilent();
    }
    rig.close();
  }

  private void act() {
    int action = choices.below(64);
    if (action < 10) {
      passTime();
    } else if (action < 16) {
      open();
    } else if (action < 30) {
      application();
    } else if (rig.peers.isEmpty()) {
      open();
    } else {
      ModelPeer peer = rig.peers.get(choices.below(rig.peers.size()));
      if (action < 42) {
        data(peer);
      } else if (action < 52) {
        state(peer);
      } else if (action < 59) {
        forge(peer);
      } else {
        replay(peer);
      }
    }
  }

  // ---- time

  private void passTime() {
    switch (choices.below(8)) {
      case 0 -> rig.advance(choices.below(1_000));
      case 1, 2 -> rig.advance(choices.below(50_000));
      case 3 -> rig.advance(choices.below(3) * SECOND);
      case 4, 5 -> rig.sleep(rig.nowMicros + 10 * SECOND);
      case 6 -> {
        for (int i = choices.below(8); i > 0; i--) {
          rig.sleep(rig.nowMicros + 60 * SECOND);
        }
      }
      default -> {
        if (choices.oneIn(8)) {
          // The machine was suspended: no deadline was handled meanwhile.
          rig.nowMicros += choices.below(2_000) * SECOND;
        }
      }
    }
  }

  // ---- connections

  private void open() {
    InetSocketAddress address = ADDRESSES[choices.below(ADDRESSES.length)];
    boolean saysEbb = choices.oneIn(2);
    if (rig.peers.size() >= MAX_OPEN || choices.oneIn(4)) {
      forgetHalfOpen();
      return;
    }
    if (choices.oneIn(3)) {
      rig.connect(address, seqNr(), saysEbb, ++salt);
      return;
    }
    nextSynId += 2; // Never one of an earlier connection that Ebb may still remember.
    int synId = nextSynId & 0xffff;
    if (!rig.usesIds(address, synId)) {
      ModelPeer peer = ModelPeer.initiator(address, synId, seqNr(), saysEbb, ++salt);
      rig.peers.add(peer);
      begin();
      peer.writeSyn(header(), out, writer);
      send(address);
    }
  }

  /** Sequence numbers, often shortly before they wrap. */
  private int seqNr() {
    return choices.oneIn(2) ? (0x10000 - choices.below(40)) & 0xffff : choices.below(0x10000);
  }

  private void forgetHalfOpen() {
    for (ModelPeer peer : rig.peers) {
      if (peer.app == null) {
        rig.peers.remove(peer);
        return;
      }
    }
  }

  // ---- applications

  private void application() {
    if (rig.apps.isEmpty()) {
      return;
    }
    ModelApp app = rig.apps.get(choices.below(rig.apps.size()));
    switch (choices.below(16)) {
      case 0, 1, 2, 3 -> app.write(choices.below(20_000));
      case 4, 5 -> app.write(choices.below(200));
      case 6, 7 -> app.read(choices.below(5_000));
      case 8 -> app.readAll();
      case 9 -> app.reading = !app.reading;
      case 10 -> {
        if (choices.oneIn(3)) {
          app.finish();
        }
      }
      case 11 -> {
        if (choices.oneIn(8)) {
          app.abort();
        }
      }
      case 12 -> app.connection.setTargetDelayMicros(choices.between(1, 100_000));
      case 13 -> app.connection.setMaxRateBytesPerSecond(choices.below(1 << 20));
      case 14 ->
          rig.endpoint.onTooLarge(
              app.connection.remote(), choices.below(MAX_DATAGRAM_BYTES), rig.nowMicros);
      default -> {
        if (choices.oneIn(8)) {
          rig.endpoint.onUnreachable(app.connection.remote(), rig.nowMicros);
        }
      }
    }
  }

  // ---- what peers send

  private void data(ModelPeer peer) {
    if (!peer.introduced || !peer.knowsEbb()) {
      state(peer);
      return;
    }
    switch (choices.below(8)) {
      case 0, 1, 2, 3 -> { // The next packets in order.
        for (int i = choices.between(1, 4); i > 0; i--) {
          if (peer.sent == peer.sendable()) {
            peer.cut(choices.oneIn(4) ? choices.below(4) : choices.below(1_400));
          }
          sendPacket(peer, Math.min(peer.sent, peer.sendable() - 1));
        }
      }
      case 4, 5 -> { // Out of order.
        for (int i = choices.below(12); i > 0; i--) {
          peer.cut(choices.below(1_400));
        }
        int from = peer.ackedByEbb();
        if (from < peer.sendable()) {
          sendPacket(peer, from + choices.below(peer.sendable() - from));
        }
      }
      case 6 -> { // Again.
        if (peer.sendable() > 0) {
          sendPacket(peer, choices.below(peer.sendable()));
        }
      }
      default -> {
        if (choices.oneIn(4)) {
          peer.end();
          sendPacket(peer, peer.sendable() - 1);
        }
      }
    }
  }

  private void sendPacket(ModelPeer peer, int index) {
    if (index >= 0 && index < peer.sendable()) {
      begin();
      peer.writePacket(index, header(), out, writer);
      send(peer.address);
    }
  }

  private void state(ModelPeer peer) {
    begin();
    if (peer.awaitsSynAck() || (peer.ebbInitiates && choices.oneIn(16))) {
      if (peer.knowsEbb()) {
        peer.writeSynAck(header(), out, writer);
        send(peer.address);
      }
    } else if (!peer.ebbInitiates && (peer.app == null || choices.oneIn(16)) && choices.oneIn(2)) {
      peer.writeSyn(header(), out, writer);
      send(peer.address);
    } else {
      if (choices.oneIn(2)) {
        peer.receiveAll();
      }
      peer.writeState(header(), out, writer);
      send(peer.address);
    }
  }

  /** Timestamps of a peer whose clock is sane, mostly, and a window that is open, mostly. */
  private PacketHeader header() {
    int now = (int) rig.nowMicros;
    int timestamp = choices.oneIn(8) ? choices.below(Integer.MAX_VALUE) : now - 10_000;
    int difference =
        switch (choices.below(8)) {
          case 0 -> 0;
          case 1 -> Integer.MAX_VALUE;
          case 2 -> choices.below(Integer.MAX_VALUE) * 2;
          default -> 10_000 + choices.below(150_000);
        };
    long window =
        switch (choices.below(12)) {
          case 0 -> 0;
          case 1 -> 1;
          case 2 -> choices.below(3_000);
          case 3 -> 0xffff_ffffL;
          default -> 1 << 20;
        };
    return new PacketHeader(timestamp, difference, window);
  }

  // ---- what attackers send

  /** A packet whose fields are made up around the live ones. */
  private void forge(ModelPeer peer) {
    PacketType type = PacketType.values()[choices.below(5)];
    if (type == PacketType.ST_RESET && !choices.oneIn(4)) {
      type = PacketType.ST_STATE;
    }
    int id =
        choices.oneIn(6)
            ? choices.below(0x10000)
            : SeqNr.plus(peer.idToEbb, choices.oneIn(4) ? choices.between(-2, 2) : 0);
    int seqNr = near(peer.nextSeqNr());
    int ackNr = near(peer.ackNr());
    begin();
    header().begin(writer, out, type, id, seqNr, ackNr);
    if (choices.oneIn(3)) {
      int bytes = 4 * choices.between(1, 16);
      int at = writer.selectiveAck(bytes);
      for (int i = choices.below(32); i > 0; i--) {
        writer.setSelectiveAckBit(at, choices.below(choices.oneIn(2) ? 8 : 8 * bytes));
      }
    }
    if (choices.oneIn(8)) {
      writer.padding(2 + choices.below(600));
    }
    if (choices.oneIn(8)) {
      writer.closeReason(choices.below(20));
    }
    for (int i = choices.oneIn(3) ? choices.below(600) : 0; i > 0; i--) {
      out.put((byte) i);
    }
    sendIfHonest(choices.oneIn(16) ? STRANGER : peer.address);
  }

  private int near(int live) {
    return switch (choices.below(6)) {
      case 0 -> choices.below(0x10000);
      case 1, 2 -> SeqNr.plus(live, choices.between(-4, 8));
      case 3 -> SeqNr.plus(live, choices.between(-1_100, 1_100));
      default -> live;
    };
  }

  /** Something that was on the wire before: as it was, mutated, or thrown back at Ebb. */
  private void replay(ModelPeer peer) {
    byte[] reflected = rig.lastFromEbb();
    begin();
    InetSocketAddress from = heldFrom;
    if (reflected != null && choices.oneIn(4)) {
      out.put(reflected);
      from = peer.address;
    } else {
      out.put(held.array(), 0, held.limit());
    }
    for (int i = choices.below(4); i > 0 && out.position() > 0; i--) {
      int at = choices.below(Math.min(out.position(), choices.oneIn(3) ? 1_400 : 40));
      out.put(at, (byte) (choices.oneIn(2) ? choices.below(10) : choices.below(256)));
    }
    if (choices.oneIn(8)) {
      out.position(choices.below(out.position() + 1));
    }
    sendIfHonest(choices.oneIn(16) ? STRANGER : from);
  }

  private void begin() {
    out.clear();
  }

  /** Sends unless it lies about a stream. */
  private void sendIfHonest(InetSocketAddress from) {
    if (packet.decode(out, 0, out.position()) == null) {
      if (packet.type() == PacketType.ST_SYN) {
        send(STRANGER); // So that no model ever meets a connection that it does not know.
        return;
      }
      ModelPeer peer = rig.ofIncoming(from, packet.connectionId());
      if (peer != null && peer.isDishonest(packet, out.array())) {
        return;
      }
    }
    send(from);
  }

  /** Sends what was written, once or twice, or holds it back for later. */
  private void send(InetSocketAddress from) {
    int length = out.position();
    if (length <= MAX_DATAGRAM_BYTES && choices.oneIn(8)) {
      held.clear();
      held.put(out.array(), 0, length).flip();
      heldFrom = from;
      if (choices.oneIn(3)) {
        return;
      }
    }
    out.flip();
    if (length > 0 && choices.oneIn(16)) {
      out.limit(2 * length);
      out.put(length, out.array(), 0, length);
    }
    rig.receive(from, out, Math.max(1, length));
    if (choices.oneIn(2)) {
      rig.cycle();
    }
  }
}
