package ebb.storage.store;

import ebb.core.attempts.RequestFailedException;
import ebb.storage.port.Content;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.Range;
import ebb.storage.port.Sink;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kind of store, as calls that block. Implementations are thread-safe. A call may try again by
 * itself what the store's own protocol can resume, and notes that in the {@link StoreCall};
 * repeating whole operations and comparing checksums of what was read is its caller's work.
 *
 * <p>An {@link IOException} comes from the caller's content or sink, or is a fault that the store
 * has no better word for.
 */
public interface ObjectStore extends AutoCloseable {
  /** The kind of store and where it is, for people. */
  String describe();

  void createContainer(String container, Map<String, String> labels, StoreCall call)
      throws RequestFailedException, IOException;

  /**
   * Writes an object; when this returns, the store has all of it, with the right checksum where the
   * store tells one.
   *
   * @param replace whether an object of that name may be there
   * @param labels kept with it where the store can
   * @return whether the store's own checksum was compared
   */
  boolean put(
      String container,
      String object,
      Content content,
      boolean replace,
      Map<String, String> labels,
      StoreCall call)
      throws RequestFailedException, IOException;

  /**
   * Reads an object, or a part of it, into a sink that has begun.
   *
   * @return the CRC32C that the store says these bytes have; null when it does not say
   */
  @Nullable Integer get(
      String container, String object, @Nullable Range range, Sink sink, StoreCall call)
      throws RequestFailedException, IOException;

  /** What the store knows of an object without reading it. */
  ObjectEntry stat(String container, String object, StoreCall call)
      throws RequestFailedException, IOException;

  List<ObjectEntry> list(String container, String prefix, StoreCall call)
      throws RequestFailedException, IOException;

  /** Containers whose names begin with {@code prefix}. */
  List<ContainerEntry> containers(String prefix, StoreCall call)
      throws RequestFailedException, IOException;

  void delete(String container, String object, StoreCall call)
      throws RequestFailedException, IOException;

  void deleteContainer(String container, StoreCall call) throws RequestFailedException, IOException;

  @Override
  void close();
}
