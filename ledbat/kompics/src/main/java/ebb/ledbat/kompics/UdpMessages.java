package ebb.ledbat.kompics;

import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.SerializationFailure;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.kompics.UdpCounters.Event;
import ebb.ledbat.netty.ForeignDatagramHandler;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.WarningLimiter;
import ebb.ledbat.secure.DatagramSeal;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Msg;

/**
 * Messages by UDP on a socket that belongs to LEDBAT: one datagram each, sent once, in no order.
 * Owns their framing, the acknowledgements that delivery notifications need, and the queue between
 * the socket's thread and the component. Does not own the socket, and does not decide what goes by
 * UDP.
 *
 * <p>{@link #onDatagram} runs on the socket's thread, {@link #send} and {@link #drain} on the
 * component's; answers come from either.
 */
final class UdpMessages implements ForeignDatagramHandler {
  /** The largest message, as its serializer writes it. */
  static final int MAX_MESSAGE_BYTES = UdpFrames.MAX_DATAGRAM_BYTES - UdpFrames.OVERHEAD_BYTES;

  static final long ACKNOWLEDGEMENT_TIMEOUT_MICROS = 3_000_000;

  /** So many messages may wait for an acknowledgement by UDP, and as many by TCP. */
  static final int MAX_UNACKNOWLEDGED = 10_000;

  /** Why one more is refused. */
  static final String TOO_MANY_UNACKNOWLEDGED = "too many messages wait for their acknowledgement";

  private static final long SWEEP_MICROS = 500_000;
  private static final long RESUME_MICROS = 1_000;
  private static final int MAX_ARRIVED_BYTES = 8 << 20;
  private static final int ARRIVED_OVERHEAD_BYTES = 128;
  private static final int MAX_AT_ONCE = 256;

  /** What the component does for it. Thread-safe. */
  interface Owner {
    /** Calls {@link #drain} on the component's thread, soon. */
    void wake();

    /** Whether those who handle messages have too much to do to be given more. */
    boolean isBehind();

    void deliver(Msg<?, ?> message);

    /** A datagram of the application's own. */
    void deliverDatagram(InetSocketAddress from, ByteBuffer bytes);
  }

  /** One that waits: a message, or with no head a datagram of the application's own. */
  private record Arrived(InetSocketAddress from, UdpFrames.@Nullable Head head, ByteBuf message) {
    int costBytes() {
      return message.readableBytes() + ARRIVED_OVERHEAD_BYTES;
    }
  }

  /** A message sent whose acknowledgement was asked for. */
  private static final class Unacknowledged {
    final MessageNotify.Req request;
    final InetSocketAddress destination;
    final long deadlineMicros;
    boolean sent;
    boolean acknowledged;
    boolean givenUp;

    Unacknowledged(MessageNotify.Req request, InetSocketAddress destination, long deadlineMicros) {
      this.request = request;
      this.destination = destination;
      this.deadlineMicros = deadlineMicros;
    }
  }

  private final Owner owner;
  private final MessageAnswers answers;
  private final UdpCounters counters;

  /** Sealing is for the component's thread, opening for the socket's. */
  private final @Nullable DatagramSeal seal;

  private final WarningLimiter warnings;
  private final ConcurrentLinkedQueue<Arrived> arrived = new ConcurrentLinkedQueue<>();
  private final AtomicInteger arrivedBytes = new AtomicInteger();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final Map<UUID, Unacknowledged> unacknowledged = new ConcurrentHashMap<>();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private final AtomicLong lastNowMicros = new AtomicLong();
  private volatile @Nullable NettyDriver driver;
  private int likelyBytes = 512;

  /**
   * @param seal protects all messages; null for none
   */
  UdpMessages(
      Owner owner,
      MessageAnswers answers,
      UdpCounters counters,
      @Nullable DatagramSeal seal,
      Logger log) {
    this.owner = owner;
    this.answers = answers;
    this.seal = seal;
    this.counters = counters;
    this.warnings = new WarningLimiter(log);
  }

  /** From here on there is a socket. */
  void attach(NettyDriver started) {
    driver = started;
  }

  // ---- Sending

  /**
   * Sends a message; every outcome but an immediate refusal is answered later.
   *
   * @param own whether it comes from this node and is not passed on
   * @return why it was refused, one line, in which case nothing was answered; null otherwise
   */
  @Nullable String send(
      Msg<?, ?> message,
      boolean own,
      InetSocketAddress destination,
      MessageNotify.@Nullable Req request) {
    NettyDriver current = driver;
    if (current == null) {
      return "the network is closed";
    }
    boolean delivery = request != null && request.notifyOfDelivery;
    if (delivery && unacknowledged.size() >= MAX_UNACKNOWLEDGED) {
      return TOO_MANY_UNACKNOWLEDGED;
    }
    long startNanos = System.nanoTime();
    UUID id = delivery && request != null ? request.getMsgId() : null;
    ByteBuf datagram =
        PooledByteBufAllocator.DEFAULT.ioBuffer(
            likelyBytes, UdpFrames.MAX_DATAGRAM_BYTES - (seal == null ? 0 : UdpFrames.SEAL_BYTES));
    int size;
    try {
      UdpFrames.writeHead(
          new UdpFrames.Head(
              id == null ? UdpFrames.MESSAGE : UdpFrames.MESSAGE_TO_ACKNOWLEDGE, id, own),
          datagram);
      size = EbbSerializers.encode(message, datagram);
    } catch (SerializationFailure failure) {
      datagram.release();
      return String.valueOf(failure.getMessage());
    }
    likelyBytes = Math.min(UdpFrames.MAX_DATAGRAM_BYTES, Math.max(64, datagram.readableBytes()));
    if (request != null) {
      request.injectSize(size, startNanos);
    }
    Unacknowledged waiting = null;
    if (request != null && id != null) {
      waiting =
          new Unacknowledged(
              request, destination, current.nowMicros() + ACKNOWLEDGEMENT_TIMEOUT_MICROS);
      unacknowledged.put(id, waiting);
      sweepLater(current);
    }
    dispatch(current, destination, sealed(datagram), request, waiting);
    return null;
  }

  /** The same datagram, protected if there are keys. */
  private ByteBuf sealed(ByteBuf frame) {
    DatagramSeal sealing = seal;
    if (sealing == null) {
      return frame;
    }
    byte[] content = new byte[frame.readableBytes()];
    frame.readBytes(content).release();
    ByteBuf out = PooledByteBufAllocator.DEFAULT.ioBuffer(content.length + UdpFrames.SEAL_BYTES);
    UdpFrames.writeSealed(sealing.seal(content), out);
    return out;
  }

  /**
   * Sends a datagram of the application's own.
   *
   * @return why it is refused, or null; what the kernel says of it later is told to {@code failed}
   */
  @Nullable String sendDatagram(InetSocketAddress to, ByteBuffer bytes, Consumer<String> failed) {
    NettyDriver current = driver;
    if (current == null) {
      return "the network is closed";
    }
    if (to.isUnresolved() || to.getPort() == 0) {
      return "no address to send to: " + to;
    }
    int length = bytes.remaining();
    if (length == 0 || length > UdpFrames.MAX_DATAGRAM_BYTES) {
      return "a datagram has 1 to %d bytes: %d".formatted(UdpFrames.MAX_DATAGRAM_BYTES, length);
    }
    byte first = bytes.get(bytes.position());
    if (LedbatEndpoint.looksLikeUtp(first) || (first & 0xff) == UdpFrames.MAGIC) {
      return "a datagram that begins with byte %02x would be taken for one of Ebb's"
          .formatted(first);
    }
    var unused =
        current
            .sendDatagram(to, Unpooled.copiedBuffer(bytes.duplicate()))
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null) {
                    failed.accept(describe(failure));
                  }
                });
    return null;
  }

  private void dispatch(
      NettyDriver current,
      InetSocketAddress destination,
      ByteBuf datagram,
      MessageNotify.@Nullable Req request,
      @Nullable Unacknowledged waiting) {
    var unused =
        current
            .sendDatagram(destination, datagram)
            .whenComplete(
                (nothing, failure) -> {
                  if (failure == null) {
                    counters.count(Event.SENT);
                    onSent(request, waiting);
                  } else {
                    counters.count(Event.FAILED);
                    onFailed(destination, request, waiting, failure);
                  }
                });
  }

  private void onSent(MessageNotify.@Nullable Req request, @Nullable Unacknowledged waiting) {
    if (waiting == null) {
      if (request != null) {
        answers.sent(request, true);
      }
      return;
    }
    // The acknowledgement may be faster than the word that the message was sent.
    synchronized (waiting) {
      if (waiting.givenUp) {
        return;
      }
      waiting.sent = true;
      answers.sent(waiting.request, true);
      if (waiting.acknowledged) {
        answers.delivered(waiting.request, true);
      }
    }
  }

  private void onFailed(
      InetSocketAddress destination,
      MessageNotify.@Nullable Req request,
      @Nullable Unacknowledged waiting,
      Throwable failure) {
    if (waiting != null && unacknowledged.remove(waiting.request.getMsgId()) == null) {
      return;
    }
    if (request != null) {
      answers.sent(request, false);
    } else {
      warnings.warn(nowMicros(), "message by UDP to {}: {}", destination, describe(failure));
    }
  }

  private void sweepLater(NettyDriver current) {
    if (sweeping.compareAndSet(false, true)) {
      current.schedule(
          SWEEP_MICROS,
          (endpoint, now) -> {
            sweeping.set(false);
            sweep(now);
            if (!unacknowledged.isEmpty()) {
              sweepLater(current);
            }
          });
    }
  }

  private void sweep(long nowMicros) {
    for (Iterator<Unacknowledged> it = unacknowledged.values().iterator(); it.hasNext(); ) {
      Unacknowledged waiting = it.next();
      if (waiting.deadlineMicros - nowMicros <= 0) {
        it.remove();
        giveUp(waiting);
      }
    }
  }

  private void giveUp(Unacknowledged waiting) {
    synchronized (waiting) {
      if (waiting.acknowledged) {
        return;
      }
      waiting.givenUp = true;
      counters.count(Event.UNACKNOWLEDGED);
      if (waiting.sent) {
        answers.delivered(waiting.request, false);
      } else {
        answers.sent(waiting.request, false);
      }
    }
  }

  // ---- Receiving

  @Override
  public void onDatagram(InetSocketAddress from, ByteBuf datagram) {
    if (!UdpFrames.isOne(datagram)) {
      enqueue(from, null, datagram);
      return;
    }
    DatagramSeal opening = seal;
    if (opening == null) {
      onFrame(from, datagram);
      return;
    }
    byte[] sealed = UdpFrames.sealed(datagram);
    byte[] content = sealed == null ? null : opening.open(sealed);
    if (content == null) {
      counters.count(Event.NOT_PROVEN);
    } else {
      onFrame(from, Unpooled.wrappedBuffer(content));
    }
  }

  private void onFrame(InetSocketAddress from, ByteBuf datagram) {
    UdpFrames.Head head = UdpFrames.readHead(datagram);
    if (head == null) {
      counters.count(Event.MALFORMED);
    } else if (head.kind() == UdpFrames.ACKNOWLEDGEMENT && head.id() != null) {
      acknowledged(from, head.id());
    } else {
      enqueue(from, head, datagram);
    }
  }

  private void acknowledged(InetSocketAddress from, UUID id) {
    Unacknowledged waiting = unacknowledged.get(id);
    // Only the one who got the message may say that it arrived.
    if (waiting == null || !waiting.destination.equals(from)) {
      return;
    }
    if (unacknowledged.remove(id) == null) {
      return;
    }
    counters.count(Event.DELIVERED);
    synchronized (waiting) {
      waiting.acknowledged = true;
      if (waiting.sent) {
        answers.delivered(waiting.request, true);
      }
    }
  }

  private void enqueue(InetSocketAddress from, UdpFrames.@Nullable Head head, ByteBuf message) {
    int cost = message.readableBytes() + ARRIVED_OVERHEAD_BYTES;
    if (arrivedBytes.addAndGet(cost) > MAX_ARRIVED_BYTES) {
      arrivedBytes.addAndGet(-cost);
      counters.count(Event.OVERFLOW);
      return;
    }
    // A copy: the datagram may be a slice of a far larger receive buffer.
    arrived.add(new Arrived(from, head, Unpooled.copiedBuffer(message)));
    wake();
  }

  private void wake() {
    if (woken.compareAndSet(false, true)) {
      owner.wake();
    }
  }

  /** Reads what has arrived; on the component's thread. */
  void drain() {
    if (owner.isBehind()) {
      NettyDriver current = driver;
      if (current != null) {
        current.schedule(RESUME_MICROS, (endpoint, now) -> owner.wake());
      }
      return; // still woken: it comes again
    }
    woken.set(false);
    for (int i = 0; i < MAX_AT_ONCE; i++) {
      Arrived next = arrived.poll();
      if (next == null) {
        return;
      }
      arrivedBytes.addAndGet(-next.costBytes());
      read(next);
    }
    wake();
  }

  private void read(Arrived next) {
    UdpFrames.Head head = next.head;
    if (head == null) {
      byte[] bytes = new byte[next.message.readableBytes()];
      next.message.readBytes(bytes).release();
      owner.deliverDatagram(next.from, ByteBuffer.wrap(bytes).asReadOnlyBuffer());
      return;
    }
    Msg<?, ?> message;
    try {
      message =
          head.own()
              ? EbbSerializers.decodeMessage(next.message, null, next.from)
              : EbbSerializers.decodeMessage(next.message);
    } catch (SerializationFailure failure) {
      counters.count(Event.UNDECODABLE);
      warnings.warn(nowMicros(), "message by UDP from {}: {}", next.from, describe(failure));
      return;
    } finally {
      next.message.release();
    }
    counters.count(Event.RECEIVED);
    owner.deliver(message);
    UUID id = head.id();
    if (id != null) {
      acknowledge(next.from, id);
    }
  }

  private void acknowledge(InetSocketAddress to, UUID id) {
    NettyDriver current = driver;
    if (current != null) {
      ByteBuf datagram = PooledByteBufAllocator.DEFAULT.ioBuffer(UdpFrames.OVERHEAD_BYTES);
      UdpFrames.writeHead(new UdpFrames.Head(UdpFrames.ACKNOWLEDGEMENT, id, false), datagram);
      var unused = current.sendDatagram(to, sealed(datagram));
    }
  }

  private static String describe(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }

  private long nowMicros() {
    NettyDriver current = driver;
    if (current != null) {
      lastNowMicros.set(current.nowMicros());
    }
    return lastNowMicros.get();
  }

  /** Answers what is unanswered; there is no socket any more. */
  void close() {
    driver = null;
    for (Iterator<Unacknowledged> it = unacknowledged.values().iterator(); it.hasNext(); ) {
      Unacknowledged waiting = it.next();
      it.remove();
      giveUp(waiting);
    }
    for (Arrived next = arrived.poll(); next != null; next = arrived.poll()) {
      arrivedBytes.addAndGet(-next.costBytes());
      next.message.release();
    }
  }
}
