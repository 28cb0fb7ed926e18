package ebb.files;

/**
 * What a receiver accepts.
 *
 * @param overwrite whether a file with other content may be replaced
 * @param maxFileBytes largest file taken
 * @param maxTotalBytes what is taken from all senders together
 * @param maxRateBytesPerSecond how fast content is read, from all senders together; 0 for no bound
 */
record ReceiveOptions(
    boolean overwrite, long maxFileBytes, long maxTotalBytes, long maxRateBytesPerSecond) {
  /** Takes whatever fits and replaces nothing. */
  static final ReceiveOptions DEFAULTS = new ReceiveOptions(false, Long.MAX_VALUE, Long.MAX_VALUE);

  ReceiveOptions(boolean overwrite, long maxFileBytes, long maxTotalBytes) {
    this(overwrite, maxFileBytes, maxTotalBytes, 0);
  }
}
