package ebb.ledbat.endpoint;

import ebb.ledbat.config.LedbatConfig;
import java.util.function.Consumer;

/**
 * One endpoint's part of a port: the whole, or what {@link Steering} gives it of a port that has
 * several. Places are common to all of them; memory and resets to strangers are divided.
 *
 * @param loop this endpoint's number, from 0
 * @param loops how many endpoints the port has
 * @param places the same for all of them
 * @param context runs a task in this endpoint's context; any thread, also before the endpoint has
 *     got its first datagram
 */
public record PortPart(int loop, int loops, Places places, Consumer<EndpointDriver.Task> context) {
  static PortPart whole(LedbatConfig config) {
    return new PortPart(
        0,
        1,
        new Places(config),
        task -> {
          throw new IllegalStateException("there is no other endpoint");
        });
  }
}
