package ebb.core.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Handler;
import se.sics.kompics.Init;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.Negative;
import se.sics.kompics.PortType;
import se.sics.kompics.Positive;

final class KompicsSystemTest {
  private record Ask(int number) implements KompicsEvent {}

  private record Answer(int number) implements KompicsEvent {}

  /** Questions and answers. */
  public static final class Oracle extends PortType {
    {
      request(Ask.class);
      indication(Answer.class);
    }
  }

  /** Doubles numbers, and breaks on negative ones. */
  public static final class Doubler extends ComponentDefinition {
    private final Negative<Oracle> oracle = provides(Oracle.class);

    public Doubler() {
      subscribe(
          new Handler<>(Ask.class) {
            @Override
            public void handle(Ask ask) {
              if (ask.number < 0) {
                throw new IllegalArgumentException("negative");
              }
              trigger(new Answer(2 * ask.number), oracle);
            }
          },
          oracle);
    }
  }

  /** Doubles by another one, and adds one. */
  public static final class Adder extends ComponentDefinition {
    private final Negative<Oracle> above = provides(Oracle.class);
    private final Positive<Oracle> below = requires(Oracle.class);

    public Adder() {
      subscribe(
          new Handler<>(Ask.class) {
            @Override
            public void handle(Ask ask) {
              trigger(ask, below);
            }
          },
          above);
      subscribe(
          new Handler<>(Answer.class) {
            @Override
            public void handle(Answer answer) {
              trigger(new Answer(answer.number + 1), above);
            }
          },
          below);
    }
  }

  @Test
  void componentsAreMadeConnectedAskedAndStopped() throws Exception {
    BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    BlockingQueue<Throwable> faults = new LinkedBlockingQueue<>();
    // Twice, as the process has one system after the other.
    for (int round = 0; round < 2; round++) {
      try (KompicsSystem<Consumer<KompicsEvent>> system =
          KompicsSystem.start(
              components -> {
                Component doubler = components.create(Doubler.class, Init.NONE);
                Component adder = components.create(Adder.class, Init.NONE);
                components.connect(doubler, Oracle.class, adder);
                components.on(adder, Oracle.class, Answer.class, a -> answers.add(a.number));
                return components.into(adder, Oracle.class);
              },
              faults::add)) {
        system.handle().accept(new Ask(20));
        assertThat(answers.poll(60, TimeUnit.SECONDS)).isEqualTo(41);
        system.handle().accept(new Ask(-1));
        assertThat(faults.poll(60, TimeUnit.SECONDS)).hasMessage("negative");
      }
    }
  }

  @Test
  void aSystemThatHasOnlyJustBegunToStartIsStoppedAsWell() throws Exception {
    for (int round = 0; round < 50; round++) {
      KompicsSystem.start(
              components -> {
                for (int i = 0; i < 10; i++) {
                  components.create(Doubler.class, Init.NONE);
                }
                return components;
              },
              fault -> {})
          .close();
      assertThat(isBeingStopped()).as("still, in round %d", round).isFalse();
    }
  }

  @Test
  void eventsThatComeTooLateKeepNoSystemFromStopping() throws Exception {
    for (int round = 0; round < 20; round++) {
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch heard = new CountDownLatch(1);
      Thread talker;
      try (KompicsSystem<Chatter> system =
          KompicsSystem.start(
              components -> {
                Component chatter = components.create(Chatter.class, Init.NONE);
                components.on(chatter, Oracle.class, Answer.class, a -> heard.countDown());
                return (Chatter) chatter.getComponent();
              },
              fault -> {})) {
        talker =
            new Thread(
                () -> {
                  while (!over.get()) {
                    system.handle().say();
                  }
                });
        talker.start();
        assertThat(heard.await(60, TimeUnit.SECONDS)).isTrue();
      }
      boolean stopping = isBeingStopped();
      over.set(true);
      talker.join();
      assertThat(stopping).as("still, in round %d", round).isFalse();
    }
  }

  /** Answers without being asked, on any thread. */
  public static final class Chatter extends ComponentDefinition {
    private final Negative<Oracle> oracle = provides(Oracle.class);

    private void say() {
      trigger(new Answer(1), oracle);
    }
  }

  /** Whether the thread that stops the system is still at it, after close gave up waiting. */
  private static boolean isBeingStopped() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("ebb-stop"));
  }
}
