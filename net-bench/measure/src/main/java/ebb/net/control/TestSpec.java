package ebb.net.control;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What is to be measured, as both ends must know it. Immutable; made by {@link #of}.
 *
 * @param protocol the mechanism that carries the messages, by its name
 * @param mode when the next message goes
 * @param up whether the client sends
 * @param down whether the server sends
 * @param streams flows in each direction
 * @param messageBytes of every message but perhaps the last
 * @param bitsPerSecond of each flow; 0 for as fast as it can
 * @param amountBytes of each flow; 0 for as many as there is time for
 * @param maxMicros the longest it may take, warm-up included; 0 when only the amount ends it
 * @param windowBytes socket buffers; 0 for the system's own
 * @param verify whether the receiver compares the bytes
 * @param parameters what the mechanism alone knows, by name; none below zero
 */
public record TestSpec(
    String protocol,
    Mode mode,
    boolean up,
    boolean down,
    int streams,
    int messageBytes,
    long bitsPerSecond,
    long amountBytes,
    long maxMicros,
    int windowBytes,
    boolean verify,
    Map<String, Long> parameters) {
  public static final int MAX_MESSAGE_BYTES = 65_535;

  public static final int MAX_STREAMS = 256;

  /** The largest socket buffer, in bytes. */
  public static final int MAX_WINDOW_BYTES = 1 << 30;

  public static final int MAX_PARAMETERS = 8;

  /** What mechanisms and their parameters may be called. */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,31}");

  private static final long MAX_BITS_PER_SECOND = 1_000_000_000_000_000L;

  private static final long MAX_AMOUNT = 1L << 60;

  /** When the next message goes. */
  public enum Mode {
    /** At once, or when the pace has it. */
    STREAMING(0),
    /** When the one before has been acknowledged. */
    STOP_AND_WAIT(1),
    /** Whenever it is planned for; each is sent back for itself. */
    ECHO(2);

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
    parameters = Map.copyOf(parameters);
    check(NAME.matcher(protocol).matches(), "a protocol cannot have that name");
    check(up || down, "a test needs a direction");
    check(
        streams >= 1 && streams <= MAX_STREAMS,
        "parallel streams must be between 1 and " + MAX_STREAMS + ": " + streams);
    check(
        messageBytes >= 1 && messageBytes <= MAX_MESSAGE_BYTES,
        "a message has between 1 and " + MAX_MESSAGE_BYTES + " bytes: " + messageBytes);
    check(
        bitsPerSecond >= 0 && bitsPerSecond <= MAX_BITS_PER_SECOND,
        "a rate must be between 0 and 1 Pbit/s: " + bitsPerSecond);
    check(amountBytes >= 0 && amountBytes <= MAX_AMOUNT, "an amount out of range: " + amountBytes);
    check(maxMicros >= 0, "a time cannot be negative: " + maxMicros);
    check(amountBytes > 0 || maxMicros > 0, "a test needs an amount or a time");
    check(
        windowBytes >= 0 && windowBytes <= MAX_WINDOW_BYTES,
        "a socket buffer has at most 1 GiB: " + windowBytes);
    check(parameters.size() <= MAX_PARAMETERS, "too many parameters: " + parameters.size());
    parameters.forEach(
        (name, value) ->
            check(NAME.matcher(name).matches() && value >= 0, "a parameter out of range"));
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** Begins one: the client sends one stream, and the bytes are compared. */
  public static Builder of(String protocol, Mode mode) {
    return new Builder(protocol, mode);
  }

  /** The same with other parts. */
  public Builder toBuilder() {
    Builder same = new Builder(protocol, mode);
    same.up = up;
    same.down = down;
    same.streams = streams;
    same.messageBytes = messageBytes;
    same.bitsPerSecond = bitsPerSecond;
    same.amountBytes = amountBytes;
    same.maxMicros = maxMicros;
    same.windowBytes = windowBytes;
    same.verify = verify;
    same.parameters.putAll(parameters);
    return same;
  }

  /** The parts by name. Not thread-safe. */
  public static final class Builder {
    private final String protocol;
    private final Mode mode;
    private boolean up = true;
    private boolean down;
    private int streams = 1;
    private int messageBytes = 1;
    private long bitsPerSecond;
    private long amountBytes;
    private long maxMicros;
    private int windowBytes;
    private boolean verify = true;
    private final Map<String, Long> parameters = new TreeMap<>();

    private Builder(String protocol, Mode mode) {
      this.protocol = protocol;
      this.mode = mode;
    }

    public Builder directions(boolean toServer, boolean fromServer) {
      up = toServer;
      down = fromServer;
      return this;
    }

    public Builder streams(int each) {
      streams = each;
      return this;
    }

    public Builder messageBytes(long bytes) {
      messageBytes = (int) Math.min(Integer.MAX_VALUE, bytes);
      return this;
    }

    public Builder bitsPerSecond(long rate) {
      bitsPerSecond = rate;
      return this;
    }

    public Builder amountBytes(long bytes) {
      amountBytes = bytes;
      return this;
    }

    public Builder maxMicros(long micros) {
      maxMicros = micros;
      return this;
    }

    public Builder windowBytes(long bytes) {
      windowBytes = (int) Math.min(Integer.MAX_VALUE, bytes);
      return this;
    }

    public Builder verify(boolean compare) {
      verify = compare;
      return this;
    }

    /** What the mechanism alone knows. */
    public Builder parameter(String name, long value) {
      parameters.put(name, value);
      return this;
    }

    /** Checks every range; the message of the exception is one line for users. */
    public TestSpec build() {
      return new TestSpec(
          protocol,
          mode,
          up,
          down,
          streams,
          messageBytes,
          bitsPerSecond,
          amountBytes,
          maxMicros,
          windowBytes,
          verify,
          parameters);
    }
  }

  void write(ByteBuffer out) {
    text(protocol, out).put((byte) mode.code);
    out.put((byte) ((up ? 1 : 0) | (down ? 2 : 0))).put((byte) (verify ? 1 : 0));
    out.putShort((short) streams).putShort((short) messageBytes);
    out.putLong(bitsPerSecond).putLong(amountBytes).putLong(maxMicros).putInt(windowBytes);
    out.put((byte) parameters.size());
    new TreeMap<>(parameters).forEach((name, value) -> text(name, out).putLong(value));
  }

  private static ByteBuffer text(String name, ByteBuffer out) {
    byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
    return out.put((byte) ascii.length).put(ascii);
  }

  private static String text(ByteBuffer in) {
    byte[] ascii = new byte[in.get() & 0xFF];
    in.get(ascii);
    return new String(ascii, StandardCharsets.US_ASCII);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException for one that cannot be
   * @throws java.nio.BufferUnderflowException for one that is cut short
   */
  static TestSpec read(ByteBuffer in) {
    Builder spec = new Builder(text(in), Mode.of(in.get()));
    int directions = in.get();
    spec.directions((directions & 1) != 0, (directions & 2) != 0).verify(in.get() != 0);
    spec.streams(in.getShort() & 0xFFFF).messageBytes(in.getShort() & 0xFFFF);
    spec.bitsPerSecond(in.getLong()).amountBytes(in.getLong()).maxMicros(in.getLong());
    spec.windowBytes(in.getInt());
    int parameters = in.get() & 0xFF;
    check(parameters <= MAX_PARAMETERS, "too many parameters: " + parameters);
    for (int i = 0; i < parameters; i++) {
      spec.parameter(text(in), in.getLong());
    }
    return spec.build();
  }

  /** Between two messages of a flow; 0 when there is no pace. */
  public long messageIntervalMicros() {
    return bitsPerSecond == 0 ? 0 : messageBytes * 8_000_000L / bitsPerSecond;
  }

  /** {@code UDP stop-and-wait}. */
  public String name() {
    return protocol.toUpperCase(Locale.ROOT) + " " + mode.text();
  }
}
