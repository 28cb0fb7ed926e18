package ebb.ledbat.kompics;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads configurations from HOCON, as {@code reference.conf} describes them. */
public final class LedbatConfigs {
  private static final String ENGINE = "ebb.ledbat";
  private static final String MESSAGES = "ebb.ledbat.messages";

  private LedbatConfigs() {}

  /** What {@code application.conf}, system properties and the defaults say together. */
  public static Config load() {
    return ConfigFactory.load(LedbatConfigs.class.getClassLoader());
  }

  /**
   * The engine's configuration from {@code root}'s {@code ebb.ledbat}.
   *
   * @throws IllegalArgumentException with one line, for a value that is missing, of the wrong kind
   *     or out of range, or a controller that there is none of
   */
  public static LedbatConfig fromConfig(Config root) {
    return fromConfig(root, CongestionControllers.all());
  }

  /**
   * The same, with congestion controllers of the caller's own.
   *
   * @param controllers what the setting may name
   */
  public static LedbatConfig fromConfig(Config root, List<ControllerFactory> controllers) {
    try {
      Config in = root.getConfig(ENGINE);
      return LedbatConfig.defaults().toBuilder()
          .controller(CongestionControllers.byName(in.getString("controller"), controllers))
          .targetDelayMicros(micros(in, "target-delay"))
          .gain(in.getDouble("gain"))
          .allowedIncreaseMss(in.getDouble("allowed-increase-mss"))
          .initCwndMss(in.getInt("init-cwnd-mss"))
          .minCwndMss(in.getInt("min-cwnd-mss"))
          .baseHistoryMinutes(in.getInt("base-history-minutes"))
          .currentFilterSamples(in.getInt("current-filter-samples"))
          .slowStart(in.getBoolean("slow-start"))
          .minRtoMicros(micros(in, "min-rto"))
          .maxRtoMicros(micros(in, "max-rto"))
          .initialRtoMicros(micros(in, "initial-rto"))
          .connectTimeoutMicros(micros(in, "connect-timeout"))
          .giveUpMicros(micros(in, "give-up"))
          .keepaliveMicros(micros(in, "keepalive"))
          .receiveBufferBytes(bytes(in, "receive-buffer"))
          .sendBufferBytes(bytes(in, "send-buffer"))
          .minDatagramBytes(bytes(in, "min-datagram"))
          .initialDatagramBytes(bytes(in, "initial-datagram"))
          .maxDatagramBytes(bytes(in, "max-datagram"))
          .maxRateBytesPerSecond(in.getBytes("max-rate"))
          .receiveController(receiveController(in.getString("receive-controller"), controllers))
          .receiveTargetDelayMicros(micros(in, "receive-target-delay"))
          .receiveMaxRateBytesPerSecond(in.getBytes("receive-max-rate"))
          .maxConnections(in.getInt("max-connections"))
          .maxHalfOpen(in.getInt("max-half-open"))
          .maxBufferedBytes(in.getBytes("max-buffered"))
          .loops(in.getInt("loops"))
          .accepting(in.getBoolean("accepting"))
          .ebbOnly(in.getBoolean("ebb-only"))
          .build();
    } catch (ConfigException e) {
      throw oneLine(e);
    }
  }

  private static @Nullable ControllerFactory receiveController(
      String name, List<ControllerFactory> controllers) {
    return name.equals("none") ? null : CongestionControllers.byName(name, controllers);
  }

  /**
   * The bounds of {@link LedbatNetwork} from {@code root}'s {@code ebb.ledbat.messages}.
   *
   * @throws IllegalArgumentException as {@link #fromConfig}
   */
  public static MessageConfig messagesFromConfig(Config root) {
    try {
      Config in = root.getConfig(MESSAGES);
      return new MessageConfig(
          bytes(in, "max-message"),
          in.getBytes("max-queued-per-peer"),
          in.getBytes("max-queued"),
          in.getBytes("max-received"),
          in.getInt("max-sessions"),
          micros(in, "hello-timeout"),
          micros(in, "idle-timeout"),
          micros(in, "stall-timeout"),
          in.getBoolean("foreign-sources"));
    } catch (ConfigException e) {
      throw oneLine(e);
    }
  }

  private static long micros(Config in, String path) {
    return in.getDuration(path, TimeUnit.MICROSECONDS);
  }

  private static int bytes(Config in, String path) {
    long bytes = in.getBytes(path);
    if (bytes != (int) bytes) {
      throw new IllegalArgumentException(path + " is too large: " + bytes);
    }
    return (int) bytes;
  }

  private static IllegalArgumentException oneLine(ConfigException e) {
    String message = String.valueOf(e.getMessage());
    return new IllegalArgumentException(message.lines().findFirst().orElse("bad configuration"), e);
  }
}
