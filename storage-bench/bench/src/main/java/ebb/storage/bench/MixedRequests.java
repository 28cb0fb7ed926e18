package ebb.storage.bench;

import ebb.core.rand.SeededRandom;
import ebb.storage.port.RandomContent;
import ebb.storage.port.StoragePort.Request;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * One lane's requests of a mixture, drawn by their shares, without end. What a lane writes is its
 * own: it goes round {@link #NAMES} names, so that a long run takes no more room than a short one,
 * and deletes the oldest that is there; where there is none yet, a deletion is a writing.
 */
final class MixedRequests implements Iterator<Request> {
  /** Objects of a lane, at most. */
  static final int NAMES = 32;

  private final Mix mix;
  private final Work work;
  private final String prefix;
  private final long blockBytes;
  private final SeededRandom random;
  private final ArrayDeque<String> written = new ArrayDeque<>();
  private int next;

  /** Makes the requests themselves. */
  interface Work {
    /** Reads a part of an object, somewhere. */
    Request get();

    Request put(String object, RandomContent content);

    Request stat(SeededRandom random);

    Request list();

    Request delete(String object);
  }

  MixedRequests(Mix mix, Work work, String prefix, long blockBytes, SeededRandom random) {
    this.mix = mix;
    this.work = work;
    this.prefix = prefix;
    this.blockBytes = blockBytes;
    this.random = random;
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
  public Request next() {
    return switch (mix.draw(random)) {
      case GET -> work.get();
      case PUT -> put();
      case STAT -> work.stat(random);
      case LIST -> work.list();
      case DELETE -> written.isEmpty() ? put() : work.delete(written.removeFirst());
    };
  }

  private Request put() {
    String name = prefix + next++ % NAMES;
    written.remove(name);
    written.addLast(name);
    return work.put(name, new RandomContent(random.nextLong(), blockBytes));
  }
}
