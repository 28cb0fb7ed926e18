package ebb.testkit.file;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import ebb.testkit.file.ScenarioFile.FlowEntry;
import ebb.testkit.link.LinkSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads scenario files, those of users and those that come with the testkit. HOCON. */
public final class ScenarioFiles {
  private static final String FOLDER = "/ebb/testkit/scenarios/";
  private static final long MAX_FILE_BYTES = 1 << 20;
  private static final long MAX_TRACE_BYTES = 64 << 20;
  private static final long MAX_END_MICROS = 24L * 3_600_000_000L;
  private static final int MAX_FLOWS = 1_000;

  private static final Set<String> ROOT =
      Set.of("title", "seed", "runs", "end", "send-jitter", "link", "return", "flows", "checks");

  private ScenarioFiles() {}

  /** The names of the scenarios that come with the testkit, in order. */
  public static List<String> shipped() {
    return List.of(resource("index").strip().split("\n"));
  }

  /**
   * A scenario that comes with the testkit.
   *
   * @param name one of {@link #shipped()}
   */
  public static ScenarioFile shipped(String name) throws ScenarioFileException {
    if (!shipped().contains(name)) {
      throw new ScenarioFileException("there is no scenario \"" + name + "\"");
    }
    return parse(name, name + ".conf", resource(name + ".conf"), ScenarioFiles::resourceOrNull);
  }

  /** A scenario of the user's; its name is the file's. */
  public static ScenarioFile read(Path file) throws ScenarioFileException {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new ScenarioFileException(file + ": larger than 1 MiB");
      }
      String name = ("" + file.getFileName()).replaceFirst("\\.conf$", "");
      return parse(name, file.toString(), Files.readString(file), beside(file));
    } catch (IOException unreadable) {
      throw new ScenarioFileException("cannot read " + file);
    }
  }

  /**
   * A scenario from its text.
   *
   * @param origin how messages call it
   */
  public static ScenarioFile parse(String name, String origin, String text)
      throws ScenarioFileException {
    return parse(name, origin, text, unused -> null);
  }

  private static ScenarioFile parse(String name, String origin, String text, Keys.Files files)
      throws ScenarioFileException {
    Commas.check(origin, text);
    Config config;
    try {
      // Neither the environment nor system properties count: the same file, the same scenario.
      config =
          ConfigFactory.parseString(
                  text, ConfigParseOptions.defaults().setOriginDescription(origin))
              .resolve(ConfigResolveOptions.noSystem());
    } catch (ConfigException malformed) {
      throw new ScenarioFileException(("" + malformed.getMessage()).lines().findFirst().orElse(""));
    }
    return scenario(name, new Keys(config, "the scenario", ROOT), files);
  }

  /** Traces are named relative to their scenario. */
  private static Keys.Files beside(Path scenario) {
    return name -> {
      try {
        Path trace = scenario.resolveSibling(name);
        return Files.size(trace) > MAX_TRACE_BYTES ? null : Files.readString(trace);
      } catch (IOException | InvalidPathException unreadable) {
        return null;
      }
    };
  }

  private static ScenarioFile scenario(String name, Keys in, Keys.Files files)
      throws ScenarioFileException {
    long end = in.micros("end");
    long runs = in.number("runs", 1);
    if (end < 1 || end > MAX_END_MICROS) {
      throw in.refuse("\"end\" must be above 0 and at most 24h");
    }
    if (runs < 1 || runs > 1_000) {
      throw in.refuse("\"runs\" must be between 1 and 1000: " + runs);
    }
    Keys link = in.object("link", LinkKeys.LINK);
    LinkSpec forward = LinkKeys.forward(link, files, end);
    LinkSpec backward =
        LinkKeys.backward(link, in.has("return") ? in.object("return", LinkKeys.RETURN) : null);
    List<FlowEntry> flows = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Keys entry : in.objects("flows", FlowKeys.FLOW)) {
      FlowEntry flow = FlowKeys.flow(entry, end);
      if (!names.add(flow.name())) {
        throw entry.refuse("there are two flows named \"" + flow.name() + "\"");
      }
      flows.add(flow);
    }
    if (flows.isEmpty() || flows.size() > MAX_FLOWS) {
      throw in.refuse("there must be 1 to " + MAX_FLOWS + " flows: " + flows.size());
    }
    List<Check> checks = new ArrayList<>();
    for (Keys entry : in.objects("checks", CheckKeys.CHECK)) {
      checks.add(CheckKeys.check(entry, flows, end));
    }
    return new ScenarioFile(
        name,
        in.text("title"),
        in.number("seed", 1),
        (int) runs,
        end,
        forward,
        backward,
        in.micros("send-jitter", 0),
        List.copyOf(flows),
        List.copyOf(checks));
  }

  private static String resource(String file) {
    try (InputStream in = ScenarioFiles.class.getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        throw new IllegalStateException("the testkit lacks its scenario " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static @Nullable String resourceOrNull(String file) {
    return ScenarioFiles.class.getResource(FOLDER + file) == null ? null : resource(file);
  }
}
