package ebb.ledbat.netty;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket's "don't fragment" state. Path MTU probing needs it on: without it a probe that is too
 * large arrives in pieces and proves nothing. Used on the loop.
 */
final class DontFragment {
  /** Sets the socket's option; false when it has none. */
  @FunctionalInterface
  interface Setter {
    boolean set(boolean on);
  }

  private final Setter setter;
  private final boolean supported;
  private boolean on;

  DontFragment(Setter setter) {
    this.setter = setter;
    supported = setter.set(true);
    on = supported;
  }

  static DontFragment ofNio(DatagramChannel channel) {
    SocketOption<Boolean> option = jdkOption();
    return new DontFragment(
        value -> {
          if (option == null) {
            return false;
          }
          try {
            channel.setOption(option, value);
            return true;
          } catch (IOException | UnsupportedOperationException e) {
            return false;
          }
        });
  }

  /** IP_DONTFRAGMENT came with JDK 19, and this code is compiled for 17. */
  @SuppressWarnings("unchecked") // jdk.net documents its type
  private static @Nullable SocketOption<Boolean> jdkOption() {
    try {
      Class<?> options = Class.forName("jdk.net.ExtendedSocketOptions");
      return (SocketOption<Boolean>) options.getField("IP_DONTFRAGMENT").get(null);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Whether this socket can set DF at all. */
  boolean supported() {
    return supported;
  }

  boolean isOn() {
    return on;
  }

  /** Whether {@link #set} would have to change anything. */
  boolean needsChange(boolean wanted) {
    return supported && wanted != on;
  }

  void set(boolean wanted) {
    if (needsChange(wanted) && setter.set(wanted)) {
      on = wanted;
    }
  }
}
