package ebb.ledbat.kompics;

import ebb.core.kompics.EbbAddress;
import ebb.ledbat.config.LedbatConfig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.Header;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.Transport;

/** A hub on a {@link VirtualNet} whose messages are plain bytes; records all that it hears. */
final class HubNode implements MessageHub.Owner {
  record Outcome(int message, String what) {}

  final VirtualNet net;
  final InetSocketAddress address;
  final NetworkCounters counters = new NetworkCounters();
  final MessageHub hub;
  final VirtualNet.Driver driver;
  final List<byte[]> received = new ArrayList<>();
  final List<Outcome> outcomes = new ArrayList<>();
  final List<KompicsEvent> statuses = new ArrayList<>();
  final List<OutgoingMessage> messages = new ArrayList<>();
  private final Map<OutgoingMessage, Integer> numbers = new IdentityHashMap<>();
  Predicate<byte[]> decodable = bytes -> true;
  boolean decoding = true;
  private final List<Runnable> undecoded = new ArrayList<>();

  HubNode(VirtualNet net, int number, MessageConfig config) {
    // Without slow start large messages stay on their way long enough to be looked at there.
    this(
        net,
        VirtualNet.node(number),
        VirtualNet.node(number),
        config,
        LedbatConfig.defaults().toBuilder()
            .slowStart(false)
            .sendBufferBytes(4 << 20)
            .ebbOnly(true) // as LedbatNetwork has it
            .build());
  }

  /**
   * @param announced what it says its address is
   */
  HubNode(
      VirtualNet net,
      InetSocketAddress address,
      InetSocketAddress announced,
      MessageConfig config,
      LedbatConfig ledbat) {
    this.net = net;
    this.address = address;
    hub =
        new MessageHub(
            config,
            counters,
            announced,
            net.nowMicros * 31 + address.getPort(),
            () -> net.nowMicros,
            this,
            true);
    driver = net.start(address, ledbat, hub);
    driver.execute(
        (endpoint, now) -> {
          hub.dialWith(endpoint::connect);
          hub.rates().boundReceivingWith(endpoint::setReceiveMaxRateOfNewBytesPerSecond);
        });
    sweepLater();
    divideLater();
  }

  private void divideLater() {
    driver.schedule(
        EndpointRates.TICK_MICROS,
        (endpoint, now) -> {
          hub.rates().tick(now);
          divideLater();
        });
  }

  /** Sends a message of a priority; returns its number. */
  int send(InetSocketAddress to, byte[] bytes, boolean notifyOfDelivery, int priority) {
    int number = send(to, bytes, notifyOfDelivery);
    messages.get(number).priority = priority;
    return number;
  }

  private void sweepLater() {
    driver.schedule(
        hub.sweepIntervalMicros(),
        (endpoint, now) -> {
          hub.sweep(now);
          sweepLater();
        });
  }

  /** Sends without asking for an answer about delivery; returns the message's number. */
  int send(InetSocketAddress to, byte[] bytes) {
    return send(to, bytes, false);
  }

  int send(InetSocketAddress to, byte[] bytes, boolean notifyOfDelivery) {
    ByteBuf frame = Unpooled.buffer(OutgoingMessage.HEADROOM_BYTES + bytes.length);
    frame.writerIndex(OutgoingMessage.HEADROOM_BYTES);
    frame.writeBytes(bytes);
    MessageNotify.@Nullable Req request =
        notifyOfDelivery
            ? MessageNotify.createWithDeliveryNotification(new Dummy(EbbAddress.of(to)))
            : null;
    OutgoingMessage message = OutgoingMessage.of(EbbAddress.of(to), frame, request);
    numbers.put(message, messages.size());
    messages.add(message);
    driver.execute((endpoint, now) -> hub.send(List.of(message), now));
    return messages.size() - 1;
  }

  List<String> outcomesOf(int message) {
    return outcomes.stream().filter(o -> o.message == message).map(Outcome::what).toList();
  }

  /** Lets received messages through again that were held back while {@link #decoding} was off. */
  void decodeAll() {
    decoding = true;
    List<Runnable> waiting = new ArrayList<>(undecoded);
    undecoded.clear();
    waiting.forEach(Runnable::run);
  }

  @Override
  public void deliver(MessageSession session, List<IncomingMessage> arrived) {
    Runnable decode =
        () -> {
          Set<Integer> refused = new HashSet<>();
          for (IncomingMessage message : arrived) {
            ByteBuf payload = message.payload();
            byte[] bytes = new byte[payload.readableBytes()];
            payload.readBytes(bytes);
            if (decodable.test(bytes)) {
              received.add(bytes);
            } else {
              refused.add(message.deliveryId());
            }
          }
          driver.execute((endpoint, now) -> session.decoded(arrived, refused, now));
        };
    if (decoding) {
      decode.run();
    } else {
      undecoded.add(decode);
    }
  }

  @Override
  public void sent(OutgoingMessage message) {
    outcomes.add(new Outcome(numbers.get(message), "sent"));
  }

  @Override
  public void answered(OutgoingMessage message, boolean delivered) {
    outcomes.add(new Outcome(numbers.get(message), delivered ? "delivered" : "refused"));
  }

  @Override
  public void failed(OutgoingMessage message, String reason) {
    outcomes.add(new Outcome(numbers.get(message), "failed"));
  }

  @Override
  public void indicate(KompicsEvent status) {
    statuses.add(status);
  }

  private record Dummy(Address to) implements Msg<Address, Header<Address>> {
    @Override
    public Header<Address> getHeader() {
      throw new UnsupportedOperationException();
    }

    @Deprecated
    @Override
    public Address getSource() {
      throw new UnsupportedOperationException();
    }

    @Deprecated
    @Override
    public Address getDestination() {
      return to;
    }

    @Deprecated
    @Override
    public Transport getProtocol() {
      return Transport.LEDBAT;
    }
  }
}
