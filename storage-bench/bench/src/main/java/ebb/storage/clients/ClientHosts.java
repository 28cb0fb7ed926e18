package ebb.storage.clients;

import ebb.core.process.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Where clients run, and the programs that start them there.
 *
 * @param hosts as they are given
 * @param command words, of which {@code HOST} stands for the host
 */
public record ClientHosts(List<String> hosts, List<String> command) {
  /** A process on this machine. */
  public static final String LOCAL = "local";

  /** How others are started; {@code BatchMode} because nobody can type a password. */
  public static final String SSH = "ssh -o BatchMode=yes HOST ebb storage client";

  private static final String HOST = "HOST";
  private static final int MOST = 64;
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_\\[][A-Za-z0-9_.:@%\\[\\]-]{0,250}");

  public ClientHosts {
    hosts = List.copyOf(hosts);
    command = List.copyOf(command);
  }

  /**
   * Reads options.
   *
   * @param ssh what starts a client; without {@code HOST} in it, the host and {@code ebb storage
   *     client} follow
   * @throws IllegalArgumentException with one line, for what cannot be
   */
  public static ClientHosts parse(List<String> hosts, String ssh) {
    if (hosts.isEmpty() || hosts.size() > MOST) {
      throw new IllegalArgumentException("--clients takes 1 to " + MOST + " hosts");
    }
    for (String host : hosts) {
      if (!NAME.matcher(host).matches()) {
        throw new IllegalArgumentException("--clients: no host is called '" + host + "'");
      }
    }
    List<String> command = new ArrayList<>(List.of(ssh.strip().split("\\s+")));
    if (ssh.isBlank()) {
      throw new IllegalArgumentException("--ssh needs a command");
    }
    if (!command.contains(HOST)) {
      command.addAll(List.of(HOST, "ebb", "storage", "client"));
    }
    return new ClientHosts(hosts, command);
  }

  /** The hosts; one that is there twice has a number. */
  List<String> names() {
    Map<String, Integer> seen = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (String host : hosts) {
      int number = seen.merge(host, 1, Integer::sum);
      names.add(number == 1 ? host : host + "#" + number);
    }
    return names;
  }

  /** What starts a client there. */
  Program program(String host) {
    List<String> words = new ArrayList<>();
    if (Program.isInstalled("setsid")) {
      words.add("setsid"); // Ctrl-C is for the coordinator, which lets its clients end in order.
    }
    if (host.equals(LOCAL)) {
      words.addAll(thisProgram());
      words.addAll(List.of("storage", "client"));
    } else {
      command.forEach(word -> words.add(word.equals(HOST) ? host : word));
    }
    return Program.of(words);
  }

  private static List<String> thisProgram() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path", "");
    String main = System.getProperty("sun.java.command", "").split(" ", -1)[0];
    return main.endsWith(".jar")
        ? List.of(java, "-jar", main)
        : List.of(java, "-cp", classes, main.isEmpty() ? "ebb.launcher.Main" : main);
  }
}
