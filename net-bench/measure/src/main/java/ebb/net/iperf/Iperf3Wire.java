package ebb.net.iperf;

import ebb.core.rand.FreshSecret;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of iperf3's protocol (3.0 to 3.20): states of one byte, JSON behind a length of four
 * bytes, and the datagrams by which a flow of UDP becomes known. It knows no order of them.
 */
public final class Iperf3Wire {
  /** The port that iperf3 listens on where nobody says otherwise. */
  public static final String DEFAULT_PORT = "5201";

  /** What every TCP connection of a test says first: 36 characters and a NUL. */
  public static final int COOKIE_BYTES = 37;

  /** The longest parameters; iperf3 has the same bound. */
  public static final int MAX_PARAMETERS_BYTES = 8 << 10;

  /** The longest results; those of 128 streams and a server's text have a tenth of that. */
  public static final int MAX_RESULTS_BYTES = 1 << 20;

  public static final int TEST_START = 1;
  public static final int TEST_RUNNING = 2;
  public static final int TEST_END = 4;
  public static final int PARAM_EXCHANGE = 9;
  public static final int CREATE_STREAMS = 10;
  public static final int SERVER_TERMINATE = 11;
  public static final int CLIENT_TERMINATE = 12;
  public static final int EXCHANGE_RESULTS = 13;
  public static final int DISPLAY_RESULTS = 14;
  public static final int IPERF_DONE = 16;
  public static final int ACCESS_DENIED = -1;
  public static final int SERVER_ERROR = -2;

  /** A state that is an error is followed by iperf3's own number for it and the system's. */
  static final int ERROR_BYTES = 8;

  /** The datagram that makes a flow known, and its answer, have this many bytes. */
  public static final int CONNECT_BYTES = 4;

  /** As the hosts that iperf3 runs on have it, which is mostly the little end first. */
  private static final int CONNECT = 0x36373839;

  private static final int CONNECTED = 0x39383736;
  private static final int OLD_CONNECT = 123_456_789;
  private static final int OLD_CONNECTED = 987_654_321;

  private static final String COOKIE_CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";

  private Iperf3Wire() {}

  /** A new one, which nobody can guess. */
  public static byte[] cookie() {
    byte[] random = FreshSecret.bytes(COOKIE_BYTES - 1);
    byte[] cookie = new byte[COOKIE_BYTES];
    for (int i = 0; i < random.length; i++) {
      cookie[i] = (byte) COOKIE_CHARACTERS.charAt(random[i] & 31);
    }
    return cookie;
  }

  /** Whether a connection that begins like this may be iperf3's; Ebb's own begin with a zero. */
  public static boolean beginsCookie(byte first) {
    return COOKIE_CHARACTERS.indexOf(first) >= 0;
  }

  /**
   * Whether an answer that begins like this is {@code iperf3 -s}'s to what it took for a cookie;
   * those of Ebb's server begin with the length of a message, which is shorter.
   */
  public static boolean beginsAnswer(byte first) {
    return first == PARAM_EXCHANGE || first == ACCESS_DENIED || first == SERVER_ERROR;
  }

  /** Whether it can be one of iperf3's. */
  public static boolean isCookie(byte[] bytes) {
    if (bytes.length != COOKIE_BYTES || bytes[COOKIE_BYTES - 1] != 0) {
      return false;
    }
    for (int i = 0; i < COOKIE_BYTES - 1; i++) {
      if (!beginsCookie(bytes[i])) {
        return false;
      }
    }
    return true;
  }

  /** One state. */
  static ByteBuf state(int state) {
    return Unpooled.wrappedBuffer(new byte[] {(byte) state});
  }

  /** JSON behind its length. */
  static ByteBuf json(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Unpooled.buffer(4 + bytes.length).writeInt(bytes.length).writeBytes(bytes);
  }

  /** The datagram that makes a flow known, as a little-endian host writes it. */
  public static ByteBuf connect(ByteBufAllocator allocator) {
    return allocator.directBuffer(CONNECT_BYTES).writeIntLE(CONNECT);
  }

  /** Whether it is such a datagram, of either kind of host. */
  public static boolean isConnect(ByteBuf in, int at, int length) {
    return length == CONNECT_BYTES && isOneOf(in, at, CONNECT, OLD_CONNECT);
  }

  /** Whether it answers one. */
  public static boolean isConnected(ByteBuf in, int at, int length) {
    return length == CONNECT_BYTES && isOneOf(in, at, CONNECTED, OLD_CONNECTED);
  }

  /** The answer, by the asking host's order of bytes and in its age's words. */
  public static ByteBuf connected(ByteBuf asked, int at, ByteBufAllocator allocator) {
    boolean littleEnd = asked.getIntLE(at) == CONNECT || asked.getIntLE(at) == OLD_CONNECT;
    int value = littleEnd ? asked.getIntLE(at) : asked.getInt(at);
    int answer = value == CONNECT ? CONNECTED : OLD_CONNECTED;
    ByteBuf out = allocator.directBuffer(CONNECT_BYTES);
    return littleEnd ? out.writeIntLE(answer) : out.writeInt(answer);
  }

  private static boolean isOneOf(ByteBuf in, int at, int now, int before) {
    int little = in.getIntLE(at);
    int big = in.getInt(at);
    return little == now || big == now || little == before || big == before;
  }
}
