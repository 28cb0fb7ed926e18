package ebb.ledbat.kompics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of one {@link MessageHub} hold of messages that are incomplete or not decoded,
 * which of them may read on when that is too much, and the chunks to be used again. It bounds the
 * sum; what a single session may hold is {@link MessageReader}'s. Runs in the endpoint's context.
 */
final class ReceivedMemory {
  /** A session may hold this much of a message even when memory is short. */
  private static final int FREE_BYTES_PER_SESSION = 64 << 10;

  /** What a session's undecoded messages may hold: a steady flow allocates nothing for them. */
  private static final int MAX_RECYCLED_BYTES = 4 << 20;

  private final long maxBytes;

  /** The one that was used last comes first. */
  private final ArrayDeque<byte[]> recycled = new ArrayDeque<>();

  private int recycledBytes;
  private final Set<MessageReader> waiting = new LinkedHashSet<>();
  private long heldBytes;
  private long undecodedBytes;
  private @Nullable MessageReader holder;
  private boolean holderIsWhole;
  private boolean resuming;

  ReceivedMemory(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Bytes of received messages that are incomplete or not decoded. */
  long heldBytes() {
    return heldBytes;
  }

  /** What whole messages hold that are not decoded, of all sessions together. */
  long undecodedBytes() {
    return undecodedBytes;
  }

  byte @Nullable [] recycledChunk() {
    return recycled(FrameParser.CHUNK_BYTES, FrameParser.CHUNK_BYTES);
  }

  /**
   * Memory for all of a message that is only announced, by a peer that has sent as much in one
   * before; null when it would be too much. Such peers get half of the bound for that: the others
   * need the rest.
   */
  byte @Nullable [] forAll(int bytes) {
    if (bytes > MAX_RECYCLED_BYTES || heldBytes + bytes > maxBytes / 2) {
      return null;
    }
    byte[] used = recycled(bytes, bytes + bytes / 8);
    return used != null ? used : new byte[bytes];
  }

  private byte @Nullable [] recycled(int leastBytes, int mostBytes) {
    for (Iterator<byte[]> each = recycled.iterator(); each.hasNext(); ) {
      byte[] chunk = each.next();
      if (chunk.length >= leastBytes && chunk.length <= mostBytes) {
        each.remove();
        recycledBytes -= chunk.length;
        return chunk;
      }
    }
    return null;
  }

  private void recycle(byte[] chunk) {
    recycled.push(chunk);
    recycledBytes += chunk.length;
    while (recycledBytes > MAX_RECYCLED_BYTES) {
      recycledBytes -= recycled.removeLast().length;
    }
  }

  /** A message holds so much more, or less. */
  void hold(int bytes) {
    heldBytes += bytes;
  }

  /**
   * A session's message is whole and waits for the component, which decodes it whatever peers do.
   */
  void arrived(MessageReader reader, IncomingMessage message) {
    undecodedBytes += message.costBytes();
    holderIsWhole |= holder == reader;
  }

  /** The component has dealt with messages of this session. */
  void decoded(MessageReader reader) {
    if (holder == reader && holderIsWhole) {
      holder = null;
      holderIsWhole = false;
    }
  }

  /** The message is decoded and nobody reads it any more. */
  void left(IncomingMessage message) {
    undecodedBytes -= message.costBytes();
    heldBytes -= message.sizeBytes();
    for (byte[] chunk : message.chunks()) {
      if (chunk.length >= FrameParser.CHUNK_BYTES) {
        recycle(chunk);
      }
    }
  }

  /** The session reads no more. */
  void forget(MessageReader reader) {
    waiting.remove(reader);
    if (holder == reader && !holderIsWhole) {
      holder = null;
    }
  }

  /**
   * Whether a session may not read on because all together hold too much. Half of it may be whole
   * messages that wait to be decoded, with what each costs. Of the sessions that wait for the rest
   * of a message one at a time always may read, so that it becomes whole and memory comes back.
   */
  boolean mustWait(MessageReader reader) {
    boolean waits = isShortFor(reader);
    if (waits) {
      waiting.add(reader);
    } else {
      waitsNoMore(reader);
    }
    return waits;
  }

  private boolean isShortFor(MessageReader reader) {
    if (undecodedBytes >= maxBytes / 2) {
      return true;
    }
    if (heldBytes < maxBytes || reader.partialBytes() < FREE_BYTES_PER_SESSION) {
      return false;
    }
    if (holder == reader) {
      return holderIsWhole;
    }
    if (holder == null) {
      holder = reader;
      return false;
    }
    return true;
  }

  /** The session begins to read. */
  void waitsNoMore(MessageReader reader) {
    if (!waiting.isEmpty()) {
      waiting.remove(reader);
    }
  }

  /**
   * Lets the sessions that wait for memory look again. Not to be called while bytes are parsed: the
   * buffer that they are parsed from is shared.
   */
  void resumePaused() {
    if (resuming || waiting.isEmpty()) {
      return;
    }
    resuming = true;
    try {
      for (MessageReader reader : new ArrayList<>(waiting)) {
        reader.resume();
      }
    } finally {
      resuming = false;
    }
  }
}
