package ebb.ledbat.kompics;

import ebb.ledbat.connection.LedbatConnection;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one {@link MessageSession} sends: its short frames, and between them the messages of the
 * peers that it carries, see {@link Frames}. Owns what comes next, the message that is begun, and
 * those that wait for their peer's answer. Whether messages may begin, what greets and what ends
 * the connection is the session's business. Runs in the endpoint's context.
 */
final class MessageWriter {
  /** So many messages of a higher priority go first, then one of the lowest that waits. */
  private static final int MAX_OVERTAKING = 16;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Consumer<OutgoingMessage> sent;
  private final ArrayDeque<ByteBuffer> shortFrames = new ArrayDeque<>();
  private final Map<Integer, OutgoingMessage> awaitingAnswer = new LinkedHashMap<>();

  /** Whose messages are sent, the highest priority first; none while nothing but frames is. */
  private final List<MessagePeer> peers = new ArrayList<>(1);

  /** How many messages in a row went before others that wait. */
  private int overtaking;

  private @Nullable OutgoingMessage current;
  private int currentId;
  private int lastDeliveryId;

  /** Of what is begun, the part that the connection has not taken. */
  private ByteBuffer piece = NOTHING;

  private long outputMicros;

  /**
   * @param sent hears of each message that the connection has taken whole
   */
  MessageWriter(Consumer<OutgoingMessage> sent) {
    this.sent = sent;
  }

  void carryFor(MessagePeer peer) {
    if (!peers.contains(peer)) {
      peers.add(peer);
      peers.sort(Comparator.comparingInt((MessagePeer p) -> p.priority).reversed());
    }
  }

  /** Whose messages it carries. */
  List<MessagePeer> peers() {
    return peers;
  }

  /** Adds a short frame, or several in one; {@link #write} sends it before anything else. */
  void add(ByteBuffer frame) {
    shortFrames.add(frame);
  }

  /** Those that were added and not begun. */
  int unsentFrames() {
    return shortFrames.size();
  }

  /** Whether no message waits, is begun or is unanswered. */
  boolean isIdle() {
    return current == null
        && awaitingAnswer.isEmpty()
        && peers.stream().allMatch(peer -> peer.queue.isEmpty());
  }

  /** Whether the connection has all frames, and all of each message that was begun. */
  boolean isFlushed() {
    return shortFrames.isEmpty() && current == null && !piece.hasRemaining();
  }

  boolean awaitsAnswers() {
    return !awaitingAnswer.isEmpty();
  }

  /** Whether there is something to send of which the connection took nothing for so long. */
  boolean isStuck(long nowMicros, long limitMicros) {
    return piece.hasRemaining() && nowMicros - outputMicros >= limitMicros;
  }

  /**
   * Writes what the connection takes.
   *
   * @param mayBegin whether messages that wait may begin; what is begun goes on in any case
   * @return whether the connection took anything
   */
  boolean write(LedbatConnection out, boolean mayBegin, long nowMicros) {
    boolean progress = false;
    while (piece.hasRemaining() || takeNext(mayBegin, nowMicros)) {
      if (writePiece(out, nowMicros) > 0) {
        progress = true;
        outputMicros = nowMicros;
      }
      if (piece.hasRemaining()) {
        break; // onWritable goes on
      }
    }
    return progress;
  }

  private boolean takeNext(boolean mayBegin, long nowMicros) {
    ByteBuffer next = nextPiece(mayBegin);
    piece = next == null ? NOTHING : next;
    if (next != null) {
      outputMicros = nowMicros;
    }
    return next != null;
  }

  private int writePiece(LedbatConnection out, long nowMicros) {
    OutgoingMessage message = current;
    return message != null && message.isShared()
        ? out.writeShared(piece, nowMicros)
        : out.write(piece, nowMicros);
  }

  private @Nullable ByteBuffer nextPiece(boolean mayBegin) {
    ByteBuffer frame = shortFrames.poll();
    if (frame != null) {
      return frame;
    }
    OutgoingMessage message = current;
    if (message != null) {
      ByteBuffer segment = message.nextPiece(currentId);
      if (segment != null) {
        return segment;
      }
      current = null;
      message.release();
      if (message.wantsDelivery()) {
        awaitingAnswer.put(currentId, message);
      }
      sent.accept(message);
    }
    OutgoingMessage first = mayBegin ? nextMessage() : null;
    if (first == null) {
      return null;
    }
    current = first;
    currentId = first.wantsDelivery() ? nextDeliveryId() : 0;
    return first.nextPiece(currentId);
  }

  /** Of the highest priority, but now and then of another that waits. */
  private @Nullable OutgoingMessage nextMessage() {
    MessagePeer chosen = null;
    boolean othersWait = false;
    for (MessagePeer peer : peers) {
      if (peer.queue.isEmpty()) {
        continue;
      }
      othersWait |= chosen != null;
      if (chosen == null || overtaking >= MAX_OVERTAKING) {
        chosen = peer;
      }
    }
    overtaking = othersWait && overtaking < MAX_OVERTAKING ? overtaking + 1 : 0;
    return chosen == null ? null : chosen.queue.poll();
  }

  private int nextDeliveryId() {
    do {
      lastDeliveryId++;
    } while (lastDeliveryId == 0 || awaitingAnswer.containsKey(lastDeliveryId));
    return lastDeliveryId;
  }

  /** The peer has answered; returns the message, null for an id that was never given. */
  @Nullable OutgoingMessage answered(int deliveryId) {
    return awaitingAnswer.remove(deliveryId);
  }

  /** Sends no more; returns what was begun or unanswered, in the order in which it was begun. */
  List<OutgoingMessage> close() {
    List<OutgoingMessage> lost = new ArrayList<>(awaitingAnswer.values());
    if (current != null) {
      lost.add(current);
    }
    awaitingAnswer.clear();
    current = null;
    piece = NOTHING;
    shortFrames.clear();
    return lost;
  }
}
