package ebb.ledbat.netty;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Starts endpoints with a UDP socket, a thread and unpredictable numbers each. It is apart from
 * {@link DriverStarter} because Kompics' simulator refuses to load any class that names {@link
 * SecureRandom}, used or not.
 */
final class NettyStarter implements DriverStarter {
  @Override
  public EndpointDriver start(
      InetSocketAddress local, LedbatConfig config, EndpointListener listener) throws IOException {
    return NettyDriver.bind(NettyDriverConfig.at(local), config, new SecureRandom(), listener);
  }

  @Override
  public List<EndpointDriver> startLoops(
      InetSocketAddress local, LedbatConfig config, IntFunction<EndpointListener> listeners)
      throws IOException {
    NettyDriverConfig driver = NettyDriverConfig.at(local);
    return List.copyOf(NettyDrivers.bind(driver, config, new SecureRandom(), listeners).all());
  }
}
