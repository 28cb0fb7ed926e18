package ebb.ledbat.kompics;

import ebb.ledbat.congestion.LedbatParameters;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;

/**
 * What components ask of {@link LedbatControl}: checks it, and has it done in the endpoint's
 * context. Owns who is told samples; everything else is the {@link MessageHub}'s. Requests come on
 * the component's thread.
 */
final class ControlRequests {
  private final DriverSlot driver;
  private final Supplier<@Nullable MessageHub> hub;
  private final Consumer<LedbatControl.Indication> tell;
  private volatile LedbatControl.@Nullable SampleEvery sampling;

  /**
   * @param hub null before the start and after the end
   * @param tell is called on any thread
   */
  ControlRequests(
      DriverSlot driver,
      Supplier<@Nullable MessageHub> hub,
      Consumer<LedbatControl.Indication> tell) {
    this.driver = driver;
    this.hub = hub;
    this.tell = tell;
  }

  private interface HubTask {
    /** Returns null, or why it cannot be done. */
    @Nullable String run(MessageHub hub, long nowMicros);
  }

  /** Does something in the endpoint's context; what fails there is refused. */
  private void perform(LedbatControl.Request request, HubTask task) {
    MessageHub current = hub.get();
    if (current == null) {
      refuse(request, "the network has not started, or is closed");
      return;
    }
    driver.execute(
        (endpoint, now) -> {
          String refusal;
          try {
            refusal = task.run(current, now);
          } catch (RuntimeException | Error failure) {
            refusal = String.valueOf(failure);
          }
          if (refusal != null) {
            refuse(request, refusal);
          }
        });
  }

  private void change(LedbatControl.Request request, Consumer<EndpointRates> change) {
    perform(
        request,
        (current, now) -> {
          change.accept(current.rates());
          return null;
        });
  }

  private void refuse(LedbatControl.Request request, String reason) {
    tell.accept(new LedbatControl.Refused(request, reason));
  }

  private static @Nullable InetSocketAddress socketOf(@Nullable Address peer) {
    return peer == null ? null : peer.asSocket();
  }

  // ---- Samples

  void sampleEvery(LedbatControl.SampleEvery request) {
    long interval = request.intervalMicros();
    if (interval != 0 && interval < LedbatControl.LEAST_INTERVAL_MICROS) {
      refuse(
          request,
          "an interval must be 0 or at least %d microseconds: %d"
              .formatted(LedbatControl.LEAST_INTERVAL_MICROS, interval));
      return;
    }
    sampling = request;
    perform(
        request,
        (current, now) -> {
          sampleNext(current, request);
          return null;
        });
  }

  @SuppressWarnings("ReferenceEquality") // This request, not one like it.
  private void sampleNext(MessageHub current, LedbatControl.SampleEvery request) {
    if (request.intervalMicros() > 0) {
      driver.schedule(
          request.intervalMicros(),
          (endpoint, now) -> {
            if (sampling == request) {
              tell.accept(current.samples(now));
              sampleNext(current, request);
            }
          });
    }
  }

  // ---- Rates and controllers

  void setBudget(LedbatControl.SetBudget request) {
    change(request, rates -> rates.setBudget(request.budget()));
  }

  void setClass(LedbatControl.SetClass request) {
    perform(
        request,
        (current, now) ->
            current.rates().setClass(request.peer().asSocket(), request.name())
                ? null
                : "the budget has no class \"" + request.name() + '"');
  }

  void setRates(LedbatControl.SetRates request) {
    change(request, rates -> rates.setRates(socketOf(request.peer()), request.rates()));
  }

  void setController(LedbatControl.SetController request) {
    InetSocketAddress peer = socketOf(request.peer());
    perform(
        request,
        (current, now) -> {
          current.rates().setController(peer, request.controller(), now);
          return null;
        });
  }

  void setTargetDelay(LedbatControl.SetTargetDelay request) {
    long micros = request.targetDelayMicros();
    if (isTarget(request, micros)) {
      change(request, rates -> rates.setTargetDelayMicros(socketOf(request.peer()), micros));
    }
  }

  void setReceiveTargetDelay(LedbatControl.SetReceiveTargetDelay request) {
    long micros = request.targetDelayMicros();
    if (isTarget(request, micros)) {
      change(request, rates -> rates.setReceiveTargetDelayMicros(socketOf(request.peer()), micros));
    }
  }

  private boolean isTarget(LedbatControl.Request request, long micros) {
    boolean good = micros >= 1 && micros <= LedbatParameters.MAX_TARGET_DELAY_MICROS;
    if (!good) {
      refuse(request, "TARGET must be 1 to 100000 microseconds: " + micros);
    }
    return good;
  }

  // ---- Messages and peers

  void cancel(LedbatControl.Cancel request) {
    perform(
        request,
        (current, now) -> current.cancel(request.messageId()) ? null : "no such message waits");
  }

  void useHelper(LedbatControl.UseHelper request) {
    perform(request, (current, now) -> current.introductions().useHelper(request.helper(), now));
  }

  void dropHelper(LedbatControl.DropHelper request) {
    perform(
        request,
        (current, now) -> {
          current.introductions().dropHelper(request.helper().asSocket());
          return null;
        });
  }

  void introduce(LedbatControl.Introduce request) {
    InetSocketAddress helper = request.helper().asSocket();
    InetSocketAddress peer = request.peer().asSocket();
    perform(request, (current, now) -> current.introductions().introduce(helper, peer));
  }
}
