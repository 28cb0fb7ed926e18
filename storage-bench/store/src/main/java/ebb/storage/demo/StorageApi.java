package ebb.storage.demo;

import ebb.storage.port.ContainerName;
import java.io.IOException;
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
 * objects, whole and partial downloads, preconditions; and tokens, which nothing is asked for, as
 * Google's authorization server gives them. Uploads are {@link UploadApi}'s. Requests in, {@link
 * Reply} out; it owns no sockets, rates or faults.
 */
final class StorageApi {
  static final String ROOT = "/storage/v1/b";

  /** Where tokens are given out. */
  static final String TOKEN = "/token";

  private static final int TOKEN_SECONDS = 3_600;
  private static final int MAX_COMPOSED = 32;
  private static final String COMPOSE = "/compose";
  private static final int MAX_PAGE = 1_000;
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
  private final UploadApi uploads;
  private final AtomicLong tokens = new AtomicLong();

  /** Bytes on their way from a client, so that somebody can hold them up or spoil them. */
  interface Arrival {
    void bytes(byte[] from, int length) throws IOException;
  }

  StorageApi(Buckets buckets, String root) {
    this.buckets = buckets;
    uploads = new UploadApi(buckets, root);
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
        return uploads.answer(request, path.substring(("/upload" + ROOT + "/").length()), arrival);
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
    Map<String, Object> asked = Asked.json(request);
    String name = Asked.text(asked, "name");
    Optional<String> problem = ContainerName.problem(name);
    if (problem.isPresent()) {
      throw new ApiException(400, "invalid", "Invalid bucket name: '" + name + "'");
    }
    String location = Asked.text(asked, "location");
    return Reply.json(
        shown(
            buckets.create(
                name, location.isEmpty() ? "US" : location, Asked.map(asked, "labels"))));
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
      buckets.setPolicy(bucket, Asked.json(request));
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
    Map<String, Object> asked = Asked.json(request);
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

  static Map<String, Object> shown(String bucket, StoredObject object) {
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
}
