package ebb.interop;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One connection of the matrix.
 *
 * @param order where it stands in the table
 * @param ebbOpens whether Ebb opens the connection
 * @param bytes moved in each direction that {@code flow} has
 * @param ebbClosesFirst who closes once all is sent and received
 */
record Cell(
    int order,
    boolean ebbOpens,
    Flow flow,
    Condition condition,
    boolean ebbClosesFirst,
    long bytes) {

  static final long FULL_BYTES = 64L << 20;

  enum Flow {
    EBB_TO_PEER,
    PEER_TO_EBB,
    BOTH;

    boolean ebbSends() {
      return this != PEER_TO_EBB;
    }

    boolean peerSends() {
      return this != EBB_TO_PEER;
    }
  }

  enum Condition {
    CLEAN("clean", RelayConditions.clean()),
    LOSS_1("1% loss", RelayConditions.clean().withLoss(0.01)),
    LOSS_5("5% loss", RelayConditions.clean().withLoss(0.05)),
    REORDERING("reorder", RelayConditions.clean().withReordering(0.02, 5_000)),
    DUPLICATION("duplicate", RelayConditions.clean().withDuplication(0.02, 5_000)),
    // 1,280 - 20 (IPv4) - 8 (UDP).
    MTU_1280("MTU 1280", RelayConditions.clean().withMaxDatagramBytes(1_252)),
    RTT_100("RTT 100 ms", RelayConditions.clean().withOneWayDelayMicros(50_000)),
    /** What comes in to Ebb gives way: docs/receiver-driven.md. */
    YIELDING(
        "RTT 20 ms, Ebb's receiver yields",
        RelayConditions.clean().withOneWayDelayMicros(10_000),
        config -> config.receiveController("scavenger")),
    /** Windows that are closed for most of the time. */
    PACED(
        "Ebb's receiver bounds the rate to 2 MB/s",
        RelayConditions.clean(),
        config -> config.receiveMaxRateBytesPerSecond(2_000_000));

    final String text;
    final RelayConditions relay;
    private final UnaryOperator<LedbatConfigBuilder> ebb;

    Condition(String text, RelayConditions relay) {
      this(text, relay, UnaryOperator.identity());
    }

    Condition(String text, RelayConditions relay, UnaryOperator<LedbatConfigBuilder> ebb) {
      this.text = text;
      this.relay = relay;
      this.ebb = ebb;
    }

    /** Of Ebb's side. */
    LedbatConfig config() {
      return ebb.apply(LedbatConfig.defaults().toBuilder()).build();
    }

    /** Whether the condition is about what Ebb receives. */
    boolean isEbbsReceiver() {
      return this == YIELDING || this == PACED;
    }
  }

  /**
   * Every direction under every condition. On the clean path both sides get to close first; under
   * the others they take turns from cell to cell, so that each condition sees both and the whole
   * fits into its time.
   */
  static List<Cell> all(PeerProgram peer) {
    List<Cell> cells = new ArrayList<>();
    for (Condition condition : Condition.values()) {
      for (Flow flow : Flow.values()) {
        if (condition.isEbbsReceiver() && !flow.peerSends()) {
          continue;
        }
        for (boolean ebbOpens : new boolean[] {true, false}) {
          boolean turn = (condition.ordinal() + flow.ordinal() + (ebbOpens ? 0 : 1)) % 2 == 0;
          long bytes = peer.bytes(condition);
          cells.add(new Cell(cells.size(), ebbOpens, flow, condition, turn, bytes));
          if (condition == Condition.CLEAN) {
            cells.add(new Cell(cells.size(), ebbOpens, flow, condition, !turn, bytes));
          }
        }
      }
    }
    return cells;
  }

  String direction() {
    String bytesGo =
        switch (flow) {
          case EBB_TO_PEER -> "ebb sends";
          case PEER_TO_EBB -> "peer sends";
          case BOTH -> "both send";
        };
    return bytesGo + ", " + (ebbOpens ? "ebb" : "peer") + " opens";
  }

  String closes() {
    return ebbClosesFirst ? "ebb" : "peer";
  }

  String name(String peer) {
    return peer + ": " + direction() + ", " + condition.text + ", " + closes() + " closes";
  }
}
