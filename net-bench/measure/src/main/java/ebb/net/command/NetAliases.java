package ebb.net.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** iperf3's way to say server and client: {@code ebb net -s} and {@code ebb net -c HOST}. */
public final class NetAliases {
  private NetAliases() {}

  /** The same words with the subcommand in its place; others unchanged. */
  public static String[] expand(String... args) {
    boolean aboutNet = args.length > 1 && args[0].equals("net") && args[1].startsWith("-");
    List<String> words = Arrays.asList(args);
    String command =
        !aboutNet
            ? ""
            : words.contains("-c") || words.contains("--client")
                ? "client"
                : words.contains("-s") || words.contains("--server") ? "server" : "";
    if (command.isEmpty()) {
      return args.clone();
    }
    List<String> expanded = new ArrayList<>(words);
    expanded.add(1, command);
    return expanded.toArray(new String[0]);
  }
}
