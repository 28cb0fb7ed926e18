package ebb.ledbat.kompics;

import ebb.ledbat.netty.WarningLimiter;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import se.sics.kompics.ComponentProxy;
import se.sics.kompics.Negative;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.NetworkException;
import se.sics.kompics.network.Transport;

/**
 * What a network component tells those who send: answers to their requests, and at once what
 * becomes of a message that goes nowhere. Any thread.
 */
final class MessageAnswers {
  private final ComponentProxy component;
  private final Negative<Network> net;
  private final Negative<NetworkControl> control;
  private final LongSupplier nowMicros;
  private final WarningLimiter warnings;

  MessageAnswers(
      ComponentProxy component,
      Negative<Network> net,
      Negative<NetworkControl> control,
      LongSupplier nowMicros,
      Logger log) {
    this.component = component;
    this.net = net;
    this.control = control;
    this.nowMicros = nowMicros;
    warnings = new WarningLimiter(log);
  }

  /** SENT, or FAILED before it was. */
  void sent(MessageNotify.Req request, boolean success) {
    request.prepareResponse(System.currentTimeMillis(), success, System.nanoTime());
    component.answer(request);
  }

  /** DELIVERED, or FAILED after it was sent. */
  void delivered(MessageNotify.Req request, boolean success) {
    component.answer(
        request, request.deliveryResponse(System.currentTimeMillis(), success, System.nanoTime()));
  }

  /** Puts a message to this node on the port as it is. */
  void deliverLocally(Msg<?, ?> message, MessageNotify.@Nullable Req request) {
    if (request != null) {
      request.injectSize(0, System.nanoTime());
    }
    component.trigger(message, net);
    if (request != null) {
      sent(request, true);
      if (request.notifyOfDelivery) {
        delivered(request, true);
      }
    }
  }

  /** A message is not taken. */
  void reject(
      MessageNotify.@Nullable Req request,
      @Nullable Address destination,
      @Nullable Transport transport,
      String reason) {
    warnings.warn(nowMicros.getAsLong(), "message to {}: {}", String.valueOf(destination), reason);
    component.trigger(new NetworkException(reason, destination, transport), control);
    if (request != null) {
      sent(request, false);
    }
  }
}
