package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.selfbench.process.MeasuredProcess;
import ebb.selfbench.subject.Side;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The sides of a libutp stream: a script of this package on the npm package utp-native. */
final class UtpNative {
  private UtpNative() {}

  /** "receive" or "send". */
  static Side side(String role) {
    return (context, host, peer) -> {
      Path module =
          context.peers().home("utp-native").resolve("node_modules").resolve("utp-native");
      List<String> command = new ArrayList<>(host.prefix());
      command.addAll(List.of("node", "-e", script(), module.toString(), role, host.address()));
      command.addAll(peer);
      return new MeasuredProcess("utp-native", command);
    };
  }

  private static String script() {
    try (InputStream in = UtpNative.class.getResourceAsStream("utp-native.js")) {
      if (in == null) {
        throw new IOException("it is not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "no utp-native.js: " + e.getMessage(), e);
    }
  }
}
