package ebb.selfbench;

import com.fasterxml.jackson.jr.ob.JSON;
import io.netty.util.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which versions were measured, as far as they can be found out. */
final class Versions {
  private Versions() {}

  /** By name, in order. */
  static Map<String, String> of(PeerPrograms peers) {
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

  private static String firstLine(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return said.lines().findFirst().orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
