package ebb.core.kompics;

import java.io.Serial;

/**
 * Received bytes are not what they should be. Thrown by serializers, whose interface allows no
 * checked exception; {@link EbbSerializers#decode} turns it into one. Carries no stack trace:
 * strangers can cause it at will.
 */
public final class MalformedMessageException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public MalformedMessageException(String message) {
    super(message, null, false, false);
  }
}
