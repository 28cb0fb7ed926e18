package ebb.interop;

import ebb.core.rand.SeededRandom;
import ebb.core.time.MicroClock;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Ebb's side of one conversation: sends so many bytes, takes so many, hashes both, and closes when
 * its turn comes. Called in the endpoint's context; {@link #ended} is completed from there.
 */
public final class Transfer implements ConnectionListener {
  /** Not a power of two: bytes that arrive at a wrong place are seen by the hash. */
  private static final int BLOCK_BYTES = (1 << 18) - 5;

  /** libutp's acceptor is connected, and may write, only once data came: the initiator greets. */
  private static final byte[] HELLO = "EBBPEER1".getBytes(StandardCharsets.US_ASCII);

  /**
   * What is to be done.
   *
   * @param opens whether this side opened the connection
   * @param sendBytes how much this side sends
   * @param receiveBytes how much the peer sends
   * @param closesFirst whether this side closes as soon as it has sent and received everything;
   *     else it waits for the peer's end
   * @param seed of the bytes sent
   */
  public record Plan(
      boolean opens, long sendBytes, long receiveBytes, boolean closesFirst, long seed) {}

  /**
   * What came of it.
   *
   * @param reason how the connection ended
   * @param sentBytes given to the connection
   * @param receivedBytes taken from it
   * @param sentSha256 of the bytes given
   * @param receivedSha256 of the bytes taken
   * @param micros from the connection's establishment until everything was acknowledged and
   *     received; 0 when that never came
   * @param stats of the connection at its end
   */
  public record Result(
      CloseReason reason,
      long sentBytes,
      long receivedBytes,
      String sentSha256,
      String receivedSha256,
      long micros,
      ConnectionStats stats) {}

  private record Progress(long sent, long received) {}

  private final Plan plan;
  private final MicroClock clock = MicroClock.system();
  private final ByteBuffer block;
  private final ByteBuffer scratch = ByteBuffer.allocate(1 << 18);
  private final MessageDigest sentHash = sha256();
  private final MessageDigest receivedHash = sha256();
  private final CompletableFuture<Result> ended = new CompletableFuture<>();
  private final ByteBuffer hello = ByteBuffer.wrap(HELLO.clone());
  private volatile @Nullable LedbatConnection connection;
  private long sent;
  private long received;
  private volatile Progress progress = new Progress(0, 0);
  private long establishedMicros;
  private volatile long completeMicros;
  private volatile boolean finished;
  private volatile boolean peerFinished;

  /** A conversation to come, on a driver of the system's clock. */
  public Transfer(Plan plan) {
    this.plan = plan;
    block = ByteBuffer.allocate(BLOCK_BYTES);
    SeededRandom random = new SeededRandom(plan.seed());
    while (block.remaining() >= Long.BYTES) {
      block.putLong(random.nextLong());
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The end of the connection, whatever it was. */
  public CompletableFuture<Result> ended() {
    return ended;
  }

  /** Whether nothing is left but the acknowledgement of this side's end. */
  public boolean delivered() {
    return finished && peerFinished && completeMicros > 0;
  }

  /** How far it came, for the report of a failure; from any thread, so perhaps a little late. */
  public String progress() {
    Progress seen = progress;
    return (connection == null ? "was not connected" : "was connected")
        + ", sent "
        + seen.sent
        + " of "
        + plan.sendBytes()
        + ", received "
        + seen.received
        + " of "
        + plan.receiveBytes()
        + (peerFinished ? ", heard the peer's end" : "");
  }

  /** For a connection that was accepted; for one of ours {@code onConnected} does it. */
  public void start(LedbatConnection established) {
    connection = established;
    establishedMicros = clock.nowMicros();
    proceed(established);
  }

  @Override
  public void onConnected(LedbatConnection established) {
    start(established);
  }

  @Override
  public void onWritable(LedbatConnection established) {
    proceed(established);
  }

  @Override
  public void onAcked(LedbatConnection established) {
    proceed(established);
  }

  @Override
  public void onReadable(LedbatConnection established) {
    proceed(established);
  }

  @Override
  public void onPeerFinished(LedbatConnection established) {
    peerFinished = true;
    proceed(established);
  }

  private void proceed(LedbatConnection established) {
    long now = clock.nowMicros();
    read(established, now);
    write(established, now);
    progress = new Progress(sent, received);
    boolean allReceived = received >= plan.receiveBytes();
    if (completeMicros == 0
        && allReceived
        && sent == plan.sendBytes()
        && established.stats(now).bytesAcked() >= sent + (plan.opens() ? HELLO.length : 0)) {
      completeMicros = now;
    }
    if (sent == plan.sendBytes() && (plan.closesFirst() ? allReceived : peerFinished)) {
      established.finish(now);
      finished = true;
    }
  }

  private void read(LedbatConnection established, long now) {
    for (int n = established.read(scratch.clear(), now);
        n > 0;
        n = established.read(scratch.clear(), now)) {
      scratch.flip();
      while (!plan.opens() && hello.hasRemaining() && scratch.hasRemaining()) {
        hello.put(scratch.get());
      }
      received += scratch.remaining();
      receivedHash.update(scratch);
    }
  }

  private void write(LedbatConnection established, long now) {
    if (plan.opens()) {
      established.write(hello, now);
    }
    if (hello.hasRemaining()) {
      return; // Neither side sends before the greeting.
    }
    if (!Arrays.equals(hello.array(), HELLO)) {
      established.abort(now);
      return;
    }
    while (sent < plan.sendBytes()) {
      int from = (int) (sent % BLOCK_BYTES);
      int offered = (int) Math.min(BLOCK_BYTES - from, plan.sendBytes() - sent);
      int taken = established.write(block.clear().position(from).limit(from + offered), now);
      sentHash.update(block.position(from).limit(from + taken));
      sent += taken;
      if (taken < offered) {
        return;
      }
    }
  }

  @Override
  public void onClosed(LedbatConnection established, CloseReason reason) {
    long now = clock.nowMicros();
    read(established, now);
    ended.complete(
        new Result(
            reason,
            sent,
            received,
            HexFormat.of().formatHex(sentHash.digest()),
            HexFormat.of().formatHex(receivedHash.digest()),
            completeMicros == 0 ? 0 : Math.max(1, completeMicros - establishedMicros),
            established.stats(now)));
  }
}
