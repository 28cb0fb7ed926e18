package ebb.storage.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the demo server holds: buckets, objects and uploads that are not finished, all bounded; the
 * bytes are in files of one directory. Thread-safe.
 */
final class Buckets {
  private static final int MAX_BUCKETS = 1_000;
  private static final int MAX_OBJECTS = 1_000_000;
  private static final int MAX_UPLOADS = 1_000;

  private final Path directory;
  private final long maxBytes;
  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicLong nextNumber = new AtomicLong(1_000);
  private final TreeMap<String, Bucket> buckets = new TreeMap<>();
  private final Map<String, Map<String, Object>> policies = new HashMap<>();
  private final Map<String, Upload> uploads = new HashMap<>();

  /** A client that has lost the last answer asks again. */
  private final Map<String, StoredObject> finished =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StoredObject> eldest) {
          return size() > MAX_UPLOADS;
        }
      };

  private int objects;

  /** A bucket and its objects. */
  record Bucket(
      String name,
      String location,
      Map<String, String> labels,
      NavigableMap<String, StoredObject> objects) {}

  Buckets(Path directory, long maxBytes) {
    this.directory = directory;
    this.maxBytes = maxBytes;
  }

  synchronized Bucket create(String name, String location, Map<String, String> labels)
      throws ApiException {
    if (buckets.containsKey(name)) {
      throw new ApiException(
          409, "conflict", "The requested bucket name '" + name + "' is not available.");
    }
    if (buckets.size() == MAX_BUCKETS) {
      throw new ApiException(403, "quotaExceeded", "too many buckets");
    }
    Bucket bucket = new Bucket(name, location, Map.copyOf(labels), new TreeMap<>());
    buckets.put(name, bucket);
    return bucket;
  }

  synchronized Bucket bucket(String name) throws ApiException {
    Bucket bucket = buckets.get(name);
    if (bucket == null) {
      throw new ApiException(404, "notFound", "The specified bucket does not exist.");
    }
    return bucket;
  }

  synchronized List<Bucket> list(String prefix) {
    return buckets.values().stream().filter(b -> b.name.startsWith(prefix)).toList();
  }

  synchronized void remove(String name) throws ApiException {
    if (!bucket(name).objects.isEmpty()) {
      throw new ApiException(409, "conflict", "The bucket you tried to delete is not empty.");
    }
    buckets.remove(name);
    policies.remove(name);
  }

  /** Who may do what there, as it was said last; nobody and nothing is asked for it here. */
  synchronized Map<String, Object> policy(String name) throws ApiException {
    bucket(name);
    return policies.getOrDefault(name, Map.of("bindings", List.of()));
  }

  synchronized void setPolicy(String name, Map<String, Object> policy) throws ApiException {
    bucket(name);
    policies.put(name, policy);
  }

  synchronized StoredObject object(String bucket, String name) throws ApiException {
    StoredObject object = bucket(bucket).objects.get(name);
    if (object == null) {
      throw new ApiException(404, "notFound", "No such object: " + bucket + "/" + name);
    }
    return object;
  }

  /** Objects after a name, in order, one more than {@code max} when there are more. */
  synchronized List<StoredObject> list(String bucket, String prefix, String after, int max)
      throws ApiException {
    List<StoredObject> found = new ArrayList<>();
    for (StoredObject object : bucket(bucket).objects.tailMap(after, false).values()) {
      if (object.name().startsWith(prefix)) {
        found.add(object);
        if (found.size() > max) {
          break;
        }
      }
    }
    return found;
  }

  synchronized void delete(String bucket, String name, Map<String, String> query)
      throws ApiException {
    checkGeneration(query, bucket(bucket).objects.get(name));
    StoredObject object = object(bucket, name);
    bucket(bucket).objects.remove(name);
    forget(object);
  }

  private void forget(StoredObject object) {
    objects--;
    usedBytes.addAndGet(-object.bytes());
    object.discard();
  }

  /** What the client asks for of the object that is there: "0" is that there is none. */
  static void checkGeneration(Map<String, String> query, @Nullable StoredObject object)
      throws ApiException {
    String wanted = query.get("ifGenerationMatch");
    String there = object == null ? "0" : Long.toString(object.generation());
    if (wanted != null && !wanted.equals(there)) {
      throw new ApiException(
          412, "conditionNotMet", "At least one of the pre-conditions you specified did not hold.");
    }
  }

  /** A name for an upload and the upload; its file is new. */
  synchronized String begin(
      String bucket,
      String name,
      Map<String, String> query,
      String announced,
      Map<String, String> metadata)
      throws ApiException, IOException {
    checkGeneration(query, bucket(bucket).objects.get(name));
    if (name.isEmpty()) {
      throw new ApiException(400, "required", "an object needs a name");
    }
    if (uploads.size() == MAX_UPLOADS || objects == MAX_OBJECTS) {
      throw new ApiException(403, "quotaExceeded", "too many objects or uploads");
    }
    long number = nextNumber.incrementAndGet();
    String id = "upload-" + number;
    uploads.put(id, new Upload(bucket, name, query, announced, metadata, directory.resolve(id)));
    return id;
  }

  synchronized Upload upload(String id) throws ApiException {
    Upload upload = uploads.get(id);
    if (upload == null) {
      throw new ApiException(410, "gone", "there is no such upload");
    }
    return upload;
  }

  /** What an upload has become; null while it is under way. */
  synchronized @Nullable StoredObject finished(String id) {
    return finished.get(id);
  }

  /** Room for more bytes, or an error. */
  void reserve(long bytes) throws ApiException {
    if (usedBytes.addAndGet(bytes) > maxBytes) {
      usedBytes.addAndGet(-bytes);
      throw new ApiException(
          403, "quotaExceeded", "the demo server holds at most " + maxBytes + " bytes");
    }
  }

  synchronized void abandon(String id) throws IOException {
    Upload upload = uploads.remove(id);
    if (upload != null) {
      upload.close();
      usedBytes.addAndGet(-upload.bytes());
      Files.deleteIfExists(upload.file);
    }
  }

  /** Makes an object of what has been uploaded, if the checksum is the announced one. */
  synchronized StoredObject finish(String id) throws ApiException, IOException {
    Upload upload = upload(id);
    boolean kept = false;
    try {
      String crc32c = Checksums.base64(upload.crc32c());
      if (!upload.announced.isEmpty() && !upload.announced.equals(crc32c)) {
        throw new ApiException(
            400,
            "invalid",
            "Provided CRC32C \""
                + upload.announced
                + "\" doesn't match calculated CRC32C \""
                + crc32c
                + "\".");
      }
      NavigableMap<String, StoredObject> objectsOf = bucket(upload.bucket).objects;
      StoredObject before = objectsOf.get(upload.name);
      checkGeneration(upload.query, before);
      StoredObject object =
          new StoredObject(
              upload.name,
              nextNumber.incrementAndGet(),
              upload.file,
              upload.bytes(),
              upload.crc32c(),
              upload.metadata);
      objectsOf.put(upload.name, object);
      objects++;
      if (before != null) {
        forget(before);
      }
      upload.close();
      uploads.remove(id);
      finished.put(id, object);
      kept = true;
      return object;
    } finally {
      if (!kept) {
        abandon(id);
      }
    }
  }

  /** Makes an object of the bytes of others, which stay. */
  synchronized StoredObject compose(
      String bucket,
      String name,
      List<String> parts,
      Map<String, String> query,
      Map<String, String> metadata)
      throws ApiException, IOException {
    List<StoredObject> sources = new ArrayList<>();
    for (String part : parts) {
      sources.add(object(bucket, part));
    }
    String id = begin(bucket, name, query, "", metadata);
    boolean kept = false;
    try {
      for (StoredObject source : sources) {
        reserve(source.bytes());
        upload(id).append(source.file());
      }
      StoredObject object = finish(id);
      kept = true;
      return object;
    } finally {
      if (!kept) {
        abandon(id);
      }
    }
  }

  synchronized int count() {
    return buckets.size();
  }
}
