package ebb.core.cli;

import java.util.concurrent.Callable;

/**
 * A subcommand that a module contributes. Implementations are picocli {@code @Command} classes with
 * a public constructor without arguments, named in {@code
 * META-INF/services/ebb.core.cli.EbbCommand}. {@link #call()} returns an {@link ExitCode}'s value
 * or throws an {@link EbbException}.
 */
public interface EbbCommand extends Callable<Integer> {
  /** The group that the command belongs to, such as {@code "ledbat"}; "" for the top level. */
  default String group() {
    return "";
  }
}
