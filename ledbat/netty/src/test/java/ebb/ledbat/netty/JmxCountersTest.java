package ebb.ledbat.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.trace.Counters;
import ebb.ledbat.trace.Metric;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What a driver counted, as a stranger to it reads it over JMX. */
class JmxCountersTest {
  private static final int BYTES = 200_000;
  private static final ObjectName COUNTERS = pattern();

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  private static ObjectName pattern() {
    try {
      return new ObjectName("ebb.ledbat:type=Counters,*");
    } catch (javax.management.MalformedObjectNameException bad) {
      throw new IllegalStateException(bad);
    }
  }

  private static NettyDriver driver(EndpointListener listener) throws Exception {
    InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return NettyDriver.bind(
        NettyDriverConfig.at(local), LedbatConfig.defaults(), new java.util.Random(1), listener);
  }

  @Test
  @SuppressWarnings("try") // the registration is there to be closed
  void theNumbersOfADriverAndItsEndpointAreAttributes() throws Exception {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    EndpointListener reads =
        new EndpointListener() {
          @Override
          public void onAccepted(LedbatConnection connection) {
            connection.setListener(new Reader());
          }
        };
    try (NettyDriver receiver = driver(reads);
        NettyDriver sender = driver(new EndpointListener() {});
        JmxCounters.Registration unused =
            JmxCounters.register("test \"receiver\"", receiver.counters())) {
      sender.execute(
          (endpoint, now) -> {
            LedbatConnection connection =
                endpoint.connect(receiver.localAddress(), new Ends(ended), now);
            connection.write(ByteBuffer.allocate(BYTES), now);
            connection.finish(now);
          });
      ended.get(60, TimeUnit.SECONDS);
      ObjectName name = theOnly();

      AttributeList all = server.getAttributes(name, names(receiver.counters()));

      assertThat(all).hasSize(receiver.counters().metrics().size());
      assertThat((long) server.getAttribute(name, "bytes_in")).isGreaterThan(BYTES);
      assertThat((long) server.getAttribute(name, "datagrams_received"))
          .isGreaterThan(BYTES / 1_500)
          .isLessThanOrEqualTo((long) server.getAttribute(name, "datagrams_in"));
      assertThat(all).contains(new Attribute("implausible", 0L));
      MBeanAttributeInfo connections = info(name, "connections");
      assertThat(connections.getDescriptor().getFieldValue("metricType")).isEqualTo("gauge");
      assertThat(connections.getDescriptor().getFieldValue("units")).isEqualTo("connections");
      assertThat(connections.isWritable()).isFalse();
      assertThatThrownBy(() -> JmxCounters.register("test \"receiver\"", sender.counters()))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(server.queryNames(COUNTERS, null)).as("closing takes them back").isEmpty();
  }

  private ObjectName theOnly() {
    return server.queryNames(COUNTERS, null).iterator().next();
  }

  private MBeanAttributeInfo info(ObjectName name, String attribute) throws Exception {
    return List.of(server.getMBeanInfo(name).getAttributes()).stream()
        .filter(info -> info.getName().equals(attribute))
        .findFirst()
        .orElseThrow();
  }

  private static String[] names(Counters counters) {
    return counters.metrics().stream().map(Metric::name).toArray(String[]::new);
  }

  private static final class Ends implements ConnectionListener {
    private final CompletableFuture<Void> ended;

    Ends(CompletableFuture<Void> ended) {
      this.ended = ended;
    }

    @Override
    public void onClosed(LedbatConnection connection, CloseReason reason) {
      ended.complete(null);
    }
  }

  private static final class Reader implements ConnectionListener {
    @Override
    public void onReadable(LedbatConnection connection) {
      ByteBuffer target = ByteBuffer.allocate(1 << 16);
      while (connection.read(target, 0) > 0) {
        target.clear();
      }
    }

    @Override
    public void onPeerFinished(LedbatConnection connection) {
      connection.finish(0);
    }
  }
}
