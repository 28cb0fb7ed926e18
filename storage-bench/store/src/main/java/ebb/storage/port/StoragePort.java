package ebb.storage.port;

import ebb.core.attempts.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;

/**
 * Storage as a Kompics port: containers (buckets, directories) of objects. {@code StorageClient}
 * provides it, for any kind of store.
 *
 * <p>Each request has an id from {@link #newId()} and is answered by exactly one {@link Done},
 * whatever happens; {@link Progress} may come before. Requests run side by side, as many as the
 * provider has threads, and without an order between them. Kompics shows an indication to every
 * component on the port, so a user ignores ids that are not its own.
 */
public final class StoragePort extends PortType {
  private static final AtomicLong NEXT_ID = new AtomicLong(1);

  {
    request(CreateContainer.class);
    request(Put.class);
    request(Get.class);
    request(Stat.class);
    request(ListObjects.class);
    request(Delete.class);
    request(DeleteContainer.class);
    request(CancelAll.class);
    indication(Progress.class);
    indication(Done.class);
  }

  /** An id that no other request of this process has. */
  public static long newId() {
    return NEXT_ID.getAndIncrement();
  }

  /** What all requests but {@link CancelAll} have in common. */
  public sealed interface Request extends KompicsEvent {
    long id();

    String container();
  }

  /** Makes a container; the name of another's is an error. */
  public record CreateContainer(long id, String container, Map<String, String> labels)
      implements Request {
    public CreateContainer {
      labels = Map.copyOf(labels);
    }
  }

  /**
   * Writes an object, replacing one of the same name when {@code replace}.
   *
   * @param labels to keep with it, where the store can; Cloud Storage has them as metadata
   */
  public record Put(
      long id,
      String container,
      String object,
      Content content,
      boolean replace,
      Map<String, String> labels)
      implements Request {
    public Put {
      labels = Map.copyOf(labels);
    }

    public Put(long id, String container, String object, Content content, boolean replace) {
      this(id, container, object, content, replace, Map.of());
    }
  }

  /**
   * Reads an object or a part of it.
   *
   * @param range null for all of it
   * @param expectedCrc32c what the bytes must come to; null when the caller does not know
   */
  public record Get(
      long id,
      String container,
      String object,
      @Nullable Range range,
      Sink sink,
      @Nullable Integer expectedCrc32c)
      implements Request {}

  /** Asks what the store knows of an object; the answer has one entry. */
  public record Stat(long id, String container, String object) implements Request {}

  /** Lists the objects whose names begin with {@code prefix}, all pages, at most a million. */
  public record ListObjects(long id, String container, String prefix) implements Request {}

  public record Delete(long id, String container, String object) implements Request {}

  /** Removes an empty container. */
  public record DeleteContainer(long id, String container) implements Request {}

  /** Ends all requests before this one soon, with CANCELLED. */
  public record CancelAll() implements KompicsEvent {}

  /**
   * So many bytes of content have been moved by the present attempt; at most ten times a second.
   */
  public record Progress(long id, long bytes) implements KompicsEvent {}

  /**
   * The answer to a request.
   *
   * @param entries of {@link ListObjects} and {@link Stat}; empty for others
   */
  public record Done(long id, Outcome outcome, Moved moved, List<ObjectEntry> entries)
      implements KompicsEvent {
    public Done {
      entries = List.copyOf(entries);
    }
  }
}
