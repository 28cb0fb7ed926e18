package ebb.testkit.link;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * CoDel (RFC 8289, section 5): which packets of a queue are dropped as they come to its head. It
 * owns the state of that decision; the packets are the link's.
 *
 * @param <T> a waiting packet
 */
final class Codel<T> {
  /** RFC 8289, 5.5: a queue above TARGET within 16 intervals of the last drop is the same one. */
  private static final int SAME_EPISODE_INTERVALS = 16;

  private final CodelSpec spec;
  private final int maxPacketBytes;
  private final Supplier<@Nullable T> poll;
  private final ToLongFunction<T> arrivedMicros;
  private final LongSupplier queuedBytes;
  private final Consumer<T> drop;

  private long firstAboveMicros;
  private boolean dropping;
  private long dropNextMicros;
  private long count;
  private long lastCount;

  private boolean okToDrop;

  Codel(
      CodelSpec spec,
      int maxPacketBytes,
      Supplier<@Nullable T> poll,
      ToLongFunction<T> arrivedMicros,
      LongSupplier queuedBytes,
      Consumer<T> drop) {
    this.spec = spec;
    this.maxPacketBytes = maxPacketBytes;
    this.poll = poll;
    this.arrivedMicros = arrivedMicros;
    this.queuedBytes = queuedBytes;
    this.drop = drop;
  }

  /** The next packet to send; null when none is left. RFC 8289, 5.5. */
  @Nullable T dequeue(long nowMicros) {
    T packet = take(nowMicros);
    if (dropping) {
      if (!okToDrop) {
        dropping = false;
      }
      // "A large backlog might result in drop rates so high that the next drop should happen now,
      // hence the 'while' loop."
      while (packet != null && dropping && nowMicros >= dropNextMicros) {
        drop.accept(packet);
        count++;
        packet = take(nowMicros);
        if (okToDrop) {
          dropNextMicros = controlLaw(dropNextMicros);
        } else {
          dropping = false;
        }
      }
    } else if (packet != null && okToDrop) {
      drop.accept(packet);
      packet = take(nowMicros);
      dropping = true;
      // "assume that the drop rate that controlled the queue on the last cycle is a good starting
      // point to control it now."
      long delta = count - lastCount;
      boolean sameEpisode =
          nowMicros - dropNextMicros < SAME_EPISODE_INTERVALS * spec.intervalMicros();
      count = delta > 1 && sameEpisode ? delta : 1;
      dropNextMicros = controlLaw(nowMicros);
      lastCount = count;
    }
    return packet;
  }

  /** RFC 8289, 5.4: takes a packet and says whether the queue has stood for an interval. */
  private @Nullable T take(long nowMicros) {
    T packet = poll.get();
    okToDrop = false;
    if (packet == null) {
      firstAboveMicros = 0;
      return null;
    }
    long sojournMicros = nowMicros - arrivedMicros.applyAsLong(packet);
    if (sojournMicros < spec.targetMicros() || queuedBytes.getAsLong() <= maxPacketBytes) {
      firstAboveMicros = 0;
    } else if (firstAboveMicros == 0) {
      firstAboveMicros = nowMicros + spec.intervalMicros();
    } else if (nowMicros >= firstAboveMicros) {
      okToDrop = true;
    }
    return packet;
  }

  /** RFC 8289, 5.3: "t + INTERVAL / sqrt(count)". StrictMath: the same bits everywhere. */
  private long controlLaw(long fromMicros) {
    return fromMicros + (long) (spec.intervalMicros() / StrictMath.sqrt((double) count));
  }
}
