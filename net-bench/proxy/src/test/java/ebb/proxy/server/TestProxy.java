package ebb.proxy.server;

import ebb.proxy.rule.ClassRules;
import ebb.proxy.rule.RateSchedule;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A proxy on loopback, a server behind it, and sockets that speak to either. */
final class TestProxy implements AutoCloseable {
  /** What takes this long has failed. */
  static final int BOUND_MILLIS = 60_000;

  final ProxyServer proxy;
  final ServerSocket origin;
  final Queue<String> notes = new ConcurrentLinkedQueue<>();
  private final Queue<Socket> opened = new ConcurrentLinkedQueue<>();

  TestProxy() throws Exception {
    this(UnaryOperator.identity());
  }

  TestProxy(UnaryOperator<ProxySettings> change) throws Exception {
    ProxySettings usual =
        new ProxySettings(
            Limits.defaults(Limits.CONNECTIONS),
            ClassRules.parse(List.of()),
            RateSchedule.parse(List.of()),
            new BackgroundSteering(),
            InetAddress::getAllByName,
            null,
            -1,
            notes::add,
            null);
    proxy =
        ProxyServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), change.apply(usual));
    origin = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    origin.setSoTimeout(BOUND_MILLIS);
  }

  static ProxySettings with(ProxySettings usual, Limits limits) {
    return new ProxySettings(
        limits,
        usual.rules(),
        usual.schedule(),
        usual.steering(),
        usual.resolver(),
        usual.credentials(),
        usual.livePort(),
        usual.notes(),
        usual.log());
  }

  static ProxySettings with(ProxySettings usual, Credentials credentials) {
    return new ProxySettings(
        usual.limits(),
        usual.rules(),
        usual.schedule(),
        usual.steering(),
        usual.resolver(),
        credentials,
        usual.livePort(),
        usual.notes(),
        usual.log());
  }

  static ProxySettings with(ProxySettings usual, Resolver resolver) {
    return new ProxySettings(
        usual.limits(),
        usual.rules(),
        usual.schedule(),
        usual.steering(),
        resolver,
        usual.credentials(),
        usual.livePort(),
        usual.notes(),
        usual.log());
  }

  static ProxySettings with(ProxySettings usual, ClassRules rules, RateSchedule schedule) {
    return new ProxySettings(
        usual.limits(),
        rules,
        schedule,
        usual.steering(),
        usual.resolver(),
        usual.credentials(),
        usual.livePort(),
        usual.notes(),
        usual.log());
  }

  static ProxySettings withPage(ProxySettings usual) {
    return new ProxySettings(
        usual.limits(),
        usual.rules(),
        usual.schedule(),
        usual.steering(),
        usual.resolver(),
        usual.credentials(),
        0,
        usual.notes(),
        usual.log());
  }

  int originPort() {
    return origin.getLocalPort();
  }

  String originAddress() {
    return "127.0.0.1:" + originPort();
  }

  /** A connection to the proxy. */
  Socket client() throws IOException {
    return connected(proxy.address());
  }

  Socket connected(InetSocketAddress to) throws IOException {
    Socket socket = new Socket();
    opened.add(socket);
    socket.connect(to, BOUND_MILLIS);
    socket.setSoTimeout(BOUND_MILLIS);
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** The next connection that the proxy makes. */
  Socket accept() throws IOException {
    Socket socket = origin.accept();
    opened.add(socket);
    socket.setSoTimeout(BOUND_MILLIS);
    return socket;
  }

  /** A connection through the proxy to the origin, by CONNECT. */
  Socket tunnel() throws IOException {
    Socket client = client();
    send(client, "CONNECT " + originAddress() + " HTTP/1.1\r\n\r\n");
    String head = readHead(client);
    if (!head.startsWith("HTTP/1.1 200 ")) {
      throw new IOException(head);
    }
    return client;
  }

  static void send(Socket to, String text) throws IOException {
    to.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    to.getOutputStream().flush();
  }

  static void send(Socket to, int... bytes) throws IOException {
    byte[] all = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      all[i] = (byte) bytes[i];
    }
    to.getOutputStream().write(all);
    to.getOutputStream().flush();
  }

  static byte[] read(Socket from, int bytes) throws IOException {
    byte[] read = new byte[bytes];
    new DataInputStream(from.getInputStream()).readFully(read);
    return read;
  }

  /** To the empty line. */
  static String readHead(Socket from) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    InputStream in = from.getInputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  static String readAll(Socket from) throws IOException {
    return new String(from.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Ends a connection with a RST. */
  static void reset(Socket socket) throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + BOUND_MILLIS * 1_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited too long");
      }
      Thread.onSpinWait();
      java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
    }
  }

  /** Waits until nobody is connected any more. */
  void awaitEmpty() throws InterruptedException {
    await(
        () ->
            proxy.snapshot().open() == 0
                && proxy.snapshot().rows().stream().allMatch(row -> row.open() == 0));
  }

  @Override
  public void close() throws IOException {
    for (Socket one : opened) {
      one.close();
    }
    origin.close();
    proxy.close();
  }
}
