package ebb.selfbench.subject;

/**
 * How long a subject is measured.
 *
 * @param warmUpMillis data flows but does not count: compilers, slow start
 * @param millis what counts
 */
public record Period(long warmUpMillis, long millis) {}
