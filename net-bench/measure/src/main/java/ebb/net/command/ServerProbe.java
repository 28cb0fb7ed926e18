package ebb.net.command;

import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.TestSpec.Protocol;
import ebb.net.run.RunOutcome;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A few round trips to a server of {@code ebb net}, for commands of other modules that ask whether
 * there is one. Owns the system that measures them, until it is closed.
 */
public final class ServerProbe implements AutoCloseable {
  private static final long NO_SAMPLES = Long.MAX_VALUE / 4;

  private final NetPathOptions path = new NetPathOptions();
  private final NetSession session;

  /**
   * @param connectTimeout how long to wait at each step, as {@code --connect-timeout} takes it
   * @param keyFile the server's key, null for none
   */
  public ServerProbe(String connectTimeout, @Nullable Path keyFile) {
    path.connectTimeout = connectTimeout;
    path.keyFile = keyFile;
    session = NetSession.open();
  }

  /** Measures that many round trips one after the other; blocks. */
  public RunOutcome roundTrips(
      InetSocketAddress server, Protocol protocol, int messages, int messageBytes)
      throws InterruptedException {
    long bytes = (long) messageBytes * messages;
    TestSpec spec =
        new TestSpec(
            protocol, Mode.STOP_AND_WAIT, true, false, 1, messageBytes, 0, bytes, 0, 0, 0, true);
    return session.run(path.plan(server, spec, NO_SAMPLES, 0));
  }

  @Override
  public void close() {
    session.close();
  }
}
