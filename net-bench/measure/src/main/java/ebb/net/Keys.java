package ebb.net;

/**
 * The names of the figures, facts and columns of results that are written in one place and read in
 * another. docs/net-bench.md says what they mean.
 */
public final class Keys {
  // What was measured.
  public static final String PROTOCOL = "protocol";

  /** What a flow's transport says of itself, in words. */
  public static final String TRANSPORT = "transport";

  /** How LEDBAT begins these words; its controller follows. */
  public static final String LEDBAT_CONTROLLER = "LEDBAT controller here: ";

  public static final String MODE = "mode";
  public static final String SERVER = "server";
  public static final String MESSAGE_BYTES = "message_bytes";
  public static final String ASKED_RATE = "asked_rate_bits_per_second";
  public static final String RUN = "run";
  public static final String FROM = "from";
  public static final String TO = "to";
  public static final String ADDRESS = "address";
  public static final String HOSTS = "hosts";
  public static final String MEASURED_BY = "measured_by";

  // A run as a row, or one direction of it.
  public static final String COMPLETE = "complete";
  public static final String FAILURE = "failure";
  public static final String TRANSMISSION_MICROS = "transmission_micros";
  public static final String SENT_MESSAGES = "sent_messages";
  public static final String SENT_BYTES = "sent_bytes";
  public static final String SENT_RATE = "sent_rate_bits_per_second";
  public static final String RECEIVED_MESSAGES = "received_messages";
  public static final String RECEIVED_BYTES = "received_bytes";
  public static final String RECEIVED_RATE = "received_rate_bits_per_second";
  public static final String LOST_MESSAGES = "lost_messages";
  public static final String LOSS_RATIO = "loss_ratio";
  public static final String DUPLICATE_MESSAGES = "duplicate_messages";
  public static final String OUT_OF_ORDER_MESSAGES = "out_of_order_messages";
  public static final String RETRANSMITTED_MESSAGES = "retransmitted_messages";
  public static final String JITTER_MICROS = "jitter_micros";
  public static final String ROUND_TRIP = "round_trip";
  public static final String PLANNED_ROUND_TRIP = "planned_round_trip";
  public static final String ROUND_TRIP_P50 = "round_trip_p50_micros";
  public static final String ROUND_TRIP_P99 = "round_trip_p99_micros";

  // An interval of a flow.
  public static final String FROM_MICROS = "from_micros";
  public static final String TO_MICROS = "to_micros";
  public static final String STREAM = "stream";
  public static final String SIDE = "side";
  public static final String RATE = "rate_bits_per_second";
  public static final String RECEIVER_RATE = "receiver_rate_bits_per_second";
  public static final String RECEIVER_LOST_MESSAGES = "receiver_lost_messages";
  public static final String RECEIVER_JITTER_MICROS = "receiver_jitter_micros";

  private Keys() {}
}
