package ebb.net.server;

import ebb.core.units.Human;
import ebb.net.Mechanisms;
import ebb.net.control.NetKey;
import ebb.net.control.TestSpec;
import ebb.net.mechanism.Mechanism;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a server allows each client, so that it is no weapon in anybody's hands.
 *
 * @param maxMicros the longest test, or reservation
 * @param maxBitsPerSecond of each test, each way; 0 for no bound
 * @param maxSessions clients at once
 * @param key which clients must prove to have; null for none
 */
public record ServerLimits(
    long maxMicros, long maxBitsPerSecond, int maxSessions, @Nullable NetKey key) {
  /** The longest test where nobody says otherwise. */
  public static final long DEFAULT_MAX_MICROS = 2 * 3_600_000_000L;

  public static final int DEFAULT_SESSIONS = 1_000;

  /** For a connection to say what it is for. */
  public static final int HELLO_SECONDS = 5;

  /** For so long a client may measure nothing. */
  public static final int IDLE_SECONDS = 60;

  /** The same while another client waits for the place. */
  public static final int IDLE_WHILE_OTHERS_WAIT_SECONDS = 10;

  /** No more bounds than every server has. */
  public static final ServerLimits NONE =
      new ServerLimits(DEFAULT_MAX_MICROS, 0, DEFAULT_SESSIONS, null);

  /** Checks the ranges; the message of the exception is one line for users. */
  public ServerLimits {
    if (maxMicros < 1) {
      throw new IllegalArgumentException("--max-time must be more than 0");
    }
    if (maxSessions < 1) {
      throw new IllegalArgumentException("--max-clients must be at least 1: " + maxSessions);
    }
  }

  /** Why a test is not allowed; empty when it is. */
  String refusal(TestSpec spec) {
    Optional<Mechanism> mechanism = Mechanisms.find(spec.protocol());
    if (mechanism.isPresent()) {
      try {
        mechanism.get().check(spec);
      } catch (IllegalArgumentException impossible) {
        return String.valueOf(impossible.getMessage());
      }
    }
    if (spec.maxMicros() > maxMicros) {
      return "this server allows tests of "
          + Human.micros(maxMicros)
          + " at most, this one asks for "
          + Human.micros(spec.maxMicros());
    }
    if (maxBitsPerSecond > 0) {
      // Both directions are bounded alone: a client that wants both has half the trouble.
      long asked = spec.bitsPerSecond() * spec.streams();
      if (asked == 0 || asked > maxBitsPerSecond) {
        return "this server allows "
            + Human.bitRate((double) maxBitsPerSecond)
            + " at most, this test asks for "
            + (asked == 0 ? "no bound (set one with -b)" : Human.bitRate((double) asked));
      }
    }
    return "";
  }
}
