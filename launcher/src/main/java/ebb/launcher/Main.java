package ebb.launcher;

import ebb.core.cli.Cli;
import ebb.core.cli.ExitCode;
import ebb.ledbat.crypto.NativeCrypto;
import ebb.net.command.NetAliases;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The {@code ebb} command: finds the subcommands of all modules and runs one. It owns no
 * subcommand.
 */
public final class Main {
  static final Map<String, String> GROUPS =
      Map.of(
          "ledbat", "Move bytes in the background with LEDBAT over uTP.",
          "bench", "Measure Ebb itself on this machine.",
          "net", "Measure the path to another host.",
          "storage", "Measure object stores, directories and memory.",
          "vm", "Plan and look after virtual machines to measure on.",
          "sim", "Simulate scenarios on virtual time.",
          "key", "Make keys for --key-file.");

  /** Netty's, which by default looks at every 128th buffer or so. */
  private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

  private Main() {}

  public static void main(String[] args) {
    int code;
    try {
      code = run(args);
    } catch (Throwable failure) {
      // Such as no memory; picocli and the commands handle what can be expected.
      System.err.println("ebb: internal error: " + failure);
      code = ExitCode.INTERNAL.value();
    }
    System.out.flush();
    System.err.flush();
    // Not a return: threads that wait for standard input or a dead disk must not hold the process.
    System.exit(code);
  }

  /** All commands with all their options. */
  static CommandLine tree() {
    return Cli.tree(new Ebb(), GROUPS, Cli.installedCommands());
  }

  private static int run(String[] args) {
    List<String> words = Arrays.asList(args);
    int end = words.indexOf("--");
    boolean debug = (end < 0 ? words : words.subList(0, end)).contains("--debug") || Cli.isDebug();
    // Logging reads this when its first logger is made, which is after this line.
    System.setProperty(LogSettings.LEVEL, debug ? "DEBUG" : "WARN");
    if (Runtime.version().feature() >= 24 && System.getProperty("io.netty.noUnsafe") == null) {
      // The JDK would print four lines of warning; the ebb script allows it with an option instead.
      System.setProperty("io.netty.noUnsafe", "true");
    }
    if (System.getProperty(LEAK_DETECTION) == null) {
      // When the buffer that all datagrams are read into is one of its samples, each notes a stack.
      System.setProperty(LEAK_DETECTION, "disabled");
    }
    if (words.contains("ledbat")) {
      NativeCrypto.install(); // Others make few records, or speak TLS, which stays as Java has it.
    }
    return Cli.run(new Ebb(), GROUPS, Cli.installedCommands(), NetAliases.expand(args));
  }

  /** {@code ebb} alone prints its help. */
  @Command(
      name = "ebb",
      description = "Background transfers for the JVM: LEDBAT (RFC 6817) over uTP, with Kompics.",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      footer = {
        "",
        "Exit codes: 0 done, 1 internal error, 2 usage, 3 cannot connect, 4 refused or busy,",
        "5 incomplete, 99 a threshold was missed.",
      })
  static final class Ebb implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Option(
        names = "--debug",
        scope = ScopeType.INHERIT,
        description = "Log in detail, and show stack traces (as EBB_DEBUG=1 does).")
    boolean debug;

    @Override
    public void run() {
      if (spec != null) {
        spec.commandLine().usage(System.out);
      }
    }
  }
}
