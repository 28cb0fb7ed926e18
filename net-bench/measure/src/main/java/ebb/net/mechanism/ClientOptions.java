package ebb.net.mechanism;

import ebb.net.control.TestSpec;

/**
 * What a client may say to a mechanism. An implementation may have fields with picocli's {@code
 * Option}; commands show them in their help and set them.
 */
public interface ClientOptions {
  /** Adds to a test what the server has to know of them. */
  default void complete(TestSpec.Builder spec) {}

  /**
   * How flows are opened with these options; what is returned does not change with them.
   *
   * @throws IllegalArgumentException with one line for a value that cannot be
   */
  FlowOpening opening();

  /** No flow follows; gives back what {@link #opening} opened. */
  default void close() {}
}
