package ebb.ledbat.secure;

import java.util.ArrayDeque;

/**
 * Tells how much content an acknowledgement of the transport covers, which counts the bytes of
 * records. Remembers a place every 16 KiB at most, so it may tell a little less until everything is
 * acknowledged.
 */
final class AckMarks {
  private static final long STEP_BYTES = 16 << 10;

  private record Mark(long recordBytes, long contentBytes) {}

  private final ArrayDeque<Mark> marks = new ArrayDeque<>();
  private long recordBytes;
  private long contentBytes;
  private long markedBytes;
  private long ackedContentBytes;

  /** Bytes of the handshake, which come first. */
  void handshake(int bytes) {
    recordBytes += bytes;
  }

  void sealed(int recordLength, int contentLength) {
    recordBytes += recordLength;
    contentBytes += contentLength;
    if (recordBytes - markedBytes >= STEP_BYTES) {
      markedBytes = recordBytes;
      marks.add(new Mark(recordBytes, contentBytes));
    }
  }

  /** Content that is acknowledged when {@code bytesAcked} bytes of the connection are. */
  long ackedContent(long bytesAcked) {
    if (bytesAcked >= recordBytes) {
      marks.clear();
      ackedContentBytes = contentBytes;
    }
    for (Mark first = marks.peek();
        first != null && first.recordBytes <= bytesAcked;
        first = marks.peek()) {
      ackedContentBytes = first.contentBytes;
      marks.poll();
    }
    return ackedContentBytes;
  }
}
