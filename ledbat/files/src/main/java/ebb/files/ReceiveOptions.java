package ebb.files;

/**
 * What a receiver accepts.
 *
 * @param overwrite whether a file with other content may be replaced
 * @param maxFileBytes largest file taken
 * @param maxTotalBytes what is taken from all senders together
 */
record ReceiveOptions(boolean overwrite, long maxFileBytes, long maxTotalBytes) {
  /** Takes whatever fits and replaces nothing. */
  static final ReceiveOptions DEFAULTS = new ReceiveOptions(false, Long.MAX_VALUE, Long.MAX_VALUE);
}
