package ebb.ledbat.secure;

import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.SourceShares;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All protected connections of one endpoint: stands between it and its application, which sees a
 * connection only when its peer has proven the key. Owns the bounds on peers that have not; what
 * happens on a connection is its {@link SecureConnection}'s. Runs in the endpoint's context.
 */
public final class SecureSessions implements EndpointListener {
  /** How long a peer has to prove the key, after the transport's handshake. */
  public static final long PROOF_TIMEOUT_MICROS = 10_000_000;

  /**
   * Accepted peers that have not proven the key yet; of more, the oldest of the source with the
   * most is dropped.
   */
  public static final int MAX_UNPROVEN = 256;

  private final KeyRing keys;
  private final String purpose;
  private final EndpointListener application;
  private final SecureContext context;
  // Oldest first, and so by deadline.
  private final Set<SecureConnection> unproven = new LinkedHashSet<>();

  /** Of all endpoints of the port; used under its lock. */
  private final SourceShares<SecureConnection> unprovenAccepted;

  private boolean sweepScheduled;
  private final ByteBuffer scratch = ByteBuffer.allocate(SecureChannel.MAX_RECORD_BYTES);

  /**
   * An endpoint's listener, in front of the application's.
   *
   * @param purpose what the connections are for; both sides must say the same
   */
  public SecureSessions(
      KeyRing keys, String purpose, EndpointListener application, SecureContext context) {
    this(keys, purpose, application, context, new SourceShares<>());
  }

  private SecureSessions(
      KeyRing keys,
      String purpose,
      EndpointListener application,
      SecureContext context,
      SourceShares<SecureConnection> unprovenAccepted) {
    this.unprovenAccepted = unprovenAccepted;
    this.keys = keys;
    this.purpose = purpose;
    this.application = application;
    this.context = context;
    SecureSelfTest.run(context.recordCipher());
  }

  /** The same for another endpoint of this one's port; the bounds are for all together. */
  public SecureSessions beside(EndpointListener listener, SecureContext itsContext) {
    return new SecureSessions(keys, purpose, listener, itsContext, unprovenAccepted);
  }

  /** Opens a connection that is connected once its peer has proven the key. */
  public LedbatConnection connect(
      LedbatEndpoint endpoint,
      InetSocketAddress remote,
      ConnectionListener listener,
      long nowMicros) {
    SecureChannel channel =
        SecureChannel.initiator(
            keys.current(), purpose, context.freshSecret(), context.recordCipher());
    SecureConnection connection = new SecureConnection(this, channel, listener);
    connection.attach(endpoint.connect(remote, connection, nowMicros));
    return connection;
  }

  @Override
  public void onAccepted(LedbatConnection connection) {
    SecureChannel channel =
        SecureChannel.responder(
            keys.valid(), purpose, context.freshSecret(), context.recordCipher());
    SecureConnection secure = new SecureConnection(this, channel, new ConnectionListener() {});
    secure.attach(connection);
    connection.setListener(secure);
    SecureConnection crowding = takePlace(secure);
    if (crowding != null) {
      crowding.crowdedOut(this);
    }
    awaitProof(secure);
  }

  /** Returns who loses its place for that; null when there was room. */
  private @Nullable SecureConnection takePlace(SecureConnection newcomer) {
    synchronized (unprovenAccepted) {
      SecureConnection crowding =
          unprovenAccepted.size() < MAX_UNPROVEN ? null : unprovenAccepted.oldestOfLargest();
      if (crowding != null && crowding.share != null) {
        crowding.share.giveBack();
      }
      newcomer.share = unprovenAccepted.add(newcomer.remote().getAddress(), newcomer);
      return crowding;
    }
  }

  // ---- what connections call

  /** The transport's handshake is done; the key's begins. */
  void awaitProof(SecureConnection connection) {
    connection.setProofDeadlineMicros(nowMicros() + PROOF_TIMEOUT_MICROS);
    unproven.add(connection);
    scheduleSweep();
  }

  /** The peer has proven the key. */
  void proven(SecureConnection connection) {
    forget(connection);
    if (!connection.isInitiator()) {
      application.onAccepted(connection);
    }
  }

  /** A peer that connected here is not let in. */
  void refused(SecureConnection connection, SecureRefusal refusal) {
    forget(connection);
    if (!connection.isInitiator()) {
      context.refused(connection.remote(), refusal);
    }
  }

  /** A peer that this side connected to does not have the key. */
  void notProven(SecureConnection connection) {
    context.notProven(connection.remote());
  }

  private void forget(SecureConnection connection) {
    unproven.remove(connection);
    synchronized (unprovenAccepted) {
      if (connection.share != null) {
        connection.share.giveBack();
      }
    }
  }

  long nowMicros() {
    return context.nowMicros();
  }

  /** Runs something outside of the application's own call. */
  void later(Runnable action) {
    context.schedule(0, (endpoint, nowMicros) -> action.run());
  }

  /** Space that is free between any two calls. */
  ByteBuffer scratch() {
    return scratch;
  }

  /** Accepted peers that have not proven the key, of all endpoints of the port. */
  public int unprovenCount() {
    synchronized (unprovenAccepted) {
      return unprovenAccepted.size();
    }
  }

  private void scheduleSweep() {
    Iterator<SecureConnection> oldest = unproven.iterator();
    if (!sweepScheduled && oldest.hasNext()) {
      long delayMicros = Math.max(1, oldest.next().proofDeadlineMicros() - nowMicros());
      sweepScheduled = true;
      context.schedule(delayMicros, (endpoint, nowMicros) -> sweep(nowMicros));
    }
  }

  private void sweep(long nowMicros) {
    sweepScheduled = false;
    while (true) {
      Iterator<SecureConnection> oldest = unproven.iterator();
      SecureConnection first = oldest.hasNext() ? oldest.next() : null;
      if (first == null || first.proofDeadlineMicros() > nowMicros) {
        break;
      }
      first.refuse(SecureRefusal.TOO_LATE, nowMicros);
    }
    scheduleSweep();
  }
}
