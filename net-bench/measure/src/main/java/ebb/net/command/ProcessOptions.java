package ebb.net.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options of a process that iperf3's client and server have alike. Its -V is verbose, so that the
 * version is -v.
 */
final class ProcessOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  boolean help;

  @Option(
      names = {"-v", "--version"},
      versionHelp = true,
      description = "Print version information and exit.")
  boolean version;

  @Option(
      names = {"-I", "--pidfile"},
      paramLabel = "FILE",
      description = "Write the number of this process to FILE while it runs.")
  @Nullable Path pidFile;

  @Option(
      names = "--logfile",
      paramLabel = "FILE",
      description = "Append what would be printed to FILE.")
  @Nullable Path logfile;
}
