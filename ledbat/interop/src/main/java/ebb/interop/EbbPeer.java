package ebb.interop;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ebb with the command line of the foreign peers ({@code peers/README.md}): the control row of the
 * matrix, in a process of its own as they are.
 */
public final class EbbPeer {
  private EbbPeer() {}

  /** See {@code peers/README.md}. */
  public static void main(String[] args) throws Exception {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 3; i + 1 < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    Transfer.Plan plan =
        new Transfer.Plan(
            !"listen".equals(args[0]),
            number(options, "--send"),
            number(options, "--receive"),
            "first".equals(options.get("--close")),
            number(options, "--seed"));
    InetSocketAddress address = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
    System.exit(run("listen".equals(args[0]), address, plan, number(options, "--timeout")));
  }

  private static long number(Map<String, String> options, String name) {
    String text = options.get(name);
    return text == null ? 0 : Long.parseLong(text);
  }

  private static int run(
      boolean listens, InetSocketAddress address, Transfer.Plan plan, long timeoutSeconds)
      throws IOException, InterruptedException {
    Transfer transfer = new Transfer(plan);
    EndpointListener acceptor =
        new EndpointListener() {
          @Override
          public void onAccepted(LedbatConnection connection) {
            event("connected", Map.of());
            connection.setListener(transfer);
            transfer.start(connection);
          }
        };
    InetSocketAddress local = listens ? address : new InetSocketAddress(address.getAddress(), 0);
    try (NettyDriver driver =
        NettyDriver.bind(
            NettyDriverConfig.at(local),
            LedbatConfig.defaults(),
            new UnpredictableRandom(),
            acceptor)) {
      if (listens) {
        event("listening", Map.of("port", driver.localAddress().getPort()));
      } else {
        driver.execute((endpoint, now) -> endpoint.connect(address, transfer, now));
      }
      Transfer.Result result = transfer.ended().get(timeoutSeconds, TimeUnit.SECONDS);
      boolean ok = result.reason() == CloseReason.FINISHED;
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("sent", result.sentBytes());
      fields.put("received", result.receivedBytes());
      fields.put("sentSha256", result.sentSha256());
      fields.put("receivedSha256", result.receivedSha256());
      fields.put("retransmits", result.stats().packetsRetransmitted());
      fields.put("seconds", result.micros() / 1e6);
      fields.put("end", ok ? "eof" : "error: " + result.reason());
      fields.put("version", "ebb");
      event("done", fields);
      if (ok) {
        // Our last acknowledgement may be lost: answer repeated FINs as a long-lived program would.
        Thread.sleep(1_500);
      }
      return ok ? 0 : 5;
    } catch (TimeoutException | ExecutionException e) {
      event("done", Map.of("end", "timeout"));
      return 5;
    }
  }

  private static void event(String name, Map<String, ?> fields) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("event", name);
    line.putAll(fields);
    try {
      System.out.println(JSON.std.asString(line));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
