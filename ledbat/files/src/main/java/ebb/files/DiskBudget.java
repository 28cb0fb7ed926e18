package ebb.files;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * What of the disk is promised to transfers that run, so that nobody is promised what another was:
 * an offer is accepted when it fits beside all that was accepted before. It also holds the bound on
 * what a receiver takes in all. A session that does not get on loses its promises to one that needs
 * them. Owns no files. Thread-safe.
 */
final class DiskBudget {
  /** Files and directories count in whole blocks, and as one at least. */
  static final int BLOCK_BYTES = 4 << 10;

  /** Tells how much can still be written. */
  interface Space {
    long usableBytes() throws IOException;
  }

  /** There is no room for an offer; the message says how much is wanting. */
  static final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1L;

    final Refusal refusal;

    NoRoomException(Refusal refusal, String message) {
      super(message);
      this.refusal = refusal;
    }
  }

  private final Space space;
  private final long maxTotalBytes;
  private final Map<SessionDoor.Guest, Account> accounts = new HashMap<>();
  private long takenBytes;
  private long promisedBytes;

  /**
   * @param maxTotalBytes what may be taken from all senders together
   */
  DiskBudget(Space space, long maxTotalBytes) {
    this.space = space;
    this.maxTotalBytes = maxTotalBytes;
  }

  /** Begins a session's account; it is closed at the session's end. */
  synchronized Account open(SessionDoor.Guest guest) {
    Account account = new Account(guest);
    accounts.put(guest, account);
    return account;
  }

  private static long blocks(long bytes) {
    long blocks = Math.max(1, bytes / BLOCK_BYTES + (bytes % BLOCK_BYTES == 0 ? 0 : 1));
    return blocks > Long.MAX_VALUE / BLOCK_BYTES ? Long.MAX_VALUE : blocks * BLOCK_BYTES;
  }

  /** Throws when {@code bytes} more do not fit. */
  private void check(Account asking, long bytes, long nowNanos)
      throws NoRoomException, IOException {
    long left = Math.max(0, maxTotalBytes - takenBytes - promisedBytes);
    if (bytes > left) {
      throw new NoRoomException(
          Refusal.TOO_LARGE,
          "it takes "
              + bytes
              + " bytes, and "
              + left
              + " are left of the "
              + maxTotalBytes
              + " that the receiver takes in all");
    }
    long usable = space.usableBytes();
    if (bytes > usable - promisedBytes) {
      takeFromStalled(asking, nowNanos);
    }
    if (bytes > usable - promisedBytes) {
      throw new NoRoomException(
          Refusal.NO_SPACE,
          "the receiver's disk has "
              + usable
              + " bytes free"
              + (promisedBytes == 0
                  ? ""
                  : ", of which " + promisedBytes + " are promised to transfers that run")
              + "; "
              + bytes
              + " are needed");
    }
  }

  private void takeFromStalled(Account asking, long nowNanos) {
    for (Account account : accounts.values()) {
      if (account != asking && account.promised > 0 && account.guest.stalled(nowNanos)) {
        promisedBytes -= account.promised;
        account.promised = 0;
        account.guest.evict("another sender needs the room that was promised to it");
      }
    }
  }

  /** What one session was promised. */
  final class Account implements AutoCloseable {
    private final SessionDoor.Guest guest;
    private long promised;

    private Account(SessionDoor.Guest guest) {
      this.guest = guest;
    }

    /**
     * Promises room for that much of a file.
     *
     * @throws NoRoomException when it does not fit
     */
    void promise(Incoming incoming, long bytes, long nowNanos) throws IOException {
      synchronized (DiskBudget.this) {
        long rounded = blocks(bytes);
        check(this, rounded, nowNanos);
        incoming.promisedBytes = rounded;
        promised += rounded;
        promisedBytes += rounded;
      }
    }

    /** Takes the room of a directory. */
    void directory(long nowNanos) throws IOException {
      synchronized (DiskBudget.this) {
        check(this, BLOCK_BYTES, nowNanos);
        takenBytes += BLOCK_BYTES;
      }
    }

    /** That much of the file is on disk now. */
    void written(Incoming incoming, long bytes) {
      synchronized (DiskBudget.this) {
        takenBytes += bytes;
        giveBack(incoming, Math.min(bytes, incoming.promisedBytes));
      }
    }

    /** The file is complete: its last block is taken as a whole. */
    void complete(Incoming incoming) {
      synchronized (DiskBudget.this) {
        takenBytes += incoming.promisedBytes;
        release(incoming);
      }
    }

    /** No more of the file comes. Idempotent. */
    void release(Incoming incoming) {
      synchronized (DiskBudget.this) {
        giveBack(incoming, incoming.promisedBytes);
      }
    }

    private void giveBack(Incoming incoming, long bytes) {
      incoming.promisedBytes -= bytes;
      // A promise that was taken away is no longer here.
      long here = Math.min(bytes, promised);
      promised -= here;
      promisedBytes -= here;
    }

    /** The session is over. */
    @Override
    public void close() {
      synchronized (DiskBudget.this) {
        promisedBytes -= promised;
        promised = 0;
        accounts.remove(guest);
      }
    }
  }
}
