package ebb.storage.store;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.port.ContainerName;
import ebb.storage.port.Content;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.Range;
import ebb.storage.port.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Objects in this process's heap, up to a bound: what everything around a store costs. It has no
 * network, so nothing is ever tried again.
 */
public final class MemoryStore implements ObjectStore {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int COPY_BYTES = 1 << 18;

  private final Map<String, ConcurrentNavigableMap<String, Item>> containers =
      new ConcurrentHashMap<>();
  private final AtomicLong usedBytes = new AtomicLong();
  private final long maxBytes;

  private record Item(
      List<ByteBuffer> chunks, long bytes, int crc32c, Map<String, String> labels) {}

  public MemoryStore(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Of all objects together, at most. */
  public long maxBytes() {
    return maxBytes;
  }

  /** A store that takes at most half of the heap. */
  public static MemoryStore ofHalfTheHeap() {
    return new MemoryStore(Runtime.getRuntime().maxMemory() / 2);
  }

  @Override
  public String describe() {
    return "memory of this process";
  }

  @Override
  public void createContainer(String container, Map<String, String> labels, StoreCall call)
      throws RequestFailedException {
    checkName(container);
    if (containers.putIfAbsent(container, new ConcurrentSkipListMap<>()) != null) {
      throw new RequestFailedException(
          FailureKind.ALREADY_EXISTS, "there is a '" + container + "'");
    }
  }

  static void checkName(String container) throws RequestFailedException {
    var problem = ContainerName.problem(container);
    if (problem.isPresent()) {
      throw new RequestFailedException(
          FailureKind.INVALID, "'" + container + "': " + problem.get());
    }
  }

  private ConcurrentNavigableMap<String, Item> find(String container)
      throws RequestFailedException {
    ConcurrentNavigableMap<String, Item> found = containers.get(container);
    if (found == null) {
      throw new RequestFailedException(FailureKind.NOT_FOUND, "there is no '" + container + "'");
    }
    return found;
  }

  private Item find(String container, String object) throws RequestFailedException {
    Item item = find(container).get(object);
    if (item == null) {
      throw new RequestFailedException(
          FailureKind.NOT_FOUND, "there is no '" + object + "' in '" + container + "'");
    }
    return item;
  }

  @Override
  public boolean put(
      String container,
      String object,
      Content content,
      boolean replace,
      Map<String, String> labels,
      StoreCall call)
      throws RequestFailedException, IOException {
    Map<String, Item> objects = find(container);
    if (!replace && objects.containsKey(object)) {
      throw new RequestFailedException(FailureKind.ALREADY_EXISTS, "there is a '" + object + "'");
    }
    long length = content.length();
    if (usedBytes.addAndGet(length) > maxBytes) {
      usedBytes.addAndGet(-length);
      throw new RequestFailedException(
          FailureKind.NO_SPACE, "more than the " + maxBytes + " bytes of memory for objects");
    }
    boolean kept = false;
    try {
      Item item = copy(content, length, labels, call);
      Item before = replace ? objects.put(object, item) : objects.putIfAbsent(object, item);
      if (before != null && !replace) {
        throw new RequestFailedException(FailureKind.ALREADY_EXISTS, "there is a '" + object + "'");
      }
      kept = true;
      usedBytes.addAndGet(before == null ? 0 : -before.bytes);
    } finally {
      if (!kept) {
        usedBytes.addAndGet(-length);
      }
    }
    return false;
  }

  private static Item copy(Content content, long length, Map<String, String> labels, StoreCall call)
      throws RequestFailedException, IOException {
    call.halt();
    int crc32c = content.crc32c(0, length);
    call.resume();
    List<ByteBuffer> chunks = new ArrayList<>();
    for (long at = 0; at < length; at += CHUNK_BYTES) {
      ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, length - at));
      content.read(at, chunk);
      chunks.add(chunk.flip());
      call.moved(chunk.remaining());
    }
    return new Item(List.copyOf(chunks), length, crc32c, labels);
  }

  @Override
  public @Nullable Integer get(
      String container, String object, @Nullable Range range, Sink sink, StoreCall call)
      throws RequestFailedException, IOException {
    Item item = find(container, object);
    Range all = bounded(range, item.bytes, object);
    if (all == null) {
      return item.crc32c;
    }
    // Copied, or nothing at all would be read.
    ByteBuffer copy = ByteBuffer.allocate((int) Math.min(COPY_BYTES, all.length()));
    for (long at = all.offset(); at < all.end(); ) {
      int inChunk = (int) (at % CHUNK_BYTES);
      ByteBuffer chunk = item.chunks.get((int) (at / CHUNK_BYTES)).duplicate();
      long there = Math.min(chunk.remaining() - inChunk, all.end() - at);
      int bytes = (int) Math.min(copy.capacity(), there);
      sink.write(copy.clear().put(chunk.slice(inChunk, bytes)).flip());
      call.moved(bytes);
      at += bytes;
    }
    return range == null ? item.crc32c : null;
  }

  /** The part that there is; null when that is no byte at all. */
  static @Nullable Range bounded(@Nullable Range range, long length, String object)
      throws RequestFailedException {
    if (range == null) {
      return length == 0 ? null : new Range(0, length);
    }
    if (range.end() > length) {
      throw new RequestFailedException(
          FailureKind.INVALID, "'" + object + "' has " + length + " bytes, not " + range.end());
    }
    return range;
  }

  @Override
  public List<ObjectEntry> list(String container, String prefix, StoreCall call)
      throws RequestFailedException {
    List<ObjectEntry> entries = new ArrayList<>();
    for (var entry : find(container).tailMap(prefix).entrySet()) {
      if (!entry.getKey().startsWith(prefix)) {
        break;
      }
      Item item = entry.getValue();
      entries.add(new ObjectEntry(entry.getKey(), item.bytes, item.labels));
    }
    return entries;
  }

  @Override
  public List<ContainerEntry> containers(String prefix, StoreCall call) {
    return containers.keySet().stream()
        .filter(name -> name.startsWith(prefix))
        .sorted()
        .map(name -> new ContainerEntry(name, Map.of()))
        .toList();
  }

  @Override
  public ObjectEntry stat(String container, String object, StoreCall call)
      throws RequestFailedException {
    Item item = find(container, object);
    return new ObjectEntry(object, item.bytes, item.labels);
  }

  @Override
  public void delete(String container, String object, StoreCall call)
      throws RequestFailedException {
    Item item = find(container).remove(object);
    if (item == null) {
      find(container, object);
    } else {
      usedBytes.addAndGet(-item.bytes);
    }
  }

  @Override
  public void deleteContainer(String container, StoreCall call) throws RequestFailedException {
    if (!find(container).isEmpty()) {
      throw new RequestFailedException(FailureKind.NOT_EMPTY, "'" + container + "' is not empty");
    }
    containers.remove(container);
  }

  @Override
  public void close() {
    containers.clear();
  }
}
