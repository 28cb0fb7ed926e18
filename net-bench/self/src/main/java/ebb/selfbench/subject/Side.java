package ebb.selfbench.subject;

import ebb.selfbench.process.Host;
import ebb.selfbench.process.MeasuredProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * How one side of a path is started. A receiver says {@code PORT number}; a sender is given the
 * receiver's address and port as its last two arguments and says {@code CONNECTED} when data flows.
 * Both answer marks.
 */
@FunctionalInterface
public interface Side {
  /**
   * Starts it.
   *
   * @param peer the receiver's address and port for a sender; empty for a receiver
   */
  MeasuredProcess start(BenchContext context, Host host, List<String> peer);

  /** A JVM with a class's main method: address to bind, {@code arguments}, peer. */
  static Side jvm(Class<?> mainClass, Function<BenchContext, List<String>> arguments) {
    return (context, host, peer) -> {
      List<String> all = new ArrayList<>();
      all.add(host.address());
      all.addAll(arguments.apply(context));
      all.addAll(peer);
      return MeasuredProcess.jvm(host.prefix(), mainClass, all);
    };
  }
}
