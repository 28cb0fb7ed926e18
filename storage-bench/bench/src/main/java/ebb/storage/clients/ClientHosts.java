package ebb.storage.clients;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.process.Program;
import ebb.core.process.RunningProgram.Errors;
import ebb.core.process.ThisProgram;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where clients run, and how they are reached: processes here, programs that ssh starts elsewhere,
 * or clients that wait at a port.
 */
public final class ClientHosts {
  /** A process on this machine. */
  public static final String LOCAL = "local";

  /** How others are started; {@code BatchMode} because nobody can type a password. */
  public static final String SSH = "ssh -o BatchMode=yes HOST ebb storage client";

  /** Begins where a client waits: {@code tcp://HOST:PORT}. */
  private static final String TCP = "tcp://";

  private static final String HOST = "HOST";
  private static final int MOST = 64;
  private static final Pattern PLACE =
      Pattern.compile("[A-Za-z0-9_\\[][A-Za-z0-9_.:@%\\[\\]-]{0,250}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}");
  private static final int CONNECT_MILLIS = 5_000;
  private static final int AGAIN_MILLIS = 200;

  private final List<Host> hosts;
  private final List<String> command;
  private final byte @Nullable [] key;

  /** One of them. */
  record Host(String name, String place) {
    boolean isAtPort() {
      return place.startsWith(TCP);
    }
  }

  private ClientHosts(List<Host> hosts, List<String> command, byte @Nullable [] key) {
    this.hosts = List.copyOf(hosts);
    this.command = List.copyOf(command);
    this.key = key;
  }

  /**
   * Reads options.
   *
   * @param places of clients, as they are typed: {@code [NAME=]local}, {@code [NAME=]HOST} or
   *     {@code [NAME=]tcp://HOST:PORT}
   * @param ssh what starts a client; without {@code HOST} in it, the host and {@code ebb storage
   *     client} follow
   * @param key of those that wait at a port
   * @throws IllegalArgumentException with one line, for what cannot be
   */
  public static ClientHosts parse(List<String> places, String ssh, byte @Nullable [] key) {
    if (places.isEmpty() || places.size() > MOST) {
      throw new IllegalArgumentException("--clients takes 1 to " + MOST + " hosts");
    }
    List<Host> hosts = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    for (String typed : places) {
      Host host = host(typed);
      int number = seen.merge(host.name, 1, Integer::sum);
      hosts.add(number == 1 ? host : new Host(host.name + "#" + number, host.place));
    }
    boolean atPorts = hosts.stream().anyMatch(Host::isAtPort);
    if (atPorts && key == null) {
      throw new IllegalArgumentException(
          "--clients at tcp://HOST:PORT need --key-file, with the key that they were started with");
    }
    if (!atPorts && key != null) {
      throw new IllegalArgumentException("--key-file goes with --clients at tcp://HOST:PORT");
    }
    List<String> command = new ArrayList<>(List.of(ssh.strip().split("\\s+")));
    if (ssh.isBlank()) {
      throw new IllegalArgumentException("--ssh needs a command");
    }
    if (!command.contains(HOST)) {
      command.addAll(List.of(HOST, "ebb", "storage", "client"));
    }
    return new ClientHosts(hosts, command, key);
  }

  private static Host host(String typed) {
    int sign = typed.indexOf('=');
    String place = typed.substring(sign + 1);
    boolean right = place.startsWith(TCP) ? address(place) != null : PLACE.matcher(place).matches();
    String name =
        sign >= 0
            ? typed.substring(0, sign)
            : place.startsWith(TCP) ? place.substring(TCP.length()) : place;
    if (!right || (sign >= 0 && !NAME.matcher(name).matches())) {
      throw new IllegalArgumentException("--clients: no host is called '" + typed + "'");
    }
    return new Host(name, place);
  }

  /** Null for what is none. */
  private static @Nullable InetSocketAddress address(String place) {
    try {
      URI uri = URI.create(place);
      boolean right =
          uri.getHost() != null
              && uri.getPort() > 0
              && uri.getPort() < 65_536
              && place.equals(TCP + uri.getAuthority())
              && uri.getUserInfo() == null;
      return right
          ? InetSocketAddress.createUnresolved(
              uri.getHost().replaceAll("^\\[|]$", ""), uri.getPort())
          : null;
    } catch (IllegalArgumentException wrong) {
      return null;
    }
  }

  /** How many there are. */
  public int count() {
    return hosts.size();
  }

  List<Host> hosts() {
    return hosts;
  }

  /**
   * Reaches a client there. One that is to wait at a port may be a little late.
   *
   * @param givenUp looked at while it waits
   * @throws RequestFailedException with its name, when it cannot be reached
   */
  Talk open(Host host, Duration patience, BooleanSupplier givenUp)
      throws RequestFailedException, InterruptedException {
    try {
      return host.isAtPort()
          ? connected(host, patience, givenUp)
          : new ProgramTalk(program(host).startBeside(Errors.KEPT));
    } catch (IOException e) {
      throw failure(host, FailureKind.CANNOT_CONNECT, OneLine.of(e), e);
    }
  }

  private static RequestFailedException failure(
      Host host, FailureKind kind, String why, @Nullable Exception cause) {
    return new RequestFailedException(kind, "client '" + host.name + "': " + why, cause);
  }

  private Talk connected(Host host, Duration patience, BooleanSupplier givenUp)
      throws RequestFailedException, InterruptedException, IOException {
    InetSocketAddress address = address(host.place);
    byte[] secret = key;
    if (address == null || secret == null) {
      throw new IllegalStateException("a place that was not checked: " + host.place);
    }
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      Socket socket = new Socket();
      try {
        socket.connect(
            new InetSocketAddress(address.getHostString(), address.getPort()), CONNECT_MILLIS);
      } catch (IOException e) {
        socket.close();
        if (System.nanoTime() > end) {
          throw failure(
              host,
              FailureKind.CANNOT_CONNECT,
              OneLine.of(e) + " (" + host.place + ", for " + patience.toSeconds() + " s)",
              e);
        }
        if (givenUp.getAsBoolean()) {
          throw failure(host, FailureKind.CANCELLED, "given up", e);
        }
        TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
        continue;
      }
      socket.setSoTimeout((int) ClientListener.PROOF.toMillis());
      Talk talk = SealedTalk.prove(socket, secret, SealedTalk.Side.COORDINATOR);
      socket.setSoTimeout(0);
      return talk;
    }
  }

  /** What starts a client there. */
  private Program program(Host host) {
    List<String> words = new ArrayList<>();
    if (Program.isInstalled("setsid")) {
      words.add("setsid"); // Ctrl-C is for the coordinator, which lets its clients end in order.
    }
    if (host.place.equals(LOCAL)) {
      words.addAll(ThisProgram.again("ebb.launcher.Main"));
      words.addAll(List.of("storage", "client"));
    } else {
      command.forEach(word -> words.add(word.equals(HOST) ? host.place : word));
    }
    return Program.of(words);
  }
}
