package ebb.storage.demo;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/1.1 request and a stream of its content. Heads are bounded; what is not HTTP
 * is an {@link IOException}.
 *
 * @param path as it came, still percent-encoded, without the query
 */
record HttpRequest(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    InputStream content) {
  private static final int MAX_LINE = 8_192;
  private static final int MAX_HEADERS = 100;

  /** The next request of a connection; null when the client has no more. */
  static @Nullable HttpRequest read(InputStream in) throws IOException {
    String line = line(in);
    while (line != null && line.isEmpty()) {
      line = line(in);
    }
    if (line == null) {
      return null;
    }
    String[] words = line.split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/1.") || !words[1].startsWith("/")) {
      throw new IOException("not HTTP/1.1");
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (String header = line(in); header == null || !header.isEmpty(); header = line(in)) {
      int colon = header == null ? -1 : header.indexOf(':');
      if (header == null || colon < 1 || headers.size() == MAX_HEADERS) {
        throw new IOException("no headers of a request");
      }
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).trim());
    }
    int mark = words[1].indexOf('?');
    String path = mark < 0 ? words[1] : words[1].substring(0, mark);
    Map<String, String> query = mark < 0 ? Map.of() : query(words[1].substring(mark + 1));
    return new HttpRequest(words[0], path, query, headers, content(in, headers));
  }

  private static InputStream content(InputStream in, Map<String, String> headers)
      throws IOException {
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      return new ChunkedInput(in);
    }
    try {
      return new BoundedInput(in, Long.parseLong(headers.getOrDefault("content-length", "0")));
    } catch (NumberFormatException e) {
      throw new IOException("no content-length", e);
    }
  }

  /** The content, unpacked when the client has packed it. */
  InputStream plainContent() throws IOException {
    return "gzip".equals(headers.get("content-encoding"))
        ? new GZIPInputStream(content, 8_192)
        : content;
  }

  @Nullable String header(String name) {
    return headers.get(name);
  }

  private static Map<String, String> query(String text) throws IOException {
    Map<String, String> query = new LinkedHashMap<>();
    for (String pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      query.put(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
    }
    return query;
  }

  private static String decoded(String text) throws IOException {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IOException("a bad escape", e);
    }
  }

  /** A part of a path; a plus is a plus there. */
  static String decodedPath(String text) throws IOException {
    return decoded(text.replace("+", "%2B"));
  }

  /** A line without its end; null at the end of the stream. */
  static @Nullable String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        if (line.length() > 0) {
          throw new EOFException("half a line");
        }
        return null;
      }
      if (line.length() == MAX_LINE) {
        throw new IOException("a line of more than " + MAX_LINE + " characters");
      }
      line.append((char) c);
    }
    int length = line.length();
    return length > 0 && line.charAt(length - 1) == '\r'
        ? line.substring(0, length - 1)
        : line.toString();
  }

  /** So many bytes of a stream that goes on after them. */
  static final class BoundedInput extends InputStream {
    private final InputStream in;
    private long left;

    BoundedInput(InputStream in, long length) {
      this.in = in;
      left = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int bytes = in.read(into, offset, (int) Math.min(left, length));
      if (bytes < 0) {
        throw new EOFException("the content ends early");
      }
      left -= bytes;
      return bytes;
    }
  }

  /** RFC 9112, section 7.1: chunks with their sizes in front, an empty one last. */
  static final class ChunkedInput extends InputStream {
    private final InputStream in;
    private InputStream chunk = InputStream.nullInputStream();
    private boolean ended;
    private boolean first = true;

    ChunkedInput(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      while (!ended) {
        int bytes = chunk.read(into, offset, length);
        if (bytes >= 0) {
          return bytes;
        }
        nextChunk();
      }
      return -1;
    }

    private void nextChunk() throws IOException {
      if (!first) {
        HttpRequest.line(in);
      }
      first = false;
      String head = HttpRequest.line(in);
      if (head == null) {
        throw new EOFException("the content ends early");
      }
      int semicolon = head.indexOf(';');
      String digits = (semicolon < 0 ? head : head.substring(0, semicolon)).trim();
      long length;
      try {
        length = Long.parseLong(digits, 16);
      } catch (NumberFormatException e) {
        throw new IOException("not the size of a chunk", e);
      }
      if (length < 0) {
        throw new IOException("not the size of a chunk");
      }
      chunk = new BoundedInput(in, length);
      if (length == 0) {
        ended = true;
        for (String trailer = HttpRequest.line(in);
            trailer != null && !trailer.isEmpty();
            trailer = HttpRequest.line(in)) {
          // Trailers mean nothing here.
        }
      }
    }
  }
}
