package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.Timers.Timer;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;

/**
 * The packets that open a connection, and the last one of one that is finished: the initiator's SYN
 * until it is answered or given up, the acceptor's answer once for every SYN, an Ebb's goodbye. It
 * also judges whether the initiator is where it says. What follows from an answer is the
 * connection's.
 *
 * <p>An Ebb's SYN has room for 64 bits, which the acceptor fills in its answer and the initiator
 * repeats in every packet until the acceptor has sent another. Who cannot read what is sent to an
 * address has to guess them. Other uTP programs can only repeat the 16 bits of the first seq_nr in
 * their ack_nr.
 */
final class Handshake {
  /** Extension bits that say "this is Ebb, version 2"; other peers ignore them. */
  static final long EBB_EXTENSION_BITS = 0x4542_4202_0000_0000L;

  /** The first three bytes name Ebb, the fourth is a version. */
  private static final long EBB_EXTENSION_MASK = 0xffff_ff00_0000_0000L;

  /** A peer that cannot read extensions gets plain SYNs after these. */
  private static final int SYNS_WITH_EXTENSION = 2;

  /** In the close reason of a goodbye. */
  private static final int FINISHED = 1;

  /** More than an honest initiator sends by mistake, few of 65,536. */
  private static final int MAX_WRONG_PROOFS = 3;

  private final ConnectionIds ids;
  private final PacketHeaders headers;
  private final Timers timers;
  private final long startedMicros;
  private final long giveUpMicros;
  private final boolean ebbOnly;
  private final long proof;
  private long retryMicros;
  private int tries;
  private boolean due = true;
  private boolean peerIsEbb;
  private boolean answerWithBits;
  private boolean answerWithProof;
  private boolean goodbyeDue;
  private int wrongProofs;

  /**
   * @param proof of an acceptor: 64 random bits for the initiator to repeat
   */
  Handshake(
      ConnectionIds ids,
      PacketHeaders headers,
      Timers timers,
      LedbatConfig config,
      long proof,
      long nowMicros) {
    this.ids = ids;
    this.headers = headers;
    this.timers = timers;
    startedMicros = nowMicros;
    ebbOnly = config.ebbOnly();
    this.proof = proof;
    giveUpMicros = nowMicros + config.connectTimeoutMicros();
    retryMicros = config.initialRtoMicros();
    timers.set(Timer.HANDSHAKE, giveUpMicros);
  }

  /**
   * Whether {@code packet} answers our SYN.
   *
   * <p>BEP 29, type: "The other end expects an ST_STATE packet (only an ACK) in response."
   */
  static boolean isAnswer(Packet packet, ConnectionIds ids) {
    return packet.type() == PacketType.ST_STATE && packet.ackNr() == ids.synSeqNr();
  }

  /** Reads who the peer is from its packet of the handshake. */
  void onPeerPacket(Packet packet) {
    // An answer is no larger than the SYN that it answers, or a forged plain SYN after one with
    // the extension would make the acceptor amplify.
    answerWithBits = isEbb(packet);
    answerWithProof = answerWithBits && packet.hasProof();
    peerIsEbb |= answerWithBits;
  }

  /**
   * The initiator asks for the answer again.
   *
   * @return false when it may not have it
   */
  boolean onRepeatedSyn(Packet syn) {
    if (ebbOnly && !asksForProof(syn)) {
      return false;
    }
    onPeerPacket(syn);
    due = true;
    return true;
  }

  /** Whether a SYN comes from a peer that is going to prove its address by 64 bits. */
  static boolean asksForProof(Packet syn) {
    return isEbb(syn) && syn.hasProof();
  }

  private static boolean isEbb(Packet packet) {
    return packet.hasExtensionBits()
        && ((packet.extensionBits() ^ EBB_EXTENSION_BITS) & EBB_EXTENSION_MASK) == 0;
  }

  /**
   * Whether a packet with the right ack_nr, or not, proves that the initiator has seen our answer.
   * Who said in the last SYN that it is an Ebb has to show the 64 bits.
   */
  boolean isProof(Packet packet, boolean rightAckNr) {
    boolean wrongBits = packet.hasProof() && packet.proof() != proof;
    if (!rightAckNr || wrongBits) {
      wrongProofs++;
      return false;
    }
    return packet.hasProof() || !answerWithProof;
  }

  /** Whether somebody guesses. */
  boolean isGuessed() {
    return wrongProofs >= MAX_WRONG_PROOFS;
  }

  boolean peerIsEbb() {
    return peerIsEbb;
  }

  /** The connection is established; nothing is left to repeat but what the peer asks for. */
  void onDone() {
    due = false;
    timers.cancel(Timer.HANDSHAKE);
  }

  /** The peer may not have seen our proof: it is to be sent again after a while. */
  void awaitProofSeen(long nowMicros) {
    timers.set(Timer.HANDSHAKE, nowMicros + retryMicros);
    retryMicros *= 2;
  }

  /** An Ebb is to be told that this side is done, so that it need not wait for more of us. */
  void requestGoodbye() {
    goodbyeDue = peerIsEbb;
  }

  boolean isGoodbyeDue() {
    return goodbyeDue;
  }

  /** Makes a packet that goes out after the end a goodbye. */
  void addGoodbye(PacketWriter writer) {
    goodbyeDue = false;
    if (peerIsEbb) {
      writer.closeReason(FINISHED);
    }
  }

  /** Whether the peer is an Ebb that says that it is done. */
  boolean isGoodbye(Packet packet) {
    return peerIsEbb && packet.closeReason() == FINISHED;
  }

  /** Our packet has to go out (again). */
  void request() {
    due = true;
  }

  boolean isDue() {
    return due;
  }

  boolean isTimedOut(long nowMicros) {
    return nowMicros >= giveUpMicros;
  }

  /** The round trip of an answered SYN, 0 when it is not known which SYN was answered. */
  long rttMicros(long nowMicros) {
    return tries == 1 ? Math.max(1, nowMicros - startedMicros) : 0;
  }

  /** Writes the packet that is due. */
  void write(Burst burst, Receiver receiver, long nowMicros) {
    due = false;
    int start = burst.buffer().position();
    PacketWriter writer;
    boolean withBits;
    if (ids.initiator()) {
      tries++;
      // RFC 6298, 5.5 to 5.7 for a SYN as for data: the timer doubles.
      timers.set(Timer.HANDSHAKE, Math.min(nowMicros + retryMicros, giveUpMicros));
      retryMicros *= 2;
      withBits = ebbOnly || tries <= SYNS_WITH_EXTENSION;
      writer =
          headers.begin(
              burst.buffer(), PacketType.ST_SYN, ids.receiveId(), ids.synSeqNr(), 0, nowMicros);
    } else {
      withBits = answerWithBits;
      writer =
          headers.begin(
              burst.buffer(),
              PacketType.ST_STATE,
              ids.sendId(),
              ids.firstSeqNr(),
              receiver.ackNr(),
              nowMicros);
    }
    if (withBits) {
      writer.extensionBits(EBB_EXTENSION_BITS);
      if (ids.initiator()) {
        writer.proof(0); // Room for the answer's, which may not be larger.
      } else if (answerWithProof) {
        writer.proof(proof);
      }
    }
    burst.added(burst.buffer().position() - start, false);
  }
}
