package ebb.storage.fault;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of any service with Cloud Storage's JSON API and does wrong what it is told. It
 * keeps a ledger of its own of what went over the wire; it knows nothing of Ebb, and shares no code
 * with the services behind it.
 */
public final class FaultProxy implements AutoCloseable {
  private static final int PIECE_BYTES = 16;
  private static final Pattern CHECKSUM = Pattern.compile("\"crc32c\" *: *\"");

  /** What goes wrong. */
  public enum Wrong {
    STATUS_503,
    STATUS_500,
    STATUS_429,
    STATUS_408,
    STATUS_401,
    /** The connection is closed in an orderly way, and the service never saw the request. */
    CLOSED_UNSEEN,
    /** The same after the service has done its work. */
    CLOSED_AFTER_WORK,
    /** A reset after the service has done its work. */
    RESET_AFTER_WORK,
    /** The answer's head comes, and nothing of its content. */
    CLOSED_AFTER_HEAD,
    /** Half of the content comes, then an orderly end. */
    CUT,
    /** Half of the content comes, then a reset. */
    CUT_BY_RESET,
    /** After its work, half of the answer or none of it comes; then nothing, without an end. */
    STALLED,
    /** A bit of the object is wrong on its way, in either direction. */
    WRONG_CONTENT,
    /** The service says another checksum than the object has. */
    WRONG_CHECKSUM,
    /** All of it comes, a few bytes at a time: nothing to try again. */
    SLOW;

    private boolean needsContent() {
      return this == CLOSED_AFTER_HEAD || this == CUT || this == CUT_BY_RESET;
    }

    /** Whether it can happen to such a request. */
    public boolean fits(Wire wire) {
      return switch (this) {
        case WRONG_CONTENT ->
            wire == Wire.DOWNLOAD || wire == Wire.WHOLE_UPLOAD || wire == Wire.UPLOAD_PART;
        case WRONG_CHECKSUM -> wire == Wire.LOOK_UP || wire == Wire.WHOLE_UPLOAD;
        default -> wire.hasContent || !needsContent();
      };
    }

    /** Whether the service has done its work when it happens. */
    public boolean isAfterWork() {
      return status() == null && this != CLOSED_UNSEEN && this != SLOW;
    }

    /** Whether a request has failed by it. */
    public boolean isFailure() {
      return this != SLOW;
    }

    @Nullable String status() {
      return switch (this) {
        case STATUS_503 -> "503 Service Unavailable";
        case STATUS_500 -> "500 Internal Server Error";
        case STATUS_429 -> "429 Too Many Requests";
        case STATUS_401 -> "401 Unauthorized";
        case STATUS_408 -> "408 Request Timeout";
        default -> null;
      };
    }
  }

  /** Requests as they are on the wire, which is finer than what a user asks for. */
  public enum Wire {
    CREATE_BUCKET(true, "create_container"),
    GET_BUCKET(true, "create_container"),
    LIST_BUCKETS(true, "list_containers"),
    REMOVE_BUCKET(false, "delete_container"),
    LIST_OBJECTS(true, "list"),
    LOOK_UP(true, "get", "put"),
    DOWNLOAD(true, "get"),
    WHOLE_UPLOAD(true, "put"),
    BEGIN_UPLOAD(false, "put"),
    UPLOAD_PART(true, "put"),
    /** One object of several parts, which only composite uploads ask for. */
    COMPOSE(true, "put"),
    DELETE_OBJECT(false, "delete");

    private final boolean hasContent;
    private final Set<String> operations;

    Wire(boolean hasContent, String... operations) {
      this.hasContent = hasContent;
      this.operations = Set.of(operations);
    }

    /** Whose requests these can be, in the words of an account. */
    public Set<String> operations() {
      return operations;
    }
  }

  private final ServerSocket listening;
  private final URI behind;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Map<Wire, Long> requests = new EnumMap<>(Wire.class);
  private final Map<Wire, Planned> planned = new EnumMap<>(Wire.class);
  private final Map<Wire, Integer> injected = new EnumMap<>(Wire.class);

  private record Planned(Wrong wrong, int times) {}

  private record Head(String first, Map<String, String> fields, byte[] bytes) {
    String field(String name) {
      return fields.getOrDefault(name, "");
    }
  }

  /** Listens in front of {@code http://HOST:PORT}. */
  public FaultProxy(String behind) throws IOException {
    this.behind = URI.create(behind);
    listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    inBackground(this::accept);
  }

  public String url() {
    return "http://" + here();
  }

  private String here() {
    return listening.getInetAddress().getHostAddress() + ":" + listening.getLocalPort();
  }

  /** From now on {@code wrong} happens to so many requests of a kind. */
  public synchronized void inject(Wrong wrong, Wire at, int times) {
    planned.put(at, new Planned(wrong, times));
  }

  /** What has gone wrong, and how often. */
  public synchronized Map<Wire, Integer> injected() {
    return new EnumMap<>(injected);
  }

  /** Requests that failed by what went wrong. */
  public synchronized Map<Wire, Long> failed() {
    Map<Wire, Long> failed = new EnumMap<>(Wire.class);
    injected.forEach(
        (wire, times) -> {
          Planned one = planned.get(wire);
          failed.put(wire, one != null && one.wrong.isFailure() ? (long) times : 0L);
        });
    return failed;
  }

  /** Every request that came, well answered or not. */
  public synchronized Map<Wire, Long> requests() {
    return new EnumMap<>(requests);
  }

  private synchronized @Nullable Wrong next(Wire wire) {
    requests.merge(wire, 1L, Long::sum);
    Planned one = planned.get(wire);
    if (one == null || injected.getOrDefault(wire, 0) == one.times) {
      return null;
    }
    injected.merge(wire, 1, Integer::sum);
    return one.wrong;
  }

  private static void inBackground(Runnable work) {
    Thread thread = new Thread(work, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        open.add(client);
        inBackground(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = new BufferedOutputStream(client.getOutputStream());
      for (Head head = head(in); head != null; head = head(in)) {
        byte[] content = content(in, head);
        if (!answer(client, out, head, content)) {
          return;
        }
      }
    } catch (IOException gone) {
      return; // The client's affair: it counts what it saw.
    } finally {
      open.remove(client);
    }
  }

  /** False when the connection is over. */
  private boolean answer(Socket client, OutputStream out, Head request, byte[] content)
      throws IOException {
    Wrong now = next(wire(request));
    String status = now == null ? null : now.status();
    if (status != null) {
      out.write(("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n").getBytes(ascii()));
      out.flush();
      return true;
    }
    if (now == Wrong.CLOSED_UNSEEN) {
      return false;
    }
    boolean up = now == Wrong.WRONG_CONTENT && wire(request) != Wire.DOWNLOAD;
    byte[] answer = asked(request, up ? flipped(content, content.length / 2) : content);
    if (now == Wrong.CLOSED_AFTER_WORK) {
      return false;
    }
    int headBytes = new String(answer, ascii()).indexOf("\r\n\r\n") + 4;
    if (now == Wrong.WRONG_CONTENT && !up) {
      answer = flipped(answer, (headBytes + answer.length) / 2);
    } else if (now == Wrong.WRONG_CHECKSUM) {
      answer = withOtherChecksum(answer);
    }
    int bytes =
        now == null || !(now.needsContent() || now == Wrong.STALLED)
            ? answer.length
            : now == Wrong.CLOSED_AFTER_HEAD ? headBytes : (headBytes + answer.length) / 2;
    if (now == Wrong.STALLED && headBytes == answer.length) {
      bytes = 0;
    }
    if (now != null && now.needsContent() && headBytes == answer.length) {
      throw new IllegalStateException("no content to cut: " + request.first);
    }
    if (now == Wrong.RESET_AFTER_WORK) {
      bytes = 0;
    }
    for (int sent = 0; sent < bytes; ) {
      int piece = now == Wrong.SLOW ? Math.min(PIECE_BYTES, bytes - sent) : bytes - sent;
      out.write(answer, sent, piece);
      out.flush();
      sent += piece;
    }
    if (now == Wrong.RESET_AFTER_WORK || now == Wrong.CUT_BY_RESET) {
      client.setSoLinger(true, 0);
    }
    if (now == Wrong.STALLED) {
      while (client.getInputStream().read() >= 0) {
        continue; // Until the client has had enough.
      }
    }
    return now == null
        || now == Wrong.SLOW
        || now == Wrong.WRONG_CONTENT
        || now == Wrong.WRONG_CHECKSUM;
  }

  private static byte[] flipped(byte[] bytes, int at) {
    byte[] other = bytes.clone();
    other[at] ^= 1;
    return other;
  }

  private static byte[] withOtherChecksum(byte[] answer) {
    String text = new String(answer, ascii());
    Matcher told = CHECKSUM.matcher(text);
    if (!told.find()) {
      throw new IllegalStateException("no checksum in: " + text);
    }
    char first = text.charAt(told.end());
    return (text.substring(0, told.end())
            + (first == 'A' ? 'B' : 'A')
            + text.substring(told.end() + 1))
        .getBytes(ascii());
  }

  /** The whole answer of the service behind, over a connection of its own. */
  private byte[] asked(Head request, byte[] content) throws IOException {
    try (Socket service = new Socket(behind.getHost(), behind.getPort())) {
      OutputStream out = service.getOutputStream();
      StringBuilder head = new StringBuilder(request.first + "\r\nconnection: close\r\n");
      request.fields.forEach(
          (name, value) -> {
            if (!name.equals("connection")) {
              head.append(name + ": " + value + "\r\n");
            }
          });
      out.write(head.append("\r\n").toString().getBytes(ascii()));
      out.write(content);
      out.flush();
      InputStream in = new BufferedInputStream(service.getInputStream());
      Head answer = head(in);
      if (answer == null) {
        throw new EOFException("the service behind says nothing");
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      // Where an upload goes on is told as an address.
      String shown = new String(answer.bytes, ascii()).replace(behind.getAuthority(), here());
      all.write(shown.getBytes(ascii()));
      all.write(content(in, answer));
      return all.toByteArray();
    }
  }

  private static Wire wire(Head request) {
    String[] words = request.first.split(" ", -1);
    String method = words[0];
    String path = words[1].replaceAll("\\?.*", "");
    if (path.startsWith("/upload/")) {
      return method.equals("PUT")
          ? Wire.UPLOAD_PART
          : words[1].contains("uploadType=resumable") ? Wire.BEGIN_UPLOAD : Wire.WHOLE_UPLOAD;
    }
    boolean one = path.contains("/o/");
    boolean all = path.endsWith("/o");
    boolean buckets = path.endsWith("/b");
    return switch (method) {
      case "DELETE" -> one ? Wire.DELETE_OBJECT : Wire.REMOVE_BUCKET;
      case "POST" -> one ? Wire.COMPOSE : Wire.CREATE_BUCKET;
      default -> {
        if (one) {
          yield words[1].contains("alt=media") ? Wire.DOWNLOAD : Wire.LOOK_UP;
        }
        yield all ? Wire.LIST_OBJECTS : buckets ? Wire.LIST_BUCKETS : Wire.GET_BUCKET;
      }
    };
  }

  private static Charset ascii() {
    return StandardCharsets.ISO_8859_1;
  }

  private static @Nullable Head head(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String first = line(in, bytes);
    if (first == null) {
      return null;
    }
    Map<String, String> fields = new ConcurrentHashMap<>();
    for (String line = line(in, bytes); line != null && !line.isEmpty(); line = line(in, bytes)) {
      int colon = line.indexOf(':');
      fields.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    return new Head(first, fields, bytes.toByteArray());
  }

  private static @Nullable String line(InputStream in, ByteArrayOutputStream into)
      throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      into.write(c);
      if (c == '\n') {
        return line.toString().stripTrailing();
      }
      line.append((char) c);
    }
    return null;
  }

  /** As it is on the wire, with the frames of chunks. */
  private static byte[] content(InputStream in, Head head) throws IOException {
    if (!head.field("transfer-encoding").equalsIgnoreCase("chunked")) {
      String length = head.field("content-length");
      return in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String size = line(in, all); size != null; size = line(in, all)) {
      int bytes = Integer.parseInt(size.replaceAll(";.*", ""), 16);
      all.write(in.readNBytes(bytes));
      line(in, all);
      if (bytes == 0) {
        break;
      }
    }
    return all.toByteArray();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket one : open) {
      one.close();
    }
  }
}
