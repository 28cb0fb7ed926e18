package ebb.ledbat.kompics;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.io.Serial;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.netty.NettyNetwork;

/**
 * NettyNetwork's list of messages by TCP whose delivery is awaited, with a memory for
 * acknowledgements that come too early, and an end for messages whose connection has ended.
 *
 * <p>NettyNetwork 1.2.1 enters a message when it hears that the message was written. The peer's
 * acknowledgement comes on another thread and can be faster; then NettyNetwork finds no such
 * message, forgets the acknowledgement, and never tells of the delivery. It keeps what was written
 * to a connection that broke for ever. There is no way in but by reflection.
 *
 * <p>Thread-safe. Only what NettyNetwork does to its list is served: {@code put}, {@code remove}
 * and {@code clear}.
 */
final class TcpDeliveries extends ConcurrentHashMap<UUID, MessageNotify.Req> {
  @Serial private static final long serialVersionUID = 1L;

  /** Anybody can send acknowledgements; the oldest are dropped. */
  private static final int MAX_EARLY = 1_000;

  /** What becomes of a message. */
  interface Listener {
    /**
     * It was delivered, or its connection ended first.
     *
     * @param success whether it was delivered
     */
    void onDelivery(MessageNotify.Req request, boolean success);
  }

  private final transient Listener listener;
  private final transient Map<UUID, Boolean> early =
      new LinkedHashMap<>() {
        @Serial private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
          return size() > MAX_EARLY;
        }
      };

  /**
   * @param listener told of what NettyNetwork does not tell: of a delivery after NettyNetwork has
   *     told that the message was sent
   */
  TcpDeliveries(Listener listener) {
    this.listener = listener;
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

  /** Whether as many wait for an acknowledgement as may. */
  boolean isFull() {
    return size() >= UdpMessages.MAX_UNACKNOWLEDGED;
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
      listener.onDelivery(request, true);
    } else {
      loop.execute(() -> listener.onDelivery(request, true));
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

  /** The last connection to this peer has ended. */
  void onDropped(Address peer) {
    failAll(request -> request.msg.getHeader().getDestination().sameHostAs(peer));
  }

  /** All connections end, as NettyNetwork does. */
  @Override
  public void clear() {
    failAll(request -> true);
  }

  private void failAll(Predicate<MessageNotify.Req> ended) {
    for (Map.Entry<UUID, MessageNotify.Req> waiting : entrySet()) {
      // Its acknowledgement may come at the same moment.
      if (ended.test(waiting.getValue()) && remove(waiting.getKey(), waiting.getValue())) {
        listener.onDelivery(waiting.getValue(), false);
      }
    }
  }
}
