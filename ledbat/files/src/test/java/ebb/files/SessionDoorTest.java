package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class SessionDoorTest {
  private final SessionDoor door = new SessionDoor();

  private static final class Sender implements SessionDoor.Guest {
    long idleNanos;
    String evicted = "";

    Sender(long idleNanos) {
      this.idleNanos = idleNanos;
    }

    @Override
    public boolean stalled(long nowNanos) {
      return idleNanos > 30_000_000_000L;
    }

    @Override
    public long idleNanos(long nowNanos) {
      return idleNanos;
    }

    @Override
    public void evict(String why) {
      evicted = why;
    }
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private Sender enter(String from, long idleNanos) {
    Sender sender = new Sender(idleNanos);
    assertThat(door.room(address(from), 0)).isNull();
    door.enter(sender, address(from));
    return sender;
  }

  /** All places are taken, by senders that get on. */
  private void fill() {
    for (int i = 0; i < ReceiveLimits.MAX_SESSIONS; i++) {
      enter("10.0.0." + i, 0);
    }
  }

  @Test
  void oneAddressGetsItsShareAndOthersTheirs() {
    for (int i = 0; i < ReceiveLimits.MAX_SESSIONS_PER_SOURCE; i++) {
      enter("10.0.0.1", 0);
    }

    assertThat(door.room(address("10.0.0.1"), 0))
        .isEqualTo(
            "it is busy: 16 sessions are what one address gets, and yours has them; try again"
                + " later");
    assertThat(door.room(address("10.0.0.2"), 0)).isNull();
  }

  @Test
  void addressesOfOneIpv6NetworkCountAsOne() {
    for (int i = 0; i < ReceiveLimits.MAX_SESSIONS_PER_SOURCE; i++) {
      enter("2001:db8:0:1:" + i + "::7", 0);
    }

    assertThat(door.room(address("2001:db8:0:1:ffff::1"), 0)).contains("what one address gets");
    assertThat(door.room(address("2001:db8:0:2::1"), 0)).isNull();
  }

  @Test
  void whenAllPlacesAreTakenByWhoGetsOnTheNextIsRefused() {
    fill();

    assertThat(door.room(address("10.9.9.9"), 0))
        .isEqualTo("it is busy: all its 64 places are taken; try again later");
  }

  @Test
  void theOneThatHasNotGotOnForLongestLosesItsPlace() {
    SessionDoor full = new SessionDoor();
    Sender slow = new Sender(31_000_000_000L);
    Sender slowest = new Sender(45_000_000_000L);
    for (int i = 0; i < ReceiveLimits.MAX_SESSIONS - 2; i++) {
      full.enter(new Sender(0), address("10.0.0." + i));
    }
    full.enter(slow, address("10.1.0.1"));
    full.enter(slowest, address("10.1.0.2"));

    assertThat(full.room(address("10.9.9.9"), 0)).isNull();

    assertThat(slow.evicted).isEmpty();
    assertThat(slowest.evicted)
        .isEqualTo("another sender has its place now, for it had moved next to nothing for 45 s");
  }

  @Test
  void aFullShareIsRenewedFromItselfAlone() {
    Sender stalledElsewhere = enter("10.0.0.2", 90_000_000_000L);
    Sender stalled = null;
    for (int i = 0; i < ReceiveLimits.MAX_SESSIONS_PER_SOURCE; i++) {
      stalled = enter("10.0.0.1", i == 0 ? 40_000_000_000L : 0);
    }

    assertThat(door.room(address("10.0.0.1"), 0)).isNull();
    assertThat(stalledElsewhere.evicted).isEmpty();
    assertThat(stalled.evicted).isEmpty();
  }

  @Test
  void aSenderThatWasKilledSoonGivesWayToTheNextOfItsAddress() {
    Sender killed = enter("10.0.0.1", ReceiveLimits.LATE_SECONDS * 1_000_000_000L);
    for (int i = 1; i < ReceiveLimits.MAX_SESSIONS_PER_SOURCE; i++) {
      enter("10.0.0.1", 1_000_000_000L);
    }
    assertThat(door.room(address("10.0.0.1"), 0)).isNull();
    assertThat(killed.evicted).isNotEmpty();
  }

  @Test
  void aPlaceThatWasGivenBackIsFree() {
    for (int i = 0; i < ReceiveLimits.MAX_SESSIONS - 1; i++) {
      enter("10.0.0." + i, 0);
    }
    Sender last = enter("10.9.9.9", 0);
    assertThat(door.room(address("10.9.9.10"), 0)).isNotNull();
    door.leave(last);
    door.leave(last);

    assertThat(door.room(address("10.9.9.10"), 0)).isNull();
  }
}
