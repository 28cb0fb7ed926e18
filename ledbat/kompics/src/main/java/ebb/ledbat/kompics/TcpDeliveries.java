package ebb.ledbat.kompics;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.io.Serial;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.netty.NettyNetwork;

/**
 * NettyNetwork's list of messages by TCP whose delivery is awaited, with a memory for
 * acknowledgements that come too early.
 *
 * <p>NettyNetwork 1.2.1 enters a message when it hears that the message was written. The peer's
 * acknowledgement comes on another thread and can be faster; then NettyNetwork finds no such
 * message, forgets the acknowledgement, and never tells of the delivery. There is no way in but by
 * reflection.
 *
 * <p>Thread-safe. Only what NettyNetwork does to its list is served: {@code put} and {@code
 * remove}.
 */
final class TcpDeliveries extends ConcurrentHashMap<UUID, MessageNotify.Req> {
  @Serial private static final long serialVersionUID = 1L;

  /** Anybody can send acknowledgements; the oldest are dropped. */
  private static final int MAX_EARLY = 1_000;

  private final transient Consumer<MessageNotify.Req> delivered;
  private final transient Map<UUID, Boolean> early =
      new LinkedHashMap<>() {
        @Serial private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
          return size() > MAX_EARLY;
        }
      };

  /**
   * @param delivered told of a message that had arrived before it was known to be written; called
   *     after NettyNetwork has told that it was sent
   */
  TcpDeliveries(Consumer<MessageNotify.Req> delivered) {
    this.delivered = delivered;
  }

  /**
   * Puts it in the place of the list of a NettyNetwork that has not sent anything yet.
   *
   * @throws ReflectiveOperationException when this is not the NettyNetwork that is known
   */
  void install(NettyNetwork network) throws ReflectiveOperationException {
    Field queues = NettyNetwork.class.getDeclaredField("messages");
    queues.setAccessible(true);
    Object manager = queues.get(network);
    Field awaiting = manager.getClass().getDeclaredField("awaitingDelivery");
    awaiting.setAccessible(true);
    awaiting.set(manager, this);
  }

  /** NettyNetwork heard that it was written, and tells so after this returns. */
  @Override
  public MessageNotify.@Nullable Req put(UUID id, MessageNotify.Req request) {
    synchronized (early) {
      if (early.remove(id) == null) {
        return super.put(id, request);
      }
    }
    EventExecutor loop = ThreadExecutorMap.currentExecutor();
    if (loop == null) {
      delivered.accept(request);
    } else {
      loop.execute(() -> delivered.accept(request));
    }
    return null;
  }

  /** NettyNetwork heard the acknowledgement. */
  @Override
  public MessageNotify.@Nullable Req remove(Object id) {
    synchronized (early) {
      MessageNotify.Req request = super.remove(id);
      if (request == null && id instanceof UUID uuid) {
        early.put(uuid, true);
      }
      return request;
    }
  }
}
