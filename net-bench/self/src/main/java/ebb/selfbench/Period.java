package ebb.selfbench;

/**
 * How long a path is measured.
 *
 * @param warmUpMillis data flows but does not count: compilers, slow start
 * @param millis what counts
 */
record Period(long warmUpMillis, long millis) {}
