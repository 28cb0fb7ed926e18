package ebb.ledbat.kompics.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.typesafe.config.ConfigFactory;
import ebb.core.kompics.EbbAddress;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.ReceiveLimit;
import ebb.ledbat.kompics.Budget;
import ebb.ledbat.kompics.LedbatConfigs;
import ebb.ledbat.kompics.LedbatControl;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.network.MessageNotify.State;
import se.sics.kompics.network.Transport;

/** A node that bounds what comes in, whatever its peers do: a rate, and a TARGET. */
@Timeout(120)
class IncomingLimitsTest {
  private final Map<EbbAddress, Consumer<KompicsEvent>> controls = new ConcurrentHashMap<>();

  private final Embedded.Extra extra =
      (components, node) -> {
        controls.put(node.address, components.into(node.component, LedbatControl.class));
        node.keep(components, LedbatControl.class, LedbatControl.Samples.class);
        node.keep(components, LedbatControl.class, LedbatControl.Refused.class);
      };

  private static LedbatConfigBuilder config() {
    return LedbatConfig.defaults().toBuilder().connectTimeoutMicros(3_000_000);
  }

  /** Sends a megabyte to a node with that configuration; it must show what is wanted meanwhile. */
  private void receives(LedbatConfig config, Predicate<ConnectionStats.Incoming> wanted)
      throws Exception {
    try (Embedded nodes =
        Embedded.start(extra, Embedded.init(), Embedded.init(Embedded.free("127.0.0.1"), config))) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      controls.get(bob.address).accept(new LedbatControl.SampleEvery(2_000));
      assertThat(alice.deliver(alice.message(bob.address, Transport.LEDBAT, 1, 1_000_000)))
          .isEqualTo(State.DELIVERED);
      bob.take(
          LedbatControl.Samples.class,
          e -> e.connections().stream().anyMatch(c -> wanted.test(c.stats().incoming())));
      assertThat(bob.arrival(1).payload()).hasSize(1_000_000);
    }
  }

  @Test
  void theRateOfWhatComesInIsTheReceiversToBound() throws Exception {
    receives(
        config().receiveMaxRateBytesPerSecond(2_000_000).build(),
        incoming -> incoming.limit() == ReceiveLimit.RATE);
  }

  @Test
  void theQueueOfWhatComesInIsTheReceiversToChoose() throws Exception {
    LedbatConfig config =
        config().receiveController("ledbat").receiveTargetDelayMicros(25_000).build();
    receives(
        config,
        incoming -> incoming.controller().equals("ledbat") && incoming.targetMicros() == 25_000);
  }

  @Test
  void bothAreChangedWhileItRuns() throws Exception {
    LedbatConfig config = config().receiveController("ledbat").build();
    try (Embedded nodes =
        Embedded.start(extra, Embedded.init(), Embedded.init(Embedded.free("127.0.0.1"), config))) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      Consumer<KompicsEvent> control = controls.get(bob.address);
      control.accept(new LedbatControl.SetReceiveTargetDelay(null, 30_000));
      assertThat(alice.deliver(alice.message(bob.address, Transport.LEDBAT, 1, 1_000)))
          .isEqualTo(State.DELIVERED);
      control.accept(new LedbatControl.SampleEvery(2_000));
      shows(bob, sample -> sample.stats().incoming().targetMicros() == 30_000);

      control.accept(new LedbatControl.SetReceiveTargetDelay(alice.address, 20_000));
      Budget.Rates slow = new Budget.Rates(Budget.UNLIMITED, 2_000_000);
      control.accept(new LedbatControl.SetRates(alice.address, slow));
      shows(
          bob,
          sample ->
              sample.stats().incoming().targetMicros() == 20_000
                  && sample.downBytesPerSecond() == 2_000_000);
      assertThat(alice.deliver(alice.message(bob.address, Transport.LEDBAT, 2, 1_000_000)))
          .isEqualTo(State.DELIVERED);
      shows(bob, sample -> sample.stats().incoming().limit() == ReceiveLimit.RATE);

      LedbatControl.Request zero = new LedbatControl.SetReceiveTargetDelay(null, 0);
      control.accept(zero);
      assertThat(bob.take(LedbatControl.Refused.class, e -> e.request().equals(zero)).reason())
          .contains("1 to 100000");
    }
  }

  /** A node whose configuration says nothing of what comes in. */
  @Test
  void bothAreBegunWhileItRuns() throws Exception {
    try (Embedded nodes = Embedded.start(extra, Embedded.init(), Embedded.init())) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      Consumer<KompicsEvent> control = controls.get(bob.address);
      assertThat(alice.deliver(alice.message(bob.address, Transport.LEDBAT, 1, 1_000)))
          .isEqualTo(State.DELIVERED);
      control.accept(new LedbatControl.SampleEvery(2_000));
      shows(bob, sample -> sample.stats().incoming().controller().isEmpty());

      control.accept(new LedbatControl.SetBudget(Budget.of(Budget.UNLIMITED, 2_000_000)));
      assertThat(alice.deliver(alice.message(bob.address, Transport.LEDBAT, 2, 5_000_000)))
          .isEqualTo(State.DELIVERED);
      shows(bob, sample -> sample.stats().incoming().limit() == ReceiveLimit.RATE);

      control.accept(new LedbatControl.SetReceiveTargetDelay(null, 20_000));
      shows(bob, sample -> sample.stats().incoming().targetMicros() == 20_000);
      control.accept(new LedbatControl.SetBudget(Budget.of(Budget.UNLIMITED, Budget.UNLIMITED)));
      assertThat(alice.deliver(alice.message(bob.address, Transport.LEDBAT, 3, 5_000_000)))
          .isEqualTo(State.DELIVERED);
      shows(bob, sample -> sample.downBytesPerSecond() == Budget.UNLIMITED);
    }
  }

  private static void shows(Embedded.Node node, Predicate<LedbatControl.Sample> wanted)
      throws InterruptedException {
    node.take(LedbatControl.Samples.class, e -> e.connections().stream().anyMatch(wanted));
  }

  @Test
  void bothAreSettingsOfHocon() {
    LedbatConfig config =
        LedbatConfigs.fromConfig(
            ConfigFactory.parseString(
                    "ebb.ledbat { receive-controller = scavenger, receive-target-delay = 30ms,"
                        + " receive-max-rate = 2MB }")
                .withFallback(LedbatConfigs.load()));
    assertThat(config.receiveMaxRateBytesPerSecond()).isEqualTo(2_000_000);
    assertThat(config.receiveTargetDelayMicros()).isEqualTo(30_000);
    assertThat(config.receiveControllerFactory()).isNotNull();
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config().receiveMaxRateBytesPerSecond(-1).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config().receiveTargetDelayMicros(100_001).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config().receiveController("nobody").build());
  }
}
