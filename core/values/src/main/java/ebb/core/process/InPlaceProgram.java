package ebb.core.process;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A program that runs in the place of this one: it has this one's terminal, gets the signals that
 * this one gets, and this one waits for it. From its start on, signals do not end this process.
 */
public final class InPlaceProgram {
  private static final Duration SENDING = Duration.ofSeconds(5);

  /** A terminal sends them to all programs in front of it, so that this one hears of them too. */
  private static final List<String> OF_TERMINALS = List.of("INT", "QUIT");

  private static final List<String> OF_OTHERS = List.of("TERM", "HUP", "USR1", "USR2", "CONT");

  /** In /proc/self/stat, behind the name, which may hold spaces: state ppid pgrp session tty. */
  private static final int GROUP = 2;

  private static final int FOREGROUND_GROUP = 5;

  private final CompletableFuture<Process> process = new CompletableFuture<>();

  /** Hears signals from now on, so that none comes too early: they wait for the program. */
  InPlaceProgram() {
    OF_TERMINALS.forEach(
        name ->
            onSignal(
                name,
                () -> {
                  if (!isInFront()) {
                    send(name);
                  }
                }));
    OF_OTHERS.forEach(name -> onSignal(name, () -> send(name)));
  }

  void onStarted(Process started) {
    process.complete(started);
  }

  /** Waits for its end; its exit code, 128 and the signal's number when one ended it. */
  public int awaitEnd() throws InterruptedException {
    return process.join().waitFor();
  }

  private void send(String signal) {
    CompletableFuture<Void> unused = process.thenAccept(started -> send(signal, started));
  }

  private static void send(String signal, Process process) {
    try {
      Program.of("kill", "-" + signal, Long.toString(process.pid())).run(SENDING);
    } catch (IOException failed) {
      process.destroy(); // Which is TERM.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the terminal's keys go to this process, and so to its child. */
  private static boolean isInFront() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return fields[GROUP].equals(fields[FOREGROUND_GROUP]);
    } catch (IOException | IndexOutOfBoundsException unknown) {
      return false;
    }
  }

  /**
   * Java's own way to hear of signals is no API; the compiler warns of it in a way that nothing can
   * silence, so it is called by name. Where it is not, signals end this process as usual.
   */
  private static void onSignal(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler call =
          (proxy, method, arguments) -> {
            switch (method.getName()) {
              case "handle" -> action.run();
              case "equals" -> {
                return proxy == arguments[0];
              }
              case "hashCode" -> {
                return System.identityHashCode(proxy);
              }
              default -> {
                return name;
              }
            }
            return null;
          };
      Object ours =
          Proxy.newProxyInstance(
              InPlaceProgram.class.getClassLoader(), new Class<?>[] {handler}, call);
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
    } catch (ReflectiveOperationException | IllegalArgumentException reserved) {
      return; // The JVM keeps some for itself, such as QUIT.
    }
  }
}
