package ebb.storage.demo;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How objects come in, as a part of {@link StorageApi}: multipart and resumable uploads, and bytes
 * alone. What becomes of them is {@link Buckets}' affair.
 */
final class UploadApi {
  private static final int MAX_MULTIPART = 8 << 20;
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (?:(\\d{1,18})-(\\d{1,18})|\\*)/(\\d{1,18}|\\*)");

  private final Buckets buckets;
  private final String root;

  UploadApi(Buckets buckets, String root) {
    this.buckets = buckets;
    this.root = root;
  }

  /** What lies below the path of uploads. */
  Reply answer(HttpRequest request, String rest, StorageApi.Arrival arrival)
      throws ApiException, IOException {
    String[] parts = rest.split("/", 2);
    if (parts.length != 2 || !parts[1].equals("o")) {
      throw new ApiException(404, "notFound", "no such path");
    }
    String bucket = HttpRequest.decodedPath(parts[0]);
    String id = request.query().get("upload_id");
    if (id != null) {
      return proceed(request, bucket, id, arrival);
    }
    return switch (request.query().getOrDefault("uploadType", "")) {
      case "resumable" -> {
        String begun = begin(request, bucket, Asked.json(request));
        String location =
            root
                + "/upload"
                + StorageApi.ROOT
                + "/"
                + parts[0]
                + "/o?uploadType=resumable&upload_id="
                + begun;
        yield Reply.of(200, Map.of("Location", location, "X-GUploader-UploadID", begun));
      }
      case "multipart" -> multipart(request, bucket, arrival);
      case "media" -> media(request, bucket, arrival);
      default -> throw new ApiException(400, "invalid", "no such uploadType");
    };
  }

  /** The id of an upload of what the fields say. */
  private String begin(HttpRequest request, String bucket, Map<String, Object> asked)
      throws ApiException, IOException {
    String name = request.query().getOrDefault("name", Asked.text(asked, "name"));
    return buckets.begin(
        bucket, name, request.query(), Asked.text(asked, "crc32c"), Asked.map(asked, "metadata"));
  }

  /** The bytes alone, whole or not at all, as curl sends them. */
  private Reply media(HttpRequest request, String bucket, StorageApi.Arrival arrival)
      throws ApiException, IOException {
    String name = request.query().getOrDefault("name", "");
    String id = buckets.begin(bucket, name, request.query(), "", Map.of());
    boolean kept = false;
    try {
      receive(request.content(), buckets.upload(id), 0, arrival);
      StoredObject object = buckets.finish(id);
      kept = true;
      return Reply.json(StorageApi.shown(bucket, object));
    } finally {
      if (!kept) {
        buckets.abandon(id);
      }
    }
  }

  /** More of a resumable upload, its end, the question how far it is, or its end without object. */
  private Reply proceed(HttpRequest request, String bucket, String id, StorageApi.Arrival arrival)
      throws ApiException, IOException {
    if (request.method().equals("DELETE")) {
      buckets.abandon(id);
      return Reply.empty(499);
    }
    StoredObject made = buckets.finished(id);
    if (made != null) {
      return Reply.json(StorageApi.shown(bucket, made));
    }
    Upload upload = buckets.upload(id);
    synchronized (upload) {
      String header = request.header("content-range");
      Matcher range = CONTENT_RANGE.matcher(header == null ? "bytes 0-0/*" : header);
      if (!range.matches()) {
        throw new ApiException(400, "invalid", "bad Content-Range");
      }
      if (range.group(1) != null || header == null) {
        long from = header == null ? 0 : Long.parseLong(range.group(1));
        if (from > upload.bytes()) {
          throw new ApiException(503, "backendError", "a gap before this part");
        }
        receive(request.content(), upload, upload.bytes() - from, arrival);
      }
      boolean known = header == null || !range.group(3).equals("*");
      long total = !known || header == null ? upload.bytes() : Long.parseLong(range.group(3));
      if (known && total == upload.bytes()) {
        return Reply.json(StorageApi.shown(upload.bucket, buckets.finish(id)));
      }
      return Reply.of(
          308,
          upload.bytes() == 0
              ? Map.of("X-GUploader-UploadID", id)
              : Map.of("Range", "bytes=0-" + (upload.bytes() - 1), "X-GUploader-UploadID", id));
    }
  }

  /** Appends what comes, without the first {@code known} bytes, which are there already. */
  private void receive(InputStream content, Upload upload, long known, StorageApi.Arrival arrival)
      throws ApiException, IOException {
    byte[] buffer = new byte[65_536];
    long skip = known;
    for (int bytes = content.read(buffer); bytes >= 0; bytes = content.read(buffer)) {
      arrival.bytes(buffer, bytes);
      int skipped = (int) Math.min(skip, bytes);
      skip -= skipped;
      buckets.reserve(bytes - skipped);
      upload.append(buffer, skipped, bytes - skipped);
    }
  }

  /** RFC 2387: the object's fields, then its content. Only for what fits into memory. */
  private Reply multipart(HttpRequest request, String bucket, StorageApi.Arrival arrival)
      throws ApiException, IOException {
    String type = request.headers().getOrDefault("content-type", "");
    int mark = type.indexOf("boundary=");
    if (mark < 0) {
      throw new ApiException(400, "invalid", "no boundary");
    }
    String boundary = type.substring(mark + "boundary=".length()).split(";", 2)[0];
    byte[] end = ("\r\n--" + boundary.replace("\"", "") + "--").getBytes(StandardCharsets.US_ASCII);
    byte[] all = request.plainContent().readNBytes(MAX_MULTIPART + 1);
    if (all.length > MAX_MULTIPART) {
      throw new ApiException(413, "uploadTooLarge", "use a resumable upload");
    }
    int stop = all.length;
    do {
      stop--;
    } while (stop >= 0 && !startsWith(all, stop, end));
    ByteArrayInputStream in = new ByteArrayInputStream(all, 0, Math.max(0, stop));
    HttpRequest.line(in);
    skipHeaders(in);
    // One line: neither the client library nor anybody's JSON printer for machines makes more.
    StringBuilder json = new StringBuilder();
    String next = "--" + boundary.replace("\"", "");
    for (String line = HttpRequest.line(in); ; line = HttpRequest.line(in)) {
      if (line == null) {
        throw new ApiException(400, "invalid", "no second part");
      }
      if (line.equals(next)) {
        break;
      }
      json.append(line);
    }
    skipHeaders(in);
    byte[] utf8 = json.toString().getBytes(StandardCharsets.ISO_8859_1);
    String id = begin(request, bucket, Asked.parsed(utf8));
    try {
      receive(in, buckets.upload(id), 0, arrival);
    } catch (IOException | ApiException e) {
      buckets.abandon(id);
      throw e;
    }
    return Reply.json(StorageApi.shown(bucket, buckets.finish(id)));
  }

  private static void skipHeaders(InputStream in) throws IOException {
    String line = HttpRequest.line(in);
    while (line != null && !line.isEmpty()) {
      line = HttpRequest.line(in);
    }
  }

  private static boolean startsWith(byte[] all, int at, byte[] what) {
    if (at + what.length > all.length) {
      return false;
    }
    for (int i = 0; i < what.length; i++) {
      if (all[at + i] != what[i]) {
        return false;
      }
    }
    return true;
  }
}
