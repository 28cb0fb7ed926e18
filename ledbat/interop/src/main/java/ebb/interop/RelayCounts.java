package ebb.interop;

/**
 * What a {@link LossyRelay} did in one direction. {@code received + duplicated} is the sum of all
 * other counts but {@code reordered} and {@code bytesForwarded}, and of what is still on its way.
 *
 * @param received datagrams that arrived at the relay
 * @param forwarded datagrams sent on, copies included
 * @param bytesForwarded their UDP payload
 * @param lost dropped by chance
 * @param reordered held back so that later ones overtake
 * @param duplicated second copies made
 * @param tooLarge dropped because they exceed the path MTU
 * @param overflowed dropped because too many were on their way
 * @param refused not taken by the kernel, for example because nobody listens
 */
public record RelayCounts(
    long received,
    long forwarded,
    long bytesForwarded,
    long lost,
    long reordered,
    long duplicated,
    long tooLarge,
    long overflowed,
    long refused) {}
