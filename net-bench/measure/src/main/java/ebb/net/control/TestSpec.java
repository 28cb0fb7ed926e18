package ebb.net.control;

import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * What is to be measured, as both ends must know it. Immutable.
 *
 * @param protocol what carries the messages
 * @param mode whether each message waits for the acknowledgement of the one before
 * @param up whether the client sends
 * @param down whether the server sends
 * @param streams flows in each direction
 * @param messageBytes of every message but perhaps the last
 * @param bitsPerSecond of each flow; 0 for as fast as it can
 * @param amountBytes of each flow; 0 for as many as there is time for
 * @param maxMicros the longest it may take, warm-up included; 0 when only the amount ends it
 * @param ackTimeoutMicros of stop-and-wait over UDP; 0 to adapt
 * @param windowBytes socket buffers; 0 for the system's own
 * @param verify whether the receiver compares the bytes
 */
public record TestSpec(
    Protocol protocol,
    Mode mode,
    boolean up,
    boolean down,
    int streams,
    int messageBytes,
    long bitsPerSecond,
    long amountBytes,
    long maxMicros,
    long ackTimeoutMicros,
    int windowBytes,
    boolean verify) {
  public static final int MAX_MESSAGE_BYTES = 65_535;

  /** What one datagram can carry over IPv4. */
  public static final int MAX_UDP_BYTES = 65_507;

  public static final int MAX_STREAMS = 128;

  static final int BYTES = 4 + 2 + 2 + 4 * 8 + 4;

  private static final long MAX_BITS_PER_SECOND = 1_000_000_000_000_000L;
  private static final long MAX_AMOUNT = 1L << 60;

  /** What carries messages. */
  public enum Protocol {
    TCP(0),
    UDP(1),
    LEDBAT(2);

    final int code;

    Protocol(int code) {
      this.code = code;
    }

    private static Protocol of(int code) {
      for (Protocol known : values()) {
        if (known.code == code) {
          return known;
        }
      }
      throw new IllegalArgumentException("an unknown protocol");
    }

    /** As options spell it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** When the next message goes. */
  public enum Mode {
    STREAMING(0),
    STOP_AND_WAIT(1);

    final int code;

    Mode(int code) {
      this.code = code;
    }

    private static Mode of(int code) {
      for (Mode known : values()) {
        if (known.code == code) {
          return known;
        }
      }
      throw new IllegalArgumentException("an unknown mode");
    }

    /** As options spell it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Checks every range; the message of the exception is one line for users. */
  public TestSpec {
    check(up || down, "a test needs a direction");
    check(
        streams >= 1 && streams <= MAX_STREAMS,
        "parallel streams must be between 1 and " + MAX_STREAMS + ": " + streams);
    check(
        messageBytes >= 1 && messageBytes <= MAX_MESSAGE_BYTES,
        "a message has between 1 and " + MAX_MESSAGE_BYTES + " bytes: " + messageBytes);
    check(
        protocol != Protocol.UDP || messageBytes <= MAX_UDP_BYTES,
        "a UDP datagram carries at most " + MAX_UDP_BYTES + " bytes: " + messageBytes);
    check(
        bitsPerSecond >= 0 && bitsPerSecond <= MAX_BITS_PER_SECOND,
        "a rate must be between 0 and 1 Pbit/s: " + bitsPerSecond);
    check(amountBytes >= 0 && amountBytes <= MAX_AMOUNT, "an amount out of range: " + amountBytes);
    check(maxMicros >= 0, "a time cannot be negative: " + maxMicros);
    check(amountBytes > 0 || maxMicros > 0, "a test needs an amount or a time");
    check(ackTimeoutMicros >= 0, "a time-out cannot be negative: " + ackTimeoutMicros);
    check(
        windowBytes >= 0 && windowBytes <= 1 << 30,
        "a socket buffer has at most 1 GiB: " + windowBytes);
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  void write(ByteBuffer out) {
    out.put((byte) protocol.code).put((byte) mode.code);
    out.put((byte) ((up ? 1 : 0) | (down ? 2 : 0))).put((byte) (verify ? 1 : 0));
    out.putShort((short) streams).putShort((short) messageBytes);
    out.putLong(bitsPerSecond).putLong(amountBytes).putLong(maxMicros).putLong(ackTimeoutMicros);
    out.putInt(windowBytes);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException for one that cannot be
   */
  static TestSpec read(ByteBuffer in) {
    Protocol protocol = Protocol.of(in.get());
    Mode mode = Mode.of(in.get());
    int directions = in.get();
    boolean verify = in.get() != 0;
    int streams = in.getShort() & 0xFFFF;
    int messageBytes = in.getShort() & 0xFFFF;
    long bitsPerSecond = in.getLong();
    long amountBytes = in.getLong();
    long maxMicros = in.getLong();
    long ackTimeoutMicros = in.getLong();
    int windowBytes = in.getInt();
    return new TestSpec(
        protocol,
        mode,
        (directions & 1) != 0,
        (directions & 2) != 0,
        streams,
        messageBytes,
        bitsPerSecond,
        amountBytes,
        maxMicros,
        ackTimeoutMicros,
        windowBytes,
        verify);
  }

  /** {@code UDP stop-and-wait}. */
  public String name() {
    return protocol.name() + " " + mode.text();
  }
}
