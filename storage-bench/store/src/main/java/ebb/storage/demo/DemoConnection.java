package ebb.storage.demo;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** One connection to the demo server: its requests in turn, with rate, latency and faults. */
final class DemoConnection {
  private static final int CHUNK_BYTES = 65_536;
  private static final int IDLE_MILLIS = 120_000;
  private static final int LINE_BUFFER_BYTES = 256 * 1_024;

  private final Socket socket;
  private final StorageApi api;
  private final Faults faults;
  private final Shape shape;
  private final Pacer up;
  private final Pacer down;

  /** The connection has been broken on purpose. */
  private static final class BrokenException extends IOException {
    private static final long serialVersionUID = 1;

    BrokenException() {
      super("broken on purpose");
    }
  }

  DemoConnection(Socket socket, StorageApi api, Faults faults, Shape shape, Pacer up, Pacer down) {
    this.socket = socket;
    this.api = api;
    this.faults = faults;
    this.shape = shape;
    this.up = up;
    this.down = down;
  }

  void serve() throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(IDLE_MILLIS);
    if (shape.bytesPerSecond() > 0) {
      // What waits in the kernel is beyond the shape.
      socket.setReceiveBufferSize(LINE_BUFFER_BYTES);
      socket.setSendBufferSize(LINE_BUFFER_BYTES);
    }
    InputStream in = new BufferedInputStream(socket.getInputStream(), CHUNK_BYTES);
    OutputStream out = new BufferedOutputStream(socket.getOutputStream(), CHUNK_BYTES);
    for (HttpRequest request = HttpRequest.read(in);
        request != null;
        request = HttpRequest.read(in)) {
      answer(request, out);
      drain(request.content());
      if ("close".equalsIgnoreCase(request.header("connection"))) {
        return;
      }
    }
  }

  private void answer(HttpRequest request, OutputStream out) throws IOException {
    Fault.At at = StorageApi.kind(request);
    Fault.Kind fault = faults.next(at);
    Reply reply = refused(fault, at);
    if (reply == null) {
      reply = api.answer(request, arrival(request, fault));
    }
    if (fault == Fault.Kind.LOST_ANSWER || (fault == Fault.Kind.RESET && reply.length() == 0)) {
      // An answer without content has no middle.
      reset();
    }
    Pacer.sleepUntil(System.nanoTime() + shape.latencyMicros() * 1_000);
    if (fault == Fault.Kind.STALL && reply.object() == null) {
      stall();
    }
    StringBuilder head = new StringBuilder("HTTP/1.1 " + reply.status() + " -\r\n");
    reply.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    if (reply.status() != 204) {
      head.append("Content-Length: " + reply.length() + "\r\n");
    }
    out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    if (reply.object() == null) {
      boolean cut = fault == Fault.Kind.TRUNCATE || fault == Fault.Kind.RESET;
      byte[] json = reply.json().getBytes(StandardCharsets.UTF_8);
      out.write(json, 0, cut ? json.length / 2 : json.length);
      out.flush();
      if (cut) {
        throw new BrokenException();
      }
    } else {
      send(reply.object(), reply.offset(), reply.length(), fault, out);
    }
  }

  private static @Nullable Reply refused(Fault.@Nullable Kind fault, Fault.At at)
      throws IOException {
    if (fault == null) {
      return null;
    }
    return switch (fault) {
      case UNAVAILABLE -> Reply.error(503, "backendError", "We encountered an internal error.");
      case TOO_MANY_REQUESTS -> Reply.error(429, "rateLimitExceeded", "Slow down.");
      case UNAUTHORIZED -> at == Fault.At.TOKEN ? Reply.noToken() : Reply.unauthorized();
      case FORBIDDEN -> Reply.error(403, "forbidden", "You do not have access to this.");
      default -> null;
    };
  }

  /** Content from the client passes here: at its rate, and with what goes wrong in its middle. */
  private StorageApi.Arrival arrival(HttpRequest request, Fault.@Nullable Kind fault) {
    long half = length(request) / 2;
    return new StorageApi.Arrival() {
      private long seen;
      private boolean spoilt;

      @Override
      public void bytes(byte[] from, int length) throws IOException {
        up.pass(length);
        seen += length;
        if (fault == Fault.Kind.CORRUPT && !spoilt && length > 0) {
          from[length / 2] ^= 1;
          spoilt = true;
        }
        if (seen > half && fault == Fault.Kind.RESET) {
          reset();
        }
        if (seen > half && fault == Fault.Kind.STALL) {
          stall();
        }
      }
    };
  }

  private static long length(HttpRequest request) {
    try {
      return Long.parseLong(request.headers().getOrDefault("content-length", "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private void send(
      StoredObject object, long offset, long length, Fault.@Nullable Kind fault, OutputStream out)
      throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    long half = offset + length / 2;
    long end = fault == Fault.Kind.TRUNCATE ? half : offset + length;
    try (FileChannel file = FileChannel.open(object.file(), StandardOpenOption.READ)) {
      for (long at = offset; at < end; ) {
        chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
        int bytes = file.read(chunk, at);
        if (bytes < 0) {
          throw new IOException("an object became shorter");
        }
        if (fault == Fault.Kind.CORRUPT && at <= half && half < at + bytes) {
          chunk.array()[(int) (half - at)] ^= 1;
        }
        if (at + bytes > half && (fault == Fault.Kind.RESET || fault == Fault.Kind.STALL)) {
          out.write(chunk.array(), 0, (int) Math.max(0, half - at));
          out.flush();
          if (fault == Fault.Kind.RESET) {
            reset();
          }
          stall();
        }
        down.pass(bytes);
        out.write(chunk.array(), 0, bytes);
        at += bytes;
      }
    }
    out.flush();
    if (fault == Fault.Kind.TRUNCATE) {
      throw new BrokenException();
    }
  }

  /** A RST instead of an orderly end. */
  private void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
    throw new BrokenException();
  }

  /** Holds the connection until the client lets it go or the server is closed. */
  private void stall() throws IOException {
    try {
      byte[] nothing = new byte[CHUNK_BYTES];
      // A client that still sends would otherwise wait for the kernel's buffers, not for an answer.
      int bytes;
      do {
        bytes = socket.getInputStream().read(nothing);
      } while (bytes >= 0);
    } catch (SocketException closed) {
      throw new BrokenException();
    }
    throw new BrokenException();
  }

  /** The next request begins after the whole of this one. */
  private void drain(InputStream content) throws IOException {
    byte[] nothing = new byte[CHUNK_BYTES];
    for (int bytes = content.read(nothing); bytes >= 0; bytes = content.read(nothing)) {
      up.pass(bytes);
    }
  }
}
