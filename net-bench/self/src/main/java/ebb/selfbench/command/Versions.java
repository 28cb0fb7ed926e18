package ebb.selfbench.command;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.process.Program;
import ebb.selfbench.process.PeerPrograms;
import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which versions were measured, as far as they can be found out. */
final class Versions {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+");

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
    addSaid(versions, "iperf3", "--version");
    addSaid(versions, "rsync", "--version");
    addSaid(versions, "socat", "-V");
    return versions;
  }

  /** The first version that a program names when it is asked for its own. */
  private static void addSaid(Map<String, String> versions, String program, String option)
      throws InterruptedException {
    try {
      String version = first(Program.of(program, option).run(LIMIT).output());
      if (!version.isEmpty()) {
        versions.put(program, version);
      }
    } catch (IOException e) {
      // It is not here.
    }
  }

  /** The first version in a text; empty when there is none. */
  static String first(String said) {
    Matcher version = VERSION.matcher(said);
    return version.find() ? version.group() : "";
  }
}
