package ebb.testkit.file;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import ebb.core.units.BitRate;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One object of a scenario file: reads values of one kind, and says file, line and key of what is
 * wrong. Owns nothing of what the keys mean.
 */
final class Keys {
  private final Config config;
  private final String what;

  /**
   * The object, all of whose keys must be known.
   *
   * @param what it is, for messages
   */
  Keys(Config config, String what, Set<String> known) throws ScenarioFileException {
    this.config = config;
    this.what = what;
    for (String key : config.root().keySet()) {
      if (!known.contains(key)) {
        throw at(
            config.root().get(key),
            "unknown key \"" + key + "\" in " + what + "; there is " + sorted(known));
      }
    }
  }

  private static String sorted(Set<String> known) {
    return String.join(", ", known.stream().sorted().toList());
  }

  /** Where a scenario's other files are. */
  @FunctionalInterface
  interface Files {
    /** The text of a file; null when it cannot be read. */
    @Nullable String read(String name);
  }

  /** Refuses two keys that contradict. */
  void notBoth(String one, String other) throws ScenarioFileException {
    if (has(one) && has(other)) {
      throw at(
          config.getValue(other), "\"" + one + "\" and \"" + other + "\" contradict in " + what);
    }
  }

  /** Refuses keys that are others'. */
  void none(Set<String> others, String kind) throws ScenarioFileException {
    for (String key : others.stream().sorted().toList()) {
      if (has(key)) {
        throw at(config.getValue(key), "\"" + key + "\" means nothing for " + kind);
      }
    }
  }

  /** Refuses a key that means nothing without another. */
  void onlyWith(String key, String needed) throws ScenarioFileException {
    if (has(key) && !has(needed)) {
      throw at(
          config.getValue(key),
          "\"" + key + "\" means nothing without \"" + needed + "\" in " + what);
    }
  }

  /** A number of bytes, such as {@code 60k}. */
  long bytes(String key) throws ScenarioFileException {
    return read(key, k -> ByteSize.parse(config.getString(k)).bytes());
  }

  boolean has(String key) {
    return config.hasPath(key);
  }

  String text(String key) throws ScenarioFileException {
    return read(key, config::getString);
  }

  String text(String key, String otherwise) throws ScenarioFileException {
    return has(key) ? text(key) : otherwise;
  }

  long micros(String key, long otherwise) throws ScenarioFileException {
    return has(key) ? micros(key) : otherwise;
  }

  /** A time with its unit, such as {@code 60ms}. */
  long micros(String key) throws ScenarioFileException {
    return read(key, k -> Micros.parse(config.getString(k)).micros());
  }

  /** A rate, such as {@code 10M}. */
  long bitsPerSecond(String key) throws ScenarioFileException {
    return read(key, k -> BitRate.parse(config.getString(k)).bitsPerSecond());
  }

  long number(String key, long otherwise) throws ScenarioFileException {
    return has(key) ? read(key, config::getLong) : otherwise;
  }

  double real(String key, double otherwise) throws ScenarioFileException {
    return has(key) ? read(key, config::getDouble) : otherwise;
  }

  boolean flag(String key, boolean otherwise) throws ScenarioFileException {
    return has(key) ? read(key, config::getBoolean) : otherwise;
  }

  Keys object(String key, Set<String> known) throws ScenarioFileException {
    return new Keys(read(key, config::getConfig), key, known);
  }

  /** A list of objects; empty when the key is missing. */
  List<Keys> objects(String key, Set<String> known) throws ScenarioFileException {
    List<Keys> objects = new ArrayList<>();
    if (has(key)) {
      ConfigList list = read(key, config::getList);
      for (ConfigValue value : list) {
        if (!(value instanceof ConfigObject object)) {
          throw at(value, "\"" + key + "\" must hold objects: { ... }");
        }
        objects.add(new Keys(object.toConfig(), "an entry of " + key, known));
      }
    }
    return objects;
  }

  /**
   * A list of what changes at which time; empty when the key is missing. Times are within the
   * scenario and each is there once.
   */
  List<Keys> steps(String key, Set<String> known, long endMicros) throws ScenarioFileException {
    List<Keys> steps = objects(key, known);
    Set<Long> times = new HashSet<>();
    for (Keys step : steps) {
      long at = step.micros("at");
      if (at >= endMicros) {
        throw step.refuse("\"at\" must be before the scenario's end");
      }
      if (!times.add(at)) {
        throw step.refuse("two entries have the same \"at\"");
      }
    }
    return steps;
  }

  /** A number between two others, both included. */
  double between(double least, double most, String key, double otherwise)
      throws ScenarioFileException {
    double value = real(key, otherwise);
    if (value >= least && value <= most) {
      return value;
    }
    throw at(
        config.getValue(key),
        "\"" + key + "\" must be between " + (long) least + " and " + (long) most);
  }

  /** Makes something of the values; what it refuses is told with this object's place. */
  <T> T make(Function<Config, T> maker) throws ScenarioFileException {
    try {
      return maker.apply(config);
    } catch (IllegalArgumentException wrong) {
      throw refuse("" + wrong.getMessage());
    }
  }

  /** Makes something of an object that holds two times, and nothing else. */
  <T> T twoTimes(String key, String first, String second, BiFunction<Long, Long, T> maker)
      throws ScenarioFileException {
    Keys times = object(key, Set.of(first, second));
    long one = times.micros(first);
    long other = times.micros(second);
    return times.make(config -> maker.apply(one, other));
  }

  ScenarioFileException refuse(String message) {
    return at(config.root(), message + " (in " + what + ")");
  }

  private <T> T read(String key, Function<String, T> reader) throws ScenarioFileException {
    if (!config.hasPath(key)) {
      throw at(config.root(), "\"" + key + "\" is missing in " + what);
    }
    try {
      return reader.apply(key);
    } catch (ConfigException | IllegalArgumentException wrong) {
      String message = wrong instanceof ConfigException ? "has the wrong type" : wrong.getMessage();
      throw at(config.getValue(key), "\"" + key + "\": " + message);
    }
  }

  private static ScenarioFileException at(ConfigValue value, String message) {
    return new ScenarioFileException(place(value) + ": " + message);
  }

  private static String place(ConfigValue value) {
    String file = value.origin().description().replaceFirst(": \\d+(-\\d+)?$", "");
    int line = value.origin().lineNumber();
    return line > 0 ? file + ":" + line : file;
  }
}
