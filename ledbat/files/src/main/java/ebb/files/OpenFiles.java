package ebb.files;

import ebb.core.cli.TerminalText;
import ebb.ledbat.stream.StreamBrokenException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * The files of one session that are neither done nor failed, and the answers that close them: every
 * way a file can end at the receiver is a method here, which tells the sender, the listener and the
 * tally. One thread calls, except for {@link #refuse} and {@link #done}.
 */
final class OpenFiles {
  private final Map<Integer, Incoming> open = new HashMap<>();
  private final InetSocketAddress remote;
  private final FrameWriter out;
  private final Claims claims;
  private final DiskBudget.Account disk;
  private final OfferMemory.Share memory;
  private final Claims.Holder holder;
  private final SessionTally tally;
  private final ReceiveListener listener;

  OpenFiles(
      InetSocketAddress remote,
      FrameWriter out,
      Claims claims,
      DiskBudget.Account disk,
      OfferMemory.Share memory,
      Claims.Holder holder,
      SessionTally tally,
      ReceiveListener listener) {
    this.remote = remote;
    this.out = out;
    this.claims = claims;
    this.disk = disk;
    this.memory = memory;
    this.holder = holder;
    this.tally = tally;
    this.listener = listener;
  }

  int size() {
    return open.size();
  }

  /** False when there is no memory for one more. */
  boolean add(Incoming incoming) {
    boolean room = memory.take(incoming.offer);
    if (room) {
      open.put(incoming.offer.id(), incoming);
    }
    return room;
  }

  Incoming known(int id) throws ProtocolException {
    Incoming incoming = open.get(id);
    if (incoming == null) {
      throw new ProtocolException("a file that is not being offered");
    }
    return incoming;
  }

  boolean allFailed() {
    return open.values().stream().allMatch(i -> i.stage == Incoming.Stage.FAILED);
  }

  /** Fails an open file; it stays known until the sender has taken notice. */
  void fail(Incoming incoming, Refusal refusal, String reason)
      throws StreamBrokenException, InterruptedException {
    incoming.stage = Incoming.Stage.FAILED;
    incoming.local = null;
    close(incoming);
    refuse(incoming.offer, refusal, reason);
  }

  void fail(Incoming incoming, IOException disk)
      throws StreamBrokenException, InterruptedException {
    if (disk instanceof StreamBrokenException broken) {
      throw broken;
    }
    fail(incoming, refusalFor(disk), Reasons.reason(disk));
  }

  /** Says no to an offer that is not, or no longer, open. */
  void refuse(Frame.Offer offer, Refusal refusal, String reason)
      throws StreamBrokenException, InterruptedException {
    tally.failed(refusal);
    listener.onFailed(remote, offer, refusal, reason);
    out.put(new Frame.Failed(offer.id(), refusal, reason));
  }

  void refuse(Frame.Offer offer, IOException disk)
      throws StreamBrokenException, InterruptedException {
    refuse(offer, refusalFor(disk), Reasons.reason(disk));
  }

  /** The sender ends a file. */
  void givenUp(Incoming incoming, Refusal refusal, String reason) {
    if (incoming.stage != Incoming.Stage.FAILED) {
      incoming.stage = Incoming.Stage.FAILED;
      tally.failed(refusal);
      listener.onFailed(remote, incoming.offer, refusal, TerminalText.printable(reason));
    }
    forget(incoming);
  }

  /** The same is here already. */
  void have(Incoming incoming) throws StreamBrokenException, InterruptedException {
    forget(incoming);
    have(incoming.offer);
  }

  void have(Frame.Offer offer) throws StreamBrokenException, InterruptedException {
    tally.alreadyThere();
    out.put(new Frame.Have(offer.id()));
  }

  /** It is under its final name. */
  void done(Frame.Offer offer, String sha256) throws StreamBrokenException, InterruptedException {
    tally.received();
    listener.onReceived(remote, offer, sha256);
    out.put(new Frame.Done(offer.id()));
  }

  /** Takes out a file that goes on elsewhere; its claim stays. */
  void remove(Incoming incoming) {
    drop(incoming);
  }

  private void drop(Incoming incoming) {
    if (open.remove(incoming.offer.id()) != null) {
      memory.give(incoming.offer);
    }
  }

  void forget(Incoming incoming) {
    drop(incoming);
    close(incoming);
  }

  /** Lets go of everything; part files stay for another session. */
  void closeAll() {
    open.values()
        .forEach(
            incoming -> {
              memory.give(incoming.offer);
              close(incoming);
            });
    open.clear();
  }

  private void close(Incoming incoming) {
    try {
      incoming.part.close();
    } catch (IOException lost) {
      // Its content was not complete anyway, and the proof at the next start tells what it is.
    }
    disk.release(incoming);
    claims.release(incoming.target, holder);
  }

  static Refusal refusalFor(IOException disk) {
    if (disk instanceof DiskBudget.NoRoomException noRoom) {
      return noRoom.refusal;
    }
    return FileStore.isFull(disk) ? Refusal.NO_SPACE : Refusal.STORAGE;
  }
}
