package ebb.selfbench.command;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.process.Program;
import ebb.core.text.OneLine;
import ebb.selfbench.process.PeerPrograms;
import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which versions were measured, as far as they can be found out. */
final class Versions {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private Versions() {}

  /** By name, in order. */
  static Map<String, String> of(PeerPrograms peers) throws InterruptedException {
    Map<String, String> versions = new LinkedHashMap<>();
    Version netty = Version.identify().get("netty-transport");
    if (netty != null) {
      versions.put("Netty", netty.artifactVersion());
    }
    Path file = peers.home("versions.json");
    try {
      if (Files.exists(file)) {
        JSON.std
            .mapFrom(Files.readString(file))
            .forEach(
                (name, facts) -> {
                  if (facts instanceof Map<?, ?> words) {
                    versions.put(name, words.get("version") + " on " + words.get("runtime"));
                  }
                });
      }
    } catch (IOException e) {
      // A file that is no JSON says nothing.
    }
    String iperf3 = firstLine("iperf3", "--version");
    if (!iperf3.isEmpty()) {
      versions.put("iperf3", iperf3.replaceFirst("^iperf ", "").replaceFirst(" .*", ""));
    }
    return versions;
  }

  private static String firstLine(String... command) throws InterruptedException {
    try {
      return OneLine.of(Program.of(command).run(LIMIT).output());
    } catch (IOException e) {
      return "";
    }
  }
}
