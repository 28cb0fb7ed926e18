package ebb.net.iperf;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.mechanism.ServiceMark;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an iperf3 client asks for.
 *
 * @param spec the same as Ebb has it; as long as the server lets it be where an amount ends it
 * @param omitMicros at the start, not counted
 * @param wideCounters whether datagrams have numbers of 64 bits instead of 32
 */
public record Iperf3Parameters(TestSpec spec, long omitMicros, boolean wideCounters) {
  /** Of a flow's spec: that its other end is iperf3's; 64 bits or 32 of a datagram's number. */
  public static final String COUNTER_BITS = "iperf3_counter_bits";

  /** iperf3 has the same bounds. */
  private static final long MAX_SECONDS = 86_400;

  private static final long MAX_OMIT_SECONDS = 600;
  public static final int MAX_STREAMS = 128;

  /**
   * A test whose other side is iperf3's.
   *
   * @throws IllegalArgumentException with one line when iperf3 has no such test
   */
  public static TestSpec adapted(TestSpec spec) {
    boolean known = spec.protocol().equals("tcp") || spec.protocol().equals("udp");
    if (!known || spec.mode() != Mode.STREAMING) {
      throw new IllegalArgumentException("iperf3 has streams of TCP and UDP, no " + spec.name());
    }
    if (spec.streams() > MAX_STREAMS) {
      throw new IllegalArgumentException(
          "iperf3 has at most " + MAX_STREAMS + " streams: " + spec.streams());
    }
    return spec.toBuilder().verify(false).parameter(COUNTER_BITS, Long.SIZE).build();
  }

  /** Whether the other end of the test's flows is iperf3's. */
  public static boolean isIperf3(TestSpec spec) {
    return spec.parameters().containsKey(COUNTER_BITS);
  }

  /** Whether datagrams of the test have numbers of 64 bits. */
  public static boolean wideCounters(TestSpec spec) {
    return spec.parameters().getOrDefault(COUNTER_BITS, 0L) == Long.SIZE;
  }

  /**
   * What a client says who wants this.
   *
   * @param omitSeconds of the spec's time, at its start
   */
  public static String text(TestSpec spec, long omitSeconds) {
    Map<String, Object> says = new LinkedHashMap<>();
    says.put(spec.protocol(), true);
    says.put("omit", omitSeconds);
    boolean amount = spec.amountBytes() > 0;
    // It takes whole seconds; the client is who ends it.
    says.put(
        "time", amount ? 0 : Math.max(1, (spec.maxMicros() + 999_999) / 1_000_000) - omitSeconds);
    says.put("num", spec.amountBytes() * spec.streams());
    says.put("blockcount", 0);
    says.put("parallel", spec.streams());
    if (spec.down()) {
      says.put(spec.up() ? "bidirectional" : "reverse", true);
    }
    if (spec.windowBytes() > 0) {
      says.put("window", spec.windowBytes());
    }
    says.put("len", spec.messageBytes());
    if (spec.bitsPerSecond() > 0) {
      says.put("bandwidth", spec.bitsPerSecond());
    }
    says.put("pacing_timer", 1_000);
    ServiceMark.of(spec).ifPresent(tos -> says.put("TOS", tos));
    if (wideCounters(spec)) {
      says.put("udp_counters_64bit", 1);
    }
    says.put("client_version", "3.12");
    return write(says);
  }

  /**
   * Reads what a client says.
   *
   * @param longestMicros for a test that only an amount ends
   * @throws IllegalArgumentException with one line when it cannot be
   */
  public static Iperf3Parameters read(byte[] json, long longestMicros) {
    Map<String, Object> says = map(json);
    if (flag(says, "sctp") || flag(says, "mptcp")) {
      throw new IllegalArgumentException("this server has no SCTP and no Multipath TCP");
    }
    boolean udp = flag(says, "udp");
    if (udp == flag(says, "tcp")) {
      throw new IllegalArgumentException("a test is by TCP or by UDP");
    }
    if (says.get("authtoken") != null) {
      throw new IllegalArgumentException("this server knows no users and passwords");
    }
    long omit = number(says, "omit", 0, MAX_OMIT_SECONDS) * 1_000_000;
    long seconds = number(says, "time", 0, MAX_SECONDS);
    boolean bounded =
        number(says, "num", 0, Long.MAX_VALUE) == 0
            && number(says, "blockcount", 0, Long.MAX_VALUE) == 0
            && seconds > 0;
    boolean both = flag(says, "bidirectional");
    boolean down = both || flag(says, "reverse");
    boolean wide = number(says, "udp_counters_64bit", 0, 1) == 1;
    TestSpec.Builder spec =
        TestSpec.of(udp ? "udp" : "tcp", Mode.STREAMING)
            .directions(both || !down, down)
            .streams((int) Math.max(1, number(says, "parallel", 0, MAX_STREAMS)))
            .messageBytes(length(says, udp))
            .bitsPerSecond(number(says, "bandwidth", 0, Long.MAX_VALUE))
            .windowBytes(number(says, "window", 0, 1 << 30))
            .maxMicros(bounded ? seconds * 1_000_000 + omit : longestMicros)
            .verify(false)
            .parameter(COUNTER_BITS, wide ? Long.SIZE : Integer.SIZE);
    int tos = (int) number(says, "TOS", 0, 255);
    if (tos > 0) {
      ServiceMark.put(spec, tos);
    }
    return new Iperf3Parameters(spec.build(), omit, wide);
  }

  /** Ebb's messages are shorter than iperf3's longest blocks, which nobody can tell in a stream. */
  private static long length(Map<String, Object> says, boolean udp) {
    long asked = number(says, "len", 0, Integer.MAX_VALUE);
    if (asked == 0) {
      return udp ? 1_460 : TestSpec.MAX_MESSAGE_BYTES;
    }
    return udp ? asked : Math.min(asked, TestSpec.MAX_MESSAGE_BYTES);
  }

  private static boolean flag(Map<String, Object> says, String name) {
    return Boolean.TRUE.equals(says.get(name));
  }

  private static long number(Map<String, Object> says, String name, long min, long max) {
    Object value = says.get(name);
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value) ? 1 : 0;
    }
    if (!(value instanceof Number given)
        || !(given.doubleValue() >= min && given.doubleValue() <= max)) {
      throw new IllegalArgumentException("the client's \"" + name + "\" is out of range");
    }
    return given.longValue();
  }

  /** An object, whoever wrote it. */
  static Map<String, Object> map(byte[] json) {
    try {
      // iperf3 itself writes some twice.
      return JSON.std.without(JSON.Feature.FAIL_ON_DUPLICATE_MAP_KEYS).mapFrom(json);
    } catch (IOException | RuntimeException wrong) {
      throw new IllegalArgumentException("what came is no JSON object", wrong);
    }
  }

  static String write(Map<String, Object> object) {
    try {
      return JSON.std.asString(object);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
