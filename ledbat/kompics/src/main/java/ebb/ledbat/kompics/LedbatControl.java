package ebb.ledbat.kompics;

import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.ConnectionStats;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;
import se.sics.kompics.network.Address;

/**
 * What there is to know of a network by LEDBAT, and to change while it runs, beside Kompics' own
 * {@code Network} and {@code NetworkControl}. {@link LedbatNetwork} and {@link EbbNetwork} provide
 * it.
 *
 * <p>What is asked for a peer holds for its connections now and later; without a peer it holds for
 * all, and replaces what was asked for single ones. What cannot be done is answered by {@link
 * Refused}, and changes nothing.
 */
public final class LedbatControl extends PortType {
  /** Samples are not told more often. */
  public static final long LEAST_INTERVAL_MICROS = 1_000;

  /** What peers have this node do for introductions, a second and connection. */
  public static final int MAX_INTRODUCTIONS_PER_SECOND = 10;

  {
    request(SampleEvery.class);
    request(SetBudget.class);
    request(SetClass.class);
    request(SetRates.class);
    request(SetController.class);
    request(SetTargetDelay.class);
    request(SetReceiveTargetDelay.class);
    request(Cancel.class);
    request(UseHelper.class);
    request(DropHelper.class);
    request(Introduce.class);
    indication(Samples.class);
    indication(Refused.class);
    indication(SeenAs.class);
    indication(AddressChanged.class);
    indication(Met.class);
    indication(NotMet.class);
  }

  /** What this port tells. */
  public sealed interface Indication extends KompicsEvent {}

  /** What this port is asked. */
  public sealed interface Request extends KompicsEvent {}

  /**
   * Asks for {@link Samples}, once in {@code intervalMicros}, at least {@link
   * #LEAST_INTERVAL_MICROS}; 0 for no more. The last one counts.
   */
  public record SampleEvery(long intervalMicros) implements Request {}

  /**
   * Bounds all connections together, from now on. What a connection's peer was given before there
   * was a bound for what comes in, it may still send; the others make up for it.
   */
  public record SetBudget(Budget budget) implements Request {}

  /** Puts a peer into a class of the budget. */
  public record SetClass(Address peer, String name) implements Request {}

  /** Bounds a peer's connections together, or with null each peer's; see {@link SetBudget}. */
  public record SetRates(@Nullable Address peer, Budget.Rates rates) implements Request {}

  /** Replaces the congestion controller, or changes its weight. */
  public record SetController(@Nullable Address peer, ControllerFactory controller)
      implements Request {}

  /** Changes TARGET, 1..100,000 microseconds. */
  public record SetTargetDelay(@Nullable Address peer, long targetDelayMicros) implements Request {}

  /**
   * Changes TARGET of what comes in, 1..100,000 microseconds. Connections without a controller for
   * that ({@code receive-controller}) get one, of the kind that is for what they send.
   */
  public record SetReceiveTargetDelay(@Nullable Address peer, long targetDelayMicros)
      implements Request {}

  /**
   * Takes back a message that waits: it is answered FAILED. One that has begun, or is gone, is not
   * stopped.
   *
   * @param messageId of its {@code MessageNotify.Req}
   */
  public record Cancel(UUID messageId) implements Request {}

  /**
   * Chooses a helper: a node that others are connected with too, and that was made one ({@code
   * Init.withHelping}). The connection with it is opened, kept, and opened again when it ends; the
   * helper may tell this node to connect to peers that want to.
   */
  public record UseHelper(Address helper) implements Request {}

  /** The connection stays until it is idle. */
  public record DropHelper(Address helper) implements Request {}

  /**
   * Asks a helper to introduce this node to a peer, so that both connect at once and address
   * translation lets both through. {@link Met} or {@link NotMet} tells what came of it.
   *
   * @param helper one that was chosen, and that the peer chose too
   * @param peer where the helper sees it
   */
  public record Introduce(Address helper, Address peer) implements Request {}

  /**
   * What one connection does.
   *
   * @param peer who is at the other end
   * @param priority of the messages that it carries
   * @param stats rates follow from two of them; queue, base delay, cwnd, losses, bytes
   * @param upBytesPerSecond what it may send, {@link Budget#UNLIMITED} for anything
   * @param downBytesPerSecond what it may be sent
   * @param waitingMessages for the peer that have not begun
   * @param waitingBytes of those
   */
  public record Sample(
      Address peer,
      int priority,
      ConnectionStats stats,
      long upBytesPerSecond,
      long downBytesPerSecond,
      int waitingMessages,
      long waitingBytes) {}

  /**
   * All connections.
   *
   * @param nowMicros on the driver's clock
   * @param connections one each
   * @param sentBytes payload of all since the start, ended ones too, repetitions too
   * @param receivedBytes payload of all since the start, ended ones too
   */
  public record Samples(
      long nowMicros, List<Sample> connections, long sentBytes, long receivedBytes)
      implements Indication {}

  /**
   * A helper sees this node at another address than before: peers that knew the old one have to be
   * told, or met again.
   */
  public record AddressChanged(Address before, Address now) implements Indication {}

  /** There is a connection with a peer that a helper named. */
  public record Met(Address peer) implements Indication {}

  /** There is none; {@code reason} is one line. */
  public record NotMet(Address peer, String reason) implements Indication {}

  /** Something that was asked cannot be done. */
  public record Refused(Request request, String reason) implements Indication {}

  /**
   * A peer says that this node's datagrams come from another address than it announced, as they do
   * behind address translation. One for each connection at most. It is that peer's word: who relies
   * on it asks several.
   *
   * @param peer who says so
   * @param self where it sees this node
   */
  public record SeenAs(Address peer, Address self) implements Indication {}
}
