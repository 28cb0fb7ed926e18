package ebb.storage.port;

/**
 * A part of an object.
 *
 * @param offset of its first byte
 * @param length at least 1
 */
public record Range(long offset, long length) {
  public Range {
    if (offset < 0 || length < 1 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("no range: " + length + " bytes at " + offset);
    }
  }

  /** The offset after the last byte. */
  public long end() {
    return offset + length;
  }
}
