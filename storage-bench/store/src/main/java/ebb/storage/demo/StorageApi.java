package ebb.storage.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.storage.port.ContainerName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of Cloud Storage's JSON API (v1) that the client library needs for Ebb: buckets,
 * objects, multipart and resumable uploads, whole and partial downloads, preconditions; and tokens,
 * which nothing is asked for, as Google's authorization server gives them. Requests in, {@link
 * Reply} out; it owns no sockets, rates or faults.
 */
final class StorageApi {
  private static final String ROOT = "/storage/v1/b";

  /** Where tokens are given out. */
  static final String TOKEN = "/token";

  private static final int TOKEN_SECONDS = 3_600;
  private static final int MAX_JSON = 65_536;
  private static final int MAX_MULTIPART = 8 << 20;
  private static final int MAX_COMPOSED = 32;
  private static final String COMPOSE = "/compose";
  private static final int MAX_PAGE = 1_000;
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (?:(\\d{1,18})-(\\d{1,18})|\\*)/(\\d{1,18}|\\*)");
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{0,18})");

  /** What can be done with objects. */
  private static final List<String> PERMISSIONS =
      List.of(
          "storage.objects.create",
          "storage.objects.get",
          "storage.objects.list",
          "storage.objects.delete",
          "storage.buckets.getIamPolicy",
          "storage.buckets.setIamPolicy");

  private final Buckets buckets;
  private final String root;
  private final AtomicLong tokens = new AtomicLong();

  /** Bytes on their way from a client, so that somebody can hold them up or spoil them. */
  interface Arrival {
    void bytes(byte[] from, int length) throws IOException;
  }

  StorageApi(Buckets buckets, String root) {
    this.buckets = buckets;
    this.root = root;
  }

  /** Which kind of request it is, for faults. */
  static Fault.At kind(HttpRequest request) {
    if (request.path().startsWith("/upload/")) {
      return Fault.At.PUT;
    }
    if (request.path().equals(TOKEN)) {
      return Fault.At.TOKEN;
    }
    boolean ofObject = request.path().contains("/o/");
    boolean ofObjects = request.path().endsWith("/o");
    return switch (request.method()) {
      case "DELETE" -> ofObject ? Fault.At.DELETE : Fault.At.REMOVE;
      case "POST" -> ofObject ? Fault.At.PUT : Fault.At.CREATE;
      // What is known of an object is asked for before it is got; that is no get.
      case "GET" ->
          ofObject && "media".equals(request.query().get("alt"))
              ? Fault.At.GET
              : ofObjects ? Fault.At.LIST : Fault.At.ANY;
      default -> Fault.At.ANY;
    };
  }

  Reply answer(HttpRequest request, Arrival arrival) throws IOException {
    try {
      String path = request.path();
      if (path.startsWith("/upload" + ROOT + "/")) {
        return upload(request, path.substring(("/upload" + ROOT + "/").length()), arrival);
      }
      if (path.equals(TOKEN)) {
        String token = "demo-" + tokens.incrementAndGet();
        return Reply.json(
            Map.of("access_token", token, "token_type", "Bearer", "expires_in", TOKEN_SECONDS));
      }
      if (path.startsWith("/download")) {
        path = path.substring("/download".length());
      }
      if (path.equals(ROOT)) {
        return ofBuckets(request);
      }
      if (!path.startsWith(ROOT + "/")) {
        throw new ApiException(404, "notFound", "no such path");
      }
      String[] parts = path.substring(ROOT.length() + 1).split("/", 3);
      String bucket = HttpRequest.decodedPath(parts[0]);
      if (parts.length == 1) {
        return ofBucket(request, bucket);
      }
      if (parts[1].equals("iam")) {
        return ofPolicy(request, bucket, parts.length == 3);
      }
      if (!parts[1].equals("o")) {
        throw new ApiException(404, "notFound", "no such path");
      }
      if (request.method().equals("POST") && parts.length == 3 && parts[2].endsWith(COMPOSE)) {
        String name = parts[2].substring(0, parts[2].length() - COMPOSE.length());
        return compose(request, bucket, HttpRequest.decodedPath(name));
      }
      return parts.length == 2
          ? list(bucket, request.query())
          : ofObject(request, bucket, HttpRequest.decodedPath(parts[2]));
    } catch (ApiException e) {
      return Reply.error(e.status, e.reason, String.valueOf(e.getMessage()));
    }
  }

  private Reply ofBuckets(HttpRequest request) throws ApiException, IOException {
    if (request.method().equals("GET")) {
      List<Object> items = new ArrayList<>();
      for (Buckets.Bucket bucket : buckets.list(request.query().getOrDefault("prefix", ""))) {
        items.add(shown(bucket));
      }
      return Reply.json(Map.of("kind", "storage#buckets", "items", items));
    }
    Map<String, Object> asked = json(request);
    String name = text(asked, "name");
    Optional<String> problem = ContainerName.problem(name);
    if (problem.isPresent()) {
      throw new ApiException(400, "invalid", "Invalid bucket name: '" + name + "'");
    }
    String location = text(asked, "location");
    return Reply.json(
        shown(buckets.create(name, location.isEmpty() ? "US" : location, map(asked, "labels"))));
  }

  private Reply ofBucket(HttpRequest request, String bucket) throws ApiException, IOException {
    return switch (request.method()) {
      case "GET" -> Reply.json(shown(buckets.bucket(bucket)));
      case "DELETE" -> {
        buckets.remove(bucket);
        yield Reply.empty(204);
      }
      default -> throw new ApiException(405, "methodNotAllowed", "not with " + request.method());
    };
  }

  /** Everybody may do everything here; a policy is only kept. */
  private Reply ofPolicy(HttpRequest request, String bucket, boolean isTest)
      throws ApiException, IOException {
    if (isTest) {
      buckets.bucket(bucket);
      return Reply.json(Map.of("permissions", PERMISSIONS));
    }
    if (request.method().equals("PUT")) {
      buckets.setPolicy(bucket, json(request));
    }
    return Reply.json(buckets.policy(bucket));
  }

  /** A policy by which somebody may use objects. */
  static Map<String, Object> policy(String member) {
    return Map.of(
        "bindings",
        List.of(Map.of("role", "roles/storage.objectUser", "members", List.of(member))));
  }

  private static Map<String, Object> shown(Buckets.Bucket bucket) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", "storage#bucket");
    fields.put("id", bucket.name());
    fields.put("name", bucket.name());
    fields.put("location", bucket.location());
    fields.put("labels", bucket.labels());
    fields.put("metageneration", "1");
    return fields;
  }

  private Reply list(String bucket, Map<String, String> query) throws ApiException, IOException {
    int max = MAX_PAGE;
    try {
      max = Math.min(max, Integer.parseInt(query.getOrDefault("maxResults", "" + MAX_PAGE)));
    } catch (NumberFormatException e) {
      throw new ApiException(400, "invalid", "maxResults is no number");
    }
    if (max < 1) {
      throw new ApiException(400, "invalid", "maxResults is not positive");
    }
    String prefix = query.getOrDefault("prefix", "");
    List<StoredObject> found =
        buckets.list(bucket, prefix, query.getOrDefault("pageToken", ""), max);
    List<Object> items = new ArrayList<>();
    for (StoredObject object : found.subList(0, Math.min(max, found.size()))) {
      items.add(shown(bucket, object));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", "storage#objects");
    fields.put("items", items);
    if (found.size() > max) {
      fields.put("nextPageToken", found.get(max - 1).name());
    }
    return Reply.json(fields);
  }

  private Reply ofObject(HttpRequest request, String bucket, String name)
      throws ApiException, IOException {
    Map<String, String> query = request.query();
    return switch (request.method()) {
      case "DELETE" -> {
        buckets.delete(bucket, name, query);
        yield Reply.empty(204);
      }
      case "GET" -> {
        StoredObject object = buckets.object(bucket, name);
        Buckets.checkGeneration(query, object);
        String generation = query.get("generation");
        if (generation != null && !generation.equals(Long.toString(object.generation()))) {
          throw new ApiException(404, "notFound", "No such object: " + bucket + "/" + name);
        }
        yield "media".equals(query.get("alt"))
            ? media(object, request.header("range"))
            : Reply.json(shown(bucket, object));
      }
      default -> throw new ApiException(405, "methodNotAllowed", "not with " + request.method());
    };
  }

  /** One object of several, one after the other. */
  private Reply compose(HttpRequest request, String bucket, String name)
      throws ApiException, IOException {
    Map<String, Object> asked = json(request);
    List<String> parts = new ArrayList<>();
    if (asked.get("sourceObjects") instanceof List<?> sources) {
      for (Object source : sources) {
        parts.add(source instanceof Map<?, ?> of ? String.valueOf(of.get("name")) : "");
      }
    }
    if (parts.isEmpty() || parts.size() > MAX_COMPOSED) {
      throw new ApiException(400, "invalid", "1 to " + MAX_COMPOSED + " objects make one");
    }
    Object target = asked.get("destination");
    Map<String, String> metadata =
        target instanceof Map<?, ?> of && of.get("metadata") instanceof Map<?, ?> texts
            ? texts.entrySet().stream()
                .collect(
                    Collectors.toMap(
                        one -> String.valueOf(one.getKey()), one -> String.valueOf(one.getValue())))
            : Map.of();
    return Reply.json(
        shown(bucket, buckets.compose(bucket, name, parts, request.query(), metadata)));
  }

  private static Reply media(StoredObject object, @Nullable String range) throws ApiException {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/octet-stream");
    headers.put("X-Goog-Generation", Long.toString(object.generation()));
    headers.put("X-Goog-Hash", "crc32c=" + Checksums.base64(object.crc32c()));
    headers.put("X-Goog-Stored-Content-Length", Long.toString(object.bytes()));
    headers.put("X-Goog-Stored-Content-Encoding", "identity");
    Matcher asked = RANGE.matcher(range == null ? "" : range);
    if (!asked.matches()) {
      return new Reply(200, headers, "", object, 0, object.bytes());
    }
    long from = Long.parseLong(asked.group(1));
    long last =
        asked.group(2).isEmpty()
            ? object.bytes() - 1
            : Math.min(object.bytes() - 1, Long.parseLong(asked.group(2)));
    if (from > last) {
      throw new ApiException(
          416, "requestedRangeNotSatisfiable", "The requested range cannot be satisfied.");
    }
    headers.put("Content-Range", "bytes " + from + "-" + last + "/" + object.bytes());
    return new Reply(206, headers, "", object, from, last - from + 1);
  }

  private static Map<String, Object> shown(String bucket, StoredObject object) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", "storage#object");
    fields.put("id", bucket + "/" + object.name() + "/" + object.generation());
    fields.put("name", object.name());
    fields.put("bucket", bucket);
    fields.put("generation", Long.toString(object.generation()));
    fields.put("metageneration", "1");
    fields.put("contentType", "application/octet-stream");
    fields.put("storageClass", "STANDARD");
    fields.put("size", Long.toString(object.bytes()));
    fields.put("crc32c", Checksums.base64(object.crc32c()));
    if (!object.metadata().isEmpty()) {
      fields.put("metadata", object.metadata());
    }
    return fields;
  }

  private Reply upload(HttpRequest request, String rest, Arrival arrival)
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
        Map<String, Object> asked = json(request);
        String name = request.query().getOrDefault("name", text(asked, "name"));
        String begun =
            buckets.begin(
                bucket, name, request.query(), text(asked, "crc32c"), map(asked, "metadata"));
        String location =
            root + "/upload" + ROOT + "/" + parts[0] + "/o?uploadType=resumable&upload_id=" + begun;
        yield Reply.of(200, Map.of("Location", location, "X-GUploader-UploadID", begun));
      }
      case "multipart" -> multipart(request, bucket, arrival);
      case "media" -> media(request, bucket, arrival);
      default -> throw new ApiException(400, "invalid", "no such uploadType");
    };
  }

  /** The bytes alone, whole or not at all, as curl sends them. */
  private Reply media(HttpRequest request, String bucket, Arrival arrival)
      throws ApiException, IOException {
    String name = request.query().getOrDefault("name", "");
    String id = buckets.begin(bucket, name, request.query(), "", Map.of());
    boolean kept = false;
    try {
      receive(request.content(), buckets.upload(id), 0, arrival);
      StoredObject object = buckets.finish(id);
      kept = true;
      return Reply.json(shown(bucket, object));
    } finally {
      if (!kept) {
        buckets.abandon(id);
      }
    }
  }

  /** More of a resumable upload, its end, the question how far it is, or its end without object. */
  private Reply proceed(HttpRequest request, String bucket, String id, Arrival arrival)
      throws ApiException, IOException {
    if (request.method().equals("DELETE")) {
      buckets.abandon(id);
      return Reply.empty(499);
    }
    StoredObject made = buckets.finished(id);
    if (made != null) {
      return Reply.json(shown(bucket, made));
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
        return Reply.json(shown(upload.bucket, buckets.finish(id)));
      }
      return Reply.of(
          308,
          upload.bytes() == 0
              ? Map.of("X-GUploader-UploadID", id)
              : Map.of("Range", "bytes=0-" + (upload.bytes() - 1), "X-GUploader-UploadID", id));
    }
  }

  /** Appends what comes, without the first {@code known} bytes, which are there already. */
  private void receive(InputStream content, Upload upload, long known, Arrival arrival)
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
  private Reply multipart(HttpRequest request, String bucket, Arrival arrival)
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
    Map<String, Object> asked = parsed(utf8);
    String name = request.query().getOrDefault("name", text(asked, "name"));
    String id =
        buckets.begin(bucket, name, request.query(), text(asked, "crc32c"), map(asked, "metadata"));
    try {
      receive(in, buckets.upload(id), 0, arrival);
    } catch (IOException | ApiException e) {
      buckets.abandon(id);
      throw e;
    }
    return Reply.json(shown(bucket, buckets.finish(id)));
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

  private static Map<String, Object> json(HttpRequest request) throws ApiException, IOException {
    byte[] bytes = request.plainContent().readNBytes(MAX_JSON + 1);
    if (bytes.length > MAX_JSON) {
      throw new ApiException(413, "invalid", "too much JSON");
    }
    return parsed(bytes);
  }

  private static Map<String, Object> parsed(byte[] utf8) throws ApiException {
    try {
      return utf8.length == 0 ? Map.of() : JSON.std.mapFrom(utf8);
    } catch (IOException | RuntimeException e) {
      throw new ApiException(400, "parseError", "no JSON object");
    }
  }

  private static Map<String, String> map(Map<String, Object> fields, String name) {
    Map<String, String> map = new LinkedHashMap<>();
    if (fields.get(name) instanceof Map<?, ?> given) {
      given.forEach((key, value) -> map.put(String.valueOf(key), String.valueOf(value)));
    }
    return map;
  }

  private static String text(Map<String, Object> fields, String name) {
    Object value = fields.get(name);
    return value == null ? "" : value.toString();
  }
}
