package ebb.ledbat.kompics.guide;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbMsg;
import ebb.core.kompics.EbbSerializer;
import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.PunctualComponent;
import ebb.core.kompics.Wire;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.EbbNetwork;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Kompics;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.Transport;

/** The example of docs/kompics.md, written with nothing but what is public. */
@Timeout(60)
class GreetingGuideTest {
  /** A message of one's own: immutable, bounded, with a serializer. */
  static final class Greeting extends EbbMsg {
    static final int MAX_TEXT_BYTES = 1_000;
    final String text;

    Greeting(EbbHeader header, String text) {
      super(header);
      this.text = text;
    }

    static final class Serializer extends EbbSerializer<Greeting> {
      Serializer() {
        super(EbbSerializers.FIRST_APPLICATION_ID, Greeting.class);
      }

      @Override
      protected void write(Greeting greeting, ByteBuf out) {
        Wire.writeHeader(greeting.getHeader(), out);
        Wire.writeText(greeting.text, out);
      }

      @Override
      protected Greeting read(ByteBuf in) {
        return new Greeting(Wire.readHeader(in), Wire.readText(in, MAX_TEXT_BYTES));
      }
    }
  }

  /**
   * Answers "hello" with "welcome" by the same transport, and tells what it hears. Greets once more
   * only when welcomed: a datagram to a peer that does not listen yet is lost, LEDBAT tries again.
   */
  public static final class Greeter extends ComponentDefinition {
    private final Positive<Network> network = requires(Network.class);
    private final Queue<EbbHeader> toGreet;

    public Greeter(Init init) {
      super(PunctualComponent.class);
      toGreet = new ArrayDeque<>(List.of(init.toGreet));
      handle(
          network,
          Greeting.class,
          greeting -> {
            init.heard.add(greeting.getHeader().transport() + " " + greeting.text);
            if (greeting.text.equals("hello")) {
              trigger(new Greeting(greeting.getHeader().reply(), "welcome"), network);
            } else {
              greetNext();
            }
          });
      handle(
          network,
          MessageNotify.Resp.class,
          answer -> init.heard.add("sent: " + answer.getState()));
      handle(control, Start.class, start -> greetNext());
    }

    private void greetNext() {
      EbbHeader header = toGreet.poll();
      if (header != null) {
        trigger(MessageNotify.create(new Greeting(header, "hello")), network);
      }
    }

    /** What the component needs to know. */
    public static final class Init extends se.sics.kompics.Init<Greeter> {
      final BlockingQueue<String> heard;
      final EbbHeader[] toGreet;

      Init(BlockingQueue<String> heard, EbbHeader... toGreet) {
        this.heard = heard;
        this.toGreet = toGreet;
      }
    }
  }

  /** Two nodes in one process, each a network and an application. */
  public static final class Root extends ComponentDefinition {
    public Root(Init init) {
      super(PunctualComponent.class);
      node(init.server, new Greeter.Init(init.heardByServer));
      node(
          init.client,
          new Greeter.Init(
              init.heardByClient,
              new EbbHeader(init.client, init.server, Transport.LEDBAT),
              new EbbHeader(init.client, init.server, Transport.UDP)));
    }

    private void node(EbbAddress self, Greeter.Init greeter) {
      Component network =
          create(
              EbbNetwork.class,
              new EbbNetwork.Init(self, LedbatConfig.defaults(), new UnpredictableRandom())
                  .withoutTcp());
      Component application = create(Greeter.class, greeter);
      connect(
          network.getPositive(Network.class),
          application.getNegative(Network.class),
          Channel.TWO_WAY);
    }

    /** What the component needs to know. */
    public static final class Init extends se.sics.kompics.Init<Root> {
      final EbbAddress server;
      final EbbAddress client;
      final BlockingQueue<String> heardByServer = new LinkedBlockingQueue<>();
      final BlockingQueue<String> heardByClient = new LinkedBlockingQueue<>();

      Init(EbbAddress server, EbbAddress client) {
        this.server = server;
        this.client = client;
      }
    }
  }

  @Test
  void theExampleOfTheGuideGreetsByLedbatAndByUdp() throws Exception {
    EbbSerializers.register(new Greeting.Serializer());
    Root.Init init = new Root.Init(free(), free());
    Kompics.createAndStart(Root.class, init, 2);
    try {
      assertThat(take(init.heardByServer, 2)).containsExactly("LEDBAT hello", "UDP hello");
      assertThat(take(init.heardByClient, 4))
          .containsExactlyInAnyOrder("sent: SENT", "sent: SENT", "LEDBAT welcome", "UDP welcome");
    } finally {
      Kompics.shutdown();
    }
  }

  private static String[] take(BlockingQueue<String> heard, int count) throws InterruptedException {
    String[] taken = new String[count];
    for (int i = 0; i < count; i++) {
      taken[i] = heard.poll(60, TimeUnit.SECONDS);
    }
    return taken;
  }

  private static EbbAddress free() throws IOException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    for (int i = 0; i < 100; i++) {
      try (DatagramSocket udp = new DatagramSocket(new InetSocketAddress(loopback, 0));
          ServerSocket tcp = new ServerSocket(udp.getLocalPort(), 1, loopback)) {
        return EbbAddress.of(loopback, tcp.getLocalPort());
      } catch (java.net.BindException e) {
        // Somebody's TCP has it; another one.
      }
    }
    throw new IOException("no free port");
  }
}
