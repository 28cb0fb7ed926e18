package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbMsg;
import ebb.core.kompics.EbbSerializer;
import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.Wire;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Kompics;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.Transport;

/** The example of docs/kompics.md. */
class EbbNetworkExampleTest {
  private static final BlockingQueue<String> HEARD = new LinkedBlockingQueue<>();

  /** A message: a header and what it says. */
  static final class Greeting extends EbbMsg {
    final String text;

    Greeting(EbbHeader header, String text) {
      super(header);
      this.text = text;
    }
  }

  /** Its bytes; whatever is read comes from strangers, so every field has a limit. */
  static final class GreetingSerializer extends EbbSerializer<Greeting> {
    GreetingSerializer() {
      super(EbbSerializers.FIRST_APPLICATION_ID, Greeting.class);
    }

    @Override
    protected void write(Greeting greeting, ByteBuf out) {
      Wire.writeHeader(greeting.getHeader(), out);
      Wire.writeText(greeting.text, out);
    }

    @Override
    protected Greeting read(ByteBuf in) {
      return new Greeting(Wire.readHeader(in), Wire.readText(in, 1_000));
    }
  }

  /** Greets its peer, and answers when it is greeted. */
  public static final class Greeter extends ComponentDefinition {
    private final Positive<Network> net = requires(Network.class);

    public Greeter(Init init) {
      handle(
          control,
          Start.class,
          start -> {
            EbbHeader header = new EbbHeader(init.self, init.peer, Transport.LEDBAT);
            trigger(MessageNotify.create(new Greeting(header, "hello")), net);
          });
      handle(
          net,
          Greeting.class,
          greeting -> {
            HEARD.add(greeting.text);
            if (greeting.text.equals("hello")) {
              trigger(new Greeting(greeting.getHeader().reply(Transport.TCP), "and you"), net);
            }
          });
      handle(net, MessageNotify.Resp.class, answer -> HEARD.add(answer.getState().toString()));
    }

    /** Who it is and whom it greets. */
    public static final class Init extends se.sics.kompics.Init<Greeter> {
      final EbbAddress self;
      final EbbAddress peer;

      Init(EbbAddress self, EbbAddress peer) {
        this.self = self;
        this.peer = peer;
      }
    }
  }

  /** Two nodes in one Kompics. */
  public static final class Root extends ComponentDefinition {
    public Root(Init init) {
      node(init.self, init.peer);
      node(init.peer, init.self);
    }

    private void node(EbbAddress self, EbbAddress peer) {
      Component network =
          create(
              EbbNetwork.class,
              new EbbNetwork.Init(self, LedbatConfig.defaults(), new UnpredictableRandom()));
      Component greeter = create(Greeter.class, new Greeter.Init(self, peer));
      connect(
          network.getPositive(Network.class), greeter.getNegative(Network.class), Channel.TWO_WAY);
    }

    /** The two nodes. */
    public static final class Init extends se.sics.kompics.Init<Root> {
      final EbbAddress self;
      final EbbAddress peer;

      Init(EbbAddress self, EbbAddress peer) {
        this.self = self;
        this.peer = peer;
      }
    }
  }

  @Test
  void twoNodesGreetEachOtherByLedbatAndAnswerByTcp() throws Exception {
    EbbSerializers.register(new GreetingSerializer());
    EbbAddress first = EbbNodes.free("127.0.0.1");
    EbbAddress second = EbbNodes.free("127.0.0.1");
    Kompics.createAndStart(Root.class, new Root.Init(first, second), 2);
    try {
      List<String> heard = new ArrayList<>();
      while (heard.size() < 6) {
        String next = HEARD.poll(30, TimeUnit.SECONDS);
        assertThat(next).as("after %s", heard).isNotNull();
        heard.add(next);
      }
      assertThat(heard)
          .containsExactlyInAnyOrder("hello", "hello", "SENT", "SENT", "and you", "and you");
    } finally {
      Kompics.shutdown();
    }
  }
}
