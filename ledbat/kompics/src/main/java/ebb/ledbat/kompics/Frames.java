package ebb.ledbat.kompics;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/**
 * The framing of messages on a connection, all numbers big-endian. Each side begins with
 *
 * <pre>
 * HELLO      magic 4 | version 1 | priority 3 bits, address length 5 bits (4 or 16) | address | port 2
 *            | incarnation 8 | features 4
 * </pre>
 *
 * and goes on with any number of
 *
 * <pre>
 * MESSAGE    1 | length of the message 4 | delivery id 4, 0 when no answer is wanted
 * SEGMENT    2 | length 2 | that many bytes of the open message
 * DELIVERED  3 | delivery id 4
 * REFUSED    4 | delivery id 4
 * BYE        5
 * SEEN       6 | address length 1 (4 or 16) | address | port 2
 * INTRODUCE  7 | as above: a peer that this side wants to be connected with
 * MEET       8 | as above: a peer to connect to now, for it does the same
 * NOBODY     9 | as above: a peer of an INTRODUCE that is not there
 * </pre>
 *
 * A side that wants the connection for a byte stream instead begins with
 *
 * <pre>
 * STREAM     magic 4 | version 1 | 0
 * </pre>
 *
 * and goes on with the stream; nothing answers that.
 *
 * <p>The layout of all this is that of one version; a side that hears of another one says its own
 * by a HELLO and finishes, so that either can tell its user which Ebb is the older. What is added
 * without another layout is a feature: a bit that each side has or has not, and frames that are
 * sent only to a side that has it. Bits that are not known are left alone.
 *
 * <p>A message is open from its MESSAGE until its segments have brought all its bytes; there is one
 * at a time, and the short frames may stand between its segments. After BYE a side sends no
 * MESSAGE, but still answers; a side finishes its direction once both have said BYE and nothing is
 * unanswered. SEEN says where the other side's datagrams come from, and is sent once when that is
 * not what it announced. So a connection that is closed for being idle loses nothing.
 */
final class Frames {
  static final int MAGIC = 0x4562624d; // "EbbM"

  /** 1 had no priorities, no features and none of the frames after BYE. */
  static final byte VERSION = 2;

  /** The side knows SEEN, INTRODUCE, MEET and NOBODY. */
  static final int FEATURE_ADDRESSES = 1;

  static final int FEATURES = FEATURE_ADDRESSES;

  /** After the address. */
  static final int HELLO_REST_BYTES = Short.BYTES + Long.BYTES + Integer.BYTES;

  static final byte STREAM_VERSION = 1;
  static final int STREAM_MAGIC = 0x45626253; // "EbbS"

  static final byte MESSAGE = 1;
  static final byte SEGMENT = 2;
  static final byte DELIVERED = 3;
  static final byte REFUSED = 4;
  static final byte BYE = 5;
  static final byte SEEN = 6;
  static final byte INTRODUCE = 7;
  static final byte MEET = 8;
  static final byte NOBODY = 9;

  static final int HELLO_PREFIX_BYTES = 6;
  static final int MESSAGE_HEADER_BYTES = 9;
  static final int SEGMENT_HEADER_BYTES = 3;
  static final int ANSWER_BYTES = 5;
  static final int MAX_SEGMENT_BYTES = 65_535;

  static final int ADDRESS_PREFIX_BYTES = 2;

  private Frames() {}

  static byte[] streamHello() {
    return ByteBuffer.allocate(HELLO_PREFIX_BYTES).putInt(STREAM_MAGIC).put(STREAM_VERSION).array();
  }

  /** SEEN, INTRODUCE, MEET or NOBODY. */
  static ByteBuffer about(byte kind, InetSocketAddress at) {
    byte[] address = at.getAddress().getAddress();
    return ByteBuffer.allocate(ADDRESS_PREFIX_BYTES + address.length + Short.BYTES)
        .put(kind)
        .put((byte) address.length)
        .put(address)
        .putShort((short) at.getPort())
        .flip();
  }

  /** DELIVERED or REFUSED for each message whose sender asked for it; empty when none did. */
  static ByteBuffer answers(List<IncomingMessage> messages, Set<Integer> refusedIds) {
    long asked = messages.stream().filter(message -> message.deliveryId() != 0).count();
    ByteBuffer frames = ByteBuffer.allocate((int) asked * ANSWER_BYTES);
    for (IncomingMessage message : messages) {
      int id = message.deliveryId();
      if (id != 0) {
        frames.put(refusedIds.contains(id) ? REFUSED : DELIVERED).putInt(id);
      }
    }
    return frames.flip();
  }

  static final int PRIORITY_SHIFT = 5;

  /** The hello of a connection for {@link Prioritized#NORMAL} messages. */
  static ByteBuffer hello(InetSocketAddress self, long incarnation) {
    return hello(self, incarnation, Prioritized.NORMAL);
  }

  static ByteBuffer hello(InetSocketAddress self, long incarnation, int priority) {
    byte[] address = self.getAddress().getAddress();
    return ByteBuffer.allocate(HELLO_PREFIX_BYTES + address.length + HELLO_REST_BYTES)
        .putInt(MAGIC)
        .put(VERSION)
        .put((byte) (priority << PRIORITY_SHIFT | address.length))
        .put(address)
        .putShort((short) self.getPort())
        .putLong(incarnation)
        .putInt(FEATURES)
        .flip();
  }
}
