package ebb.storage.bench;

/**
 * What one of several clients did in a case.
 *
 * @param name of its machine
 * @param lateMicros from the time that all were to begin to its first operation's begin
 * @param clockMicros what its clock shows more than this machine's, so exactly as {@code
 *     clockErrorMicros} says
 */
public record ClientResult(
    String name, LaneResult result, long lateMicros, long clockMicros, long clockErrorMicros) {}
