package ebb.core.kompics;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Why an object did not become bytes, or bytes no object; the message is one line. */
public final class SerializationFailure extends Exception {
  @Serial private static final long serialVersionUID = 1;

  /** The kinds of failure. */
  public enum Reason {
    /** Its class has no serializer, or no serializer has the identifier received. */
    NO_SERIALIZER,
    /** It does not fit into what the buffer may hold. */
    TOO_LARGE,
    /** The received bytes are not valid. */
    MALFORMED,
    /** The serializer threw something else. */
    BROKEN_SERIALIZER
  }

  private final Reason reason;

  SerializationFailure(Reason reason, String message, @Nullable Throwable cause) {
    // Received garbage is common and says nothing by where it was found.
    super(message, cause, false, reason == Reason.BROKEN_SERIALIZER);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
