package ebb.ledbat.netty;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;

/** Why the kernel did not take a datagram, as far as the driver has to tell cases apart. */
enum SendFailure {
  /** EMSGSIZE: larger than the link, and DF is set. */
  TOO_LARGE,
  /** EIO: this device cannot segment, so GSO is not for it. */
  NO_OFFLOAD,
  /** EINVAL: of a segmented burst, as NO_OFFLOAD; of a single datagram, no such destination. */
  INVALID,
  /** No way to the destination from here. */
  UNREACHABLE,
  /** The channel is closed. */
  CLOSED,
  OTHER;

  private static final boolean NATIVE = EpollPresence.unavailability() == null;

  private static final int EIO = -5;
  private static final int EINVAL = -22;
  private static final int EMSGSIZE = -90;
  private static final int EAFNOSUPPORT = -97;
  private static final int ENETUNREACH = -101;
  private static final int ECONNREFUSED = -111;
  private static final int EHOSTUNREACH = -113;

  static SendFailure of(Throwable cause) {
    if (cause instanceof ClosedChannelException) {
      return CLOSED;
    }
    int errno = NATIVE ? NativeEpoll.errno(cause) : 0;
    if (errno != 0) {
      return switch (errno) {
        case EMSGSIZE -> TOO_LARGE;
        case EIO -> NO_OFFLOAD;
        case EINVAL -> INVALID;
        case ENETUNREACH, EHOSTUNREACH, ECONNREFUSED, EAFNOSUPPORT -> UNREACHABLE;
        default -> OTHER;
      };
    }
    if (cause instanceof PortUnreachableException
        || cause instanceof NoRouteToHostException
        || cause instanceof ConnectException
        || cause instanceof UnresolvedAddressException) {
      return UNREACHABLE;
    }
    // The JDK has no type for these, only strerror's text.
    String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    if (text.contains("message too long")) {
      return TOO_LARGE;
    }
    if (text.contains("unreachable") || text.contains("not supported by protocol")) {
      return UNREACHABLE;
    }
    return text.contains("invalid argument") ? INVALID : OTHER;
  }
}
