package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import ebb.ledbat.config.LedbatConfig;
import ebb.testkit.link.Nat;
import ebb.testkit.link.Nat.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Peers behind emulated address translation, and a helper in the open, on virtual time. */
class NatTest {
  private static final long SECOND = 1_000_000;
  private static final long SHORT_TIMEOUT = 30 * SECOND;

  private final VirtualNet net = new VirtualNet(3);
  private final HubNode helper = host(1, null);

  private static InetAddress outside(int number) {
    return new InetSocketAddress("203.0.113." + number, 1).getAddress();
  }

  private static Nat nat(Kind kind, int number) {
    return new Nat(kind, outside(number), false, SHORT_TIMEOUT);
  }

  private HubNode host(int number, @Nullable Nat nat) {
    HubNode node =
        new HubNode(
            net,
            VirtualNet.node(number),
            VirtualNet.node(number),
            MessageConfig.defaults(),
            LedbatConfig.defaults().toBuilder().ebbOnly(true).build());
    if (nat != null) {
      net.hide(node.address, nat);
    }
    return node;
  }

  private void useHelper(HubNode node) {
    node.driver.execute(
        (endpoint, now) ->
            assertThat(node.hub.introductions().useHelper(EbbAddress.of(helper.address), now))
                .isNull());
    net.run(SECOND);
  }

  /** Where the helper sees it. */
  private InetSocketAddress seen(HubNode node) {
    InetSocketAddress place = node.address;
    for (LedbatControl.SeenAs told : told(node, LedbatControl.SeenAs.class)) {
      if (told.peer().asSocket().equals(helper.address)) {
        place = told.self().asSocket();
      }
    }
    return place;
  }

  private static <E> List<E> told(HubNode node, Class<E> type) {
    return node.statuses.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private void introduce(HubNode who, InetSocketAddress to) {
    who.driver.execute(
        (endpoint, now) ->
            assertThat(who.hub.introductions().introduce(helper.address, to)).isNull());
    net.run(20 * SECOND);
  }

  private boolean delivers(HubNode from, InetSocketAddress to) {
    int message = from.send(to, new byte[100], true);
    net.run(20 * SECOND);
    return from.outcomesOf(message).contains("delivered");
  }

  /** The table of docs/kompics.md. */
  @ParameterizedTest
  @CsvSource({
    "FULL_CONE, FULL_CONE, true",
    "FULL_CONE, ADDRESS_RESTRICTED, true",
    "FULL_CONE, PORT_RESTRICTED, true",
    "FULL_CONE, SYMMETRIC, true",
    "ADDRESS_RESTRICTED, ADDRESS_RESTRICTED, true",
    "ADDRESS_RESTRICTED, PORT_RESTRICTED, true",
    "ADDRESS_RESTRICTED, SYMMETRIC, true",
    "PORT_RESTRICTED, PORT_RESTRICTED, true",
    "PORT_RESTRICTED, SYMMETRIC, false",
    "SYMMETRIC, SYMMETRIC, false",
  })
  void whoIsIntroducedMeetsOrNot(Kind first, Kind second, boolean meet) {
    for (boolean turned : new boolean[] {false, true}) {
      int number = turned ? 4 : 2;
      Kind ofAlice = turned ? second : first;
      Kind ofBob = turned ? first : second;
      HubNode alice = host(number, nat(ofAlice, number));
      HubNode bob = host(number + 1, nat(ofBob, number + 1));
      useHelper(alice);
      useHelper(bob);
      InetSocketAddress placeOfAlice = seen(alice);
      InetSocketAddress placeOfBob = seen(bob);
      assertThat(delivers(alice, placeOfBob))
          .as("without an introduction")
          .isEqualTo(ofBob == Kind.FULL_CONE);
      introduce(alice, placeOfBob);
      boolean met = !told(alice, LedbatControl.Met.class).isEmpty();
      boolean metByBob = !told(bob, LedbatControl.Met.class).isEmpty();
      assertThat(met || metByBob).as("%s beside %s", ofAlice, ofBob).isEqualTo(meet);
      if (met) {
        assertThat(delivers(alice, placeOfBob)).isTrue();
      }
      if (metByBob) {
        assertThat(delivers(bob, placeOfAlice)).isTrue();
      }
      if (!meet) {
        assertThat(told(alice, LedbatControl.NotMet.class)).isNotEmpty();
      }
    }
  }

  @Test
  void behindOneNatTheyMeetIfItTurnsThemAround() {
    for (boolean hairpin : new boolean[] {false, true}) {
      int number = hairpin ? 4 : 2;
      Nat nat = new Nat(Kind.PORT_RESTRICTED, outside(number), hairpin, SHORT_TIMEOUT);
      HubNode alice = host(number, nat);
      HubNode bob = host(number + 1, nat);
      useHelper(alice);
      useHelper(bob);
      introduce(alice, seen(bob));
      assertThat(told(alice, LedbatControl.Met.class)).hasSize(hairpin ? 1 : 0);
      assertThat(told(alice, LedbatControl.NotMet.class)).hasSize(hairpin ? 0 : 1);
      // By their own addresses they reach each other in any case.
      assertThat(delivers(alice, bob.address)).isTrue();
    }
  }

  @Test
  void aHelperReachesWhoHasBeenSilentForAnHour() {
    HubNode alice = host(2, nat(Kind.PORT_RESTRICTED, 2));
    HubNode bob = host(3, nat(Kind.PORT_RESTRICTED, 3));
    useHelper(alice);
    useHelper(bob);
    InetSocketAddress place = seen(bob);
    net.run(3_600 * SECOND);
    assertThat(seen(bob)).isEqualTo(place);
    introduce(alice, place);
    assertThat(told(alice, LedbatControl.Met.class)).hasSize(1);
    assertThat(delivers(alice, place)).isTrue();
  }

  @Test
  void anAddressThatChangesIsToldAndPeersMeetAgain() {
    Nat moving = nat(Kind.PORT_RESTRICTED, 2);
    HubNode alice = host(2, moving);
    HubNode bob = host(3, nat(Kind.PORT_RESTRICTED, 3));
    useHelper(alice);
    useHelper(bob);
    introduce(alice, seen(bob));
    assertThat(delivers(alice, seen(bob))).isTrue();
    InetSocketAddress before = seen(alice);

    int broken = alice.send(seen(bob), new byte[16 << 20], true);
    net.run(50_000); // it is on its way
    moving.forgetAll();
    net.run(300 * SECOND);

    assertThat(alice.outcomesOf(broken)).as("answered").contains("failed");
    List<LedbatControl.AddressChanged> changes = told(alice, LedbatControl.AddressChanged.class);
    assertThat(changes).hasSize(1);
    assertThat(changes.get(0).before().asSocket()).isEqualTo(before);
    assertThat(changes.get(0).now().asSocket()).isEqualTo(seen(alice)).isNotEqualTo(before);
    // By itself.
    assertThat(told(alice, LedbatControl.Met.class)).hasSize(2);
    assertThat(told(bob, LedbatControl.Met.class)).hasSize(2);
    assertThat(delivers(alice, seen(bob))).isTrue();
    assertThat(delivers(bob, seen(alice))).isTrue();
  }

  @Test
  void whoWasMetIsReachedAfterAnHourOfSilence() {
    HubNode alice = host(2, nat(Kind.FULL_CONE, 2));
    HubNode bob = host(3, nat(Kind.SYMMETRIC, 3));
    useHelper(alice);
    useHelper(bob);
    introduce(alice, seen(bob));
    assertThat(told(bob, LedbatControl.Met.class)).hasSize(1); // alice sees it at another port
    net.run(3_600 * SECOND);
    assertThat(delivers(bob, seen(alice))).isTrue();
    assertThat(bob.counters.get(NetworkCounters.Event.IDLE_CLOSED)).isZero();
    assertThat(alice.counters.get(NetworkCounters.Event.IDLE_CLOSED)).isZero();
  }

  @Test
  void whoIsGoneIsAskedForOnceAndThenGivenUp() {
    HubNode alice = host(2, nat(Kind.PORT_RESTRICTED, 2));
    HubNode bob = host(3, nat(Kind.PORT_RESTRICTED, 3));
    useHelper(alice);
    useHelper(bob);
    InetSocketAddress place = seen(bob);
    introduce(alice, place);
    bob.driver.execute((endpoint, now) -> bob.hub.close(now));
    net.run(300 * SECOND);
    assertThat(told(alice, LedbatControl.Met.class)).hasSize(1);
    assertThat(told(alice, LedbatControl.NotMet.class)).hasSize(1);
    assertThat(told(alice, LedbatControl.NotMet.class).get(0).peer().asSocket()).isEqualTo(place);
  }

  @Test
  void aHelperThatLiesAndOneThatWasNotChosenMakeNobodyConnectMuch() {
    HubNode alice = host(2, null);
    HubNode bob = host(3, null);
    useHelper(alice);
    bob.send(helper.address, new byte[1]);
    net.run(SECOND);
    for (int i = 0; i < 1_000; i++) {
      InetSocketAddress victim = new InetSocketAddress("198.51.100.1", 1_000 + i);
      helper.driver.execute(
          (endpoint, now) -> {
            helper.hub.greetedSession(alice.address).say(Frames.MEET, victim);
            helper.hub.greetedSession(bob.address).say(Frames.MEET, victim);
          });
    }
    net.run(SECOND / 2);
    assertThat(alice.hub.sessionCount())
        .isLessThanOrEqualTo(1 + LedbatControl.MAX_INTRODUCTIONS_PER_SECOND);
    assertThat(bob.hub.sessionCount()).as("did not choose it").isEqualTo(1);
    assertThat(bob.counters.get(NetworkCounters.Event.UNWANTED_MEETING)).isEqualTo(1_000);
    assertThat(delivers(alice, bob.address)).isTrue();
  }

  @Test
  void whoIsNotThereIsToldAtOnceAndNobodyIsIntroducedToHimself() {
    HubNode alice = host(2, nat(Kind.FULL_CONE, 2));
    useHelper(alice);
    introduce(alice, VirtualNet.node(9));
    introduce(alice, seen(alice));
    assertThat(told(alice, LedbatControl.NotMet.class)).hasSize(2);
    assertThat(alice.hub.introductions().introduce(VirtualNet.node(9), seen(alice)))
        .contains("chosen");
  }
}
