package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.net.Mechanisms;
import ebb.net.control.TestSpec.Mode;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.ServerOptions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options that mechanisms bring: those that choose one, and those of each one's own. A command
 * has them by {@link Transformer}, so that it names none.
 */
final class MechanismOptions {
  /** A command that has them. */
  interface Holder {
    /** Adds what it takes to its options. */
    void addMechanisms(CommandSpec spec);
  }

  /** Asks a command to complete its options. */
  static final class Transformer implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      if (spec.userObject() instanceof Holder holder) {
        holder.addMechanisms(spec);
      }
      return spec;
    }
  }

  /** The names, for help texts. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Mechanisms.all().stream().map(Mechanism::name).iterator();
    }
  }

  private final String usual;
  private final List<Mechanism> chosen = new ArrayList<>();
  private final Map<String, ClientOptions> clientOptions = new LinkedHashMap<>();
  private final Map<String, List<String>> optionNames = new LinkedHashMap<>();
  private @Nullable CommandSpec command;

  /**
   * Options to choose one.
   *
   * @param usual the mechanism that is meant when none is chosen
   */
  MechanismOptions(String usual) {
    this.usual = usual;
    Mechanisms.all().forEach(each -> clientOptions.put(each.name(), each.clientOptions()));
  }

  /** Adds an option for each mechanism. */
  void addChoice(CommandSpec spec) {
    for (Mechanism each : Mechanisms.all()) {
      ISetter setter =
          new ISetter() {
            @Override
            @SuppressWarnings("unchecked") // picocli's signature
            public <T> T set(T value) {
              Boolean before = chosen.remove(each);
              if (Boolean.TRUE.equals(value)) {
                chosen.add(each);
              }
              return (T) before;
            }
          };
      spec.addOption(
          OptionSpec.builder(each.optionNames().toArray(String[]::new))
              .type(boolean.class)
              .setter(setter)
              .description(each.summary() + (each.name().equals(usual) ? " The default." : ""))
              .build());
    }
  }

  /** Adds those of each mechanism's own. */
  void addOwn(CommandSpec spec) {
    command = spec;
    clientOptions.forEach((name, options) -> optionNames.put(name, addTo(spec, name, options)));
  }

  /** The names of what was added, one of each option. */
  private static List<String> addTo(CommandSpec spec, String mechanism, Object options) {
    CommandSpec own = CommandSpec.forAnnotatedObjectLenient(options);
    if (!own.options().isEmpty()) {
      spec.addMixin(mechanism, own);
    }
    return own.options().stream().map(OptionSpec::longestName).toList();
  }

  /** The one that was chosen. */
  Mechanism mechanism() {
    if (chosen.size() > 1) {
      throw new EbbException(
          ExitCode.USAGE,
          String.join(
                  " and ",
                  Mechanisms.all().stream()
                      .filter(chosen::contains)
                      .map(each -> each.optionNames().get(0))
                      .toList())
              + " exclude each other");
    }
    Mechanism mechanism = chosen.isEmpty() ? Mechanisms.get(usual) : chosen.get(0);
    refuseOptionsOfOthers(mechanism);
    return mechanism;
  }

  /** What nothing would heed is a mistake of the user's. */
  private void refuseOptionsOfOthers(Mechanism mechanism) {
    ParseResult given =
        command == null || command.commandLine() == null
            ? null
            : command.commandLine().getParseResult();
    if (given == null) {
      return;
    }
    optionNames.forEach(
        (owner, names) -> {
          if (!owner.equals(mechanism.name())) {
            names.stream()
                .filter(given::hasMatchedOption)
                .findFirst()
                .ifPresent(
                    name -> {
                      throw new EbbException(
                          ExitCode.USAGE, name + " is for " + owner + ", not " + mechanism.name());
                    });
          }
        });
  }

  /** What was said to a mechanism. */
  ClientOptions of(Mechanism mechanism) {
    ClientOptions options = clientOptions.get(mechanism.name());
    return options == null ? mechanism.clientOptions() : options;
  }

  /** The flows are over. */
  void close() {
    clientOptions.values().forEach(ClientOptions::close);
  }

  /** A server's options, each mechanism's in the command's. */
  static Map<Mechanism, ServerOptions> ofServer(CommandSpec spec) {
    Map<Mechanism, ServerOptions> all = new LinkedHashMap<>();
    for (Mechanism each : Mechanisms.all()) {
      ServerOptions options = each.serverOptions();
      addTo(spec, each.name(), options);
      all.put(each, options);
    }
    return all;
  }

  /** How messages follow one another, by its name. */
  static Mode mode(String name) {
    for (Mode known : Mode.values()) {
      if (known != Mode.ECHO && known.text().equals(name)) {
        return known;
      }
    }
    throw new EbbException(ExitCode.USAGE, "a mode is streaming or stop-and-wait: " + name);
  }
}
