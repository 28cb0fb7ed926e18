package ebb.example.bittorrent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * BEP 3 with one peer, without a network: takes bytes that came and gives bytes to send when there
 * is room for them, so nothing piles up for a peer that does not read. What is kept for a peer is
 * bounded by the constants here and by one bit or number for each piece.
 */
final class PeerSession {
  /** Keeps 40 MB/s going at 100 ms: 4 MiB on the way. */
  static final int MAX_OUTSTANDING_REQUESTS = 256;

  /** Pieces being fetched may take this much, or one piece more. */
  static final int MAX_FETCHING_BYTES = 8 << 20;

  /** More requests than this of a peer that does not take the answers end the connection. */
  static final int MAX_QUEUED_REQUESTS = 4_096;

  /** What was begun waits so long for a peer that has stopped serving, before others fetch it. */
  private static final int MAX_CHOKED_TICKS = 3;

  private final Torrent torrent;
  private final Metainfo metainfo;
  private final byte[] ownId;
  private final boolean opened;
  private final MessageDecoder decoder;
  private final ByteBuffer handshake = ByteBuffer.allocate(Handshake.BYTES);
  private boolean begun;
  private boolean anyMessage;

  private final BitSet peerHas = new BitSet();
  // "Connections start out choked and not interested."
  private boolean choking = true;
  private boolean choked = true;
  private boolean interested;
  private boolean keepAliveDue;
  private int chokedTicks;
  private long givenBytes;
  private long takenBytes;

  private final Map<Integer, PieceFetch> fetches = new LinkedHashMap<>();
  private int outstanding;
  private int fetchingBytes;
  private final Set<Block> asked = new LinkedHashSet<>();

  private final ArrayDeque<PeerMessage> control = new ArrayDeque<>();
  private final ArrayDeque<Integer> haves = new ArrayDeque<>();
  private @Nullable ByteBuffer sending;

  /**
   * @param opened whether this side opened the connection and so sends its handshake first
   */
  PeerSession(Torrent torrent, byte[] ownId, boolean opened) {
    this.torrent = torrent;
    metainfo = torrent.metainfo();
    this.ownId = ownId;
    this.opened = opened;
    decoder = new MessageDecoder(metainfo.pieceCount());
    if (opened) {
      sending = Handshake.encode(metainfo, ownId);
    }
  }

  /** Whether the peer's handshake was right. */
  boolean hasBegun() {
    return begun;
  }

  /** Whether both sides have everything, so that there is nothing left to say. */
  boolean isRedundant() {
    return begun && torrent.store().isComplete() && peerHas.cardinality() == metainfo.pieceCount();
  }

  /** Handles what came; {@code in} is empty afterwards. */
  void receive(ByteBuffer in) throws ProtocolException, IOException {
    if (!begun) {
      MessageDecoder.move(in, handshake);
      if (handshake.hasRemaining()) {
        return;
      }
      begin(Handshake.decode(handshake.flip(), metainfo));
    }
    for (PeerMessage message = decoder.next(in); message != null; message = decoder.next(in)) {
      if (message != PeerMessage.Plain.KEEP_ALIVE) {
        handle(message);
        anyMessage |= !(message instanceof PeerMessage.Unknown);
      }
    }
  }

  private void begin(byte[] peerId) throws ProtocolException {
    if (Arrays.equals(peerId, ownId)) {
      throw new ProtocolException("connected to itself");
    }
    begun = true;
    if (!opened) {
      sending = Handshake.encode(metainfo, ownId);
    }
    BitSet have = torrent.store().have();
    // "Downloaders which don't have anything yet may skip the 'bitfield' message."
    if (!have.isEmpty()) {
      control.add(new PeerMessage.Bitfield((BitSet) have.clone(), metainfo.pieceCount()));
    }
    if (Handshake.knowsExtensions(handshake)) {
      control.add(new PeerMessage.Extensions(MAX_QUEUED_REQUESTS / 2));
    }
  }

  private void handle(PeerMessage message) throws ProtocolException, IOException {
    if (message instanceof PeerMessage.Plain plain) {
      switch (plain) {
        case CHOKE -> {
          choked = true;
          chokedTicks = 0;
          fetches.values().forEach(PieceFetch::forgetRequests);
          outstanding = 0;
        }
        case UNCHOKE -> choked = false;
        case INTERESTED -> torrent.slots().want(this);
        case NOT_INTERESTED -> torrent.slots().leave(this);
        case KEEP_ALIVE -> {}
      }
    } else if (message instanceof PeerMessage.Have have) {
      checkPiece(have.piece());
      if (!peerHas.get(have.piece())) {
        peerHas.set(have.piece());
        torrent.count(have.piece(), 1);
      }
      updateInterest();
    } else if (message instanceof PeerMessage.Bitfield bitfield) {
      // "'bitfield' is only ever sent as the first message."
      if (anyMessage) {
        throw new ProtocolException("a bitfield that is not the first message");
      }
      peerHas.or(bitfield.pieces());
      peerHas.stream().forEach(piece -> torrent.count(piece, 1));
      updateInterest();
    } else if (message instanceof PeerMessage.Request request) {
      onRequest(request.block());
    } else if (message instanceof PeerMessage.Cancel cancel) {
      asked.remove(cancel.block());
    } else if (message instanceof PeerMessage.Piece piece) {
      onBlock(piece);
    }
  }

  private void checkPiece(int piece) throws ProtocolException {
    if (piece < 0 || piece >= metainfo.pieceCount()) {
      throw new ProtocolException("there is no piece " + Integer.toUnsignedLong(piece));
    }
  }

  private void updateInterest() {
    boolean now = torrent.wantsAnyOf(peerHas);
    if (now != interested) {
      interested = now;
      control.add(now ? PeerMessage.Plain.INTERESTED : PeerMessage.Plain.NOT_INTERESTED);
    }
  }

  private void onRequest(Block block) throws ProtocolException {
    checkPiece(block.piece());
    if (block.length() < 1
        || block.length() > Block.MAX_BYTES
        || block.begin() < 0
        || block.begin() > metainfo.pieceLength(block.piece()) - block.length()
        || !torrent.store().have().get(block.piece())) {
      throw new ProtocolException("a request that cannot be served: " + block);
    }
    // It may have been sent before the peer knew that it is choked.
    if (!choking) {
      asked.add(block);
      if (asked.size() > MAX_QUEUED_REQUESTS) {
        throw new ProtocolException("more than " + MAX_QUEUED_REQUESTS + " requests at once");
      }
    }
  }

  private void onBlock(PeerMessage.Piece message) throws ProtocolException, IOException {
    PieceFetch fetch = fetches.get(message.block().piece());
    // Not asked for, or twice: BEP 3 has that happen when a choke crosses an answer.
    if (fetch == null) {
      return;
    }
    int before = fetch.outstanding();
    takenBytes += message.block().length();
    if (!fetch.receive(message.block(), message.bytes())) {
      throw new ProtocolException("a block that was not asked for: " + message.block());
    }
    outstanding -= before - fetch.outstanding();
    if (fetch.isComplete()) {
      forget(fetch);
      torrent.complete(fetch.piece, fetch.bytes());
    }
  }

  private void forget(PieceFetch fetch) {
    fetches.remove(fetch.piece);
    fetchingBytes -= fetch.length();
  }

  /** A piece was verified, from whichever peer. */
  void onVerified(int piece) {
    if (begun) {
      haves.add(piece);
      updateInterest();
    }
  }

  /** To be sent when there is nothing else. */
  void keepAlive() {
    keepAliveDue = begun;
  }

  /** Serves the peer, or does so no more: "When a peer is choked, requests are dropped". */
  void setChoking(boolean next) {
    if (begun && next != choking) {
      choking = next;
      asked.clear();
      control.add(next ? PeerMessage.Plain.CHOKE : PeerMessage.Plain.UNCHOKE);
    }
  }

  /**
   * What speaks for serving the peer, since this was asked last.
   *
   * @param seeding whether there is nothing to get from it
   */
  long takeMerit(boolean seeding) {
    long merit = seeding ? givenBytes : takenBytes;
    givenBytes = 0;
    takenBytes = 0;
    return merit;
  }

  /** Some seconds have passed. */
  void tick() {
    if (choked && !fetches.isEmpty() && ++chokedTicks > MAX_CHOKED_TICKS) {
      releaseFetches();
    }
  }

  /** The connection is over: others may fetch what it did not bring. */
  void close() {
    torrent.slots().leave(this);
    peerHas.stream().forEach(piece -> torrent.count(piece, -1));
    peerHas.clear();
    releaseFetches();
    asked.clear();
  }

  private void releaseFetches() {
    for (Iterator<PieceFetch> all = fetches.values().iterator(); all.hasNext(); ) {
      torrent.release(all.next().piece);
      all.remove();
    }
    outstanding = 0;
    fetchingBytes = 0;
  }

  /** At most {@code maxBytes} to send now; null when there is nothing. */
  @Nullable ByteBuffer next(int maxBytes) throws IOException {
    ByteBuffer out = null;
    while (out == null || out.hasRemaining()) {
      ByteBuffer message = sending == null ? nextMessage() : sending;
      if (message == null) {
        break;
      }
      if (out == null) {
        out = ByteBuffer.allocate(maxBytes);
      }
      MessageDecoder.move(message, out);
      sending = message.hasRemaining() ? message : null;
    }
    return out == null ? null : out.flip();
  }

  /** What is short and lets the peer go on comes before blocks. */
  private @Nullable ByteBuffer nextMessage() throws IOException {
    if (!begun) {
      return null;
    }
    PeerMessage first = control.poll();
    if (first == null && !haves.isEmpty()) {
      first = new PeerMessage.Have(haves.remove());
    }
    if (first == null) {
      Block wanted = nextRequest();
      first = wanted == null ? nextPiece() : new PeerMessage.Request(wanted);
    }
    if (first == null && keepAliveDue) {
      first = PeerMessage.Plain.KEEP_ALIVE;
    }
    keepAliveDue = false;
    return first == null ? null : first.encode();
  }

  private @Nullable Block nextRequest() {
    if (choked || !interested || outstanding >= MAX_OUTSTANDING_REQUESTS) {
      return null;
    }
    for (PieceFetch fetch : fetches.values()) {
      Block block = fetch.request();
      if (block != null) {
        outstanding++;
        return block;
      }
    }
    int piece = fetchingBytes < MAX_FETCHING_BYTES ? torrent.claim(peerHas) : -1;
    if (piece < 0) {
      return null;
    }
    PieceFetch fetch = new PieceFetch(piece, metainfo.pieceLength(piece));
    fetches.put(piece, fetch);
    fetchingBytes += fetch.length();
    outstanding++;
    return fetch.request();
  }

  private PeerMessage.@Nullable Piece nextPiece() throws IOException {
    Iterator<Block> first = asked.iterator();
    if (!first.hasNext()) {
      return null;
    }
    Block block = first.next();
    first.remove();
    givenBytes += block.length();
    return new PeerMessage.Piece(block, torrent.store().read(block));
  }
}
