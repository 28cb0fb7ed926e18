package ebb.net.command;

import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.mechanism.Mechanism;
import ebb.net.run.RunOutcome;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A few round trips to a server of {@code ebb net}, for commands of other modules that ask whether
 * there is one. Owns the system that measures them, until it is closed.
 */
public final class ServerProbe implements AutoCloseable {
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
      InetSocketAddress server, Mechanism mechanism, int messages, int messageBytes)
      throws InterruptedException {
    TestSpec spec =
        TestSpec.of(mechanism.name(), Mode.STOP_AND_WAIT)
            .messageBytes(messageBytes)
            .amountBytes((long) messageBytes * messages)
            .build();
    return session.run(path.plan(server, spec).build());
  }

  @Override
  public void close() {
    session.close();
  }
}
