package ebb.storage.port;

/**
 * The content that a request has moved.
 *
 * @param bytes that arrived and, where a checksum was known, were verified; 0 after a failure
 * @param firstByteMicros after which the first byte arrived; -1 when none did
 * @param verified whether a CRC32C that the store or the caller knew was compared
 */
public record Moved(long bytes, long firstByteMicros, boolean verified) {}
