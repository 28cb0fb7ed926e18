package ebb.net.mechanism;

import java.net.BindException;

/**
 * What a server's user may say to a mechanism. An implementation may have fields with picocli's
 * {@code Option}; the command shows them in its help and sets them.
 */
@FunctionalInterface
public interface ServerOptions {
  /**
   * Begins to take flows; blocks, not on the loop.
   *
   * @throws BindException with one line when a port is taken
   * @throws IllegalArgumentException with one line for a value that cannot be
   */
  FlowAcceptor accept(ServerPlace place) throws BindException, InterruptedException;
}
