package ebb.ledbat.endpoint;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.Connection;
import ebb.ledbat.connection.ConnectionHost;
import org.jspecify.annotations.Nullable;

/** An endpoint's bookkeeping for one connection: its places in the endpoint's queues. */
final class Slot implements ConnectionHost {
  private final LedbatEndpoint endpoint;
  private @Nullable Connection connection;

  /** When the connection next wants to be woken. */
  long deadlineMicros = Long.MAX_VALUE;

  /** Index in the {@link TimerHeap}, -1 when not in it. */
  int heapIndex = -1;

  /** In the list of connections to look at in this cycle. */
  boolean touched;

  /** In the round of connections that may have something to send. For {@link SendTurns}. */
  boolean ready;

  /** In the queue of connections whose application waits for memory to write into. */
  boolean waitsForMemory;

  /** The application has not been told of it yet. */
  boolean acceptedUntold;

  boolean removed;

  /** Nobody has proven its peer's address, and it is in the table. */
  boolean halfOpen;

  /**
   * Its place among those of its source; null for one that this side opened. For {@link Places}.
   */
  SourceShares<Slot>.@Nullable Share share;

  /** Whether it has one of the places for what is not half-open. For {@link Places}. */
  boolean kept;

  Slot(LedbatEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** Whose it is. Any thread. */
  LedbatEndpoint endpoint() {
    return endpoint;
  }

  void setConnection(Connection connection) {
    this.connection = connection;
  }

  Connection connection() {
    if (connection == null) {
      throw new IllegalStateException("slot without a connection");
    }
    return connection;
  }

  /** Ends the connection, in the middle of whose work something failed. */
  void endBroken() {
    try {
      connection().abort(CloseReason.FAULT);
    } catch (RuntimeException | Error again) {
      // Nothing more can be done for it; what failed first is on its way to the driver.
      touch();
    }
  }

  @Override
  public void touch() {
    if (!touched) {
      touched = true;
      endpoint.onTouched(this);
    }
  }

  @Override
  public void waitForMemory() {
    if (!waitsForMemory) {
      waitsForMemory = true;
      endpoint.onWaitsForMemory(this);
    }
  }

  @Override
  public void onAccepted(Connection accepted) {
    acceptedUntold = endpoint.onAddressProven(this);
  }

  @Override
  public void sendReset(int connectionId, int seqNr, int ackNr) {
    endpoint.queueReset(connection().remote(), connectionId, seqNr, ackNr);
  }
}
