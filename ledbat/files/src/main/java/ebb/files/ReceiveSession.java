package ebb.files;

import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamBrokenException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One sender's session at the receiver: reads frames, answers offers, writes content to part files.
 * What is complete goes to a {@link Finisher}. {@link #run} blocks and does the disk's work, so it
 * belongs on a thread of its own.
 */
final class ReceiveSession implements Claims.Holder, SessionDoor.Guest {
  private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long GOODBYE_SECONDS = 5;

  /** While files follow one another closely, so many share a packet that says they are done. */
  private static final int ANSWERS_AT_ONCE = 16;

  private final BlockingStream stream;
  private final FileStore store;
  private final ReceiveOptions options;
  private final ReceiveListener listener;
  private final FrameReader in;
  private final FrameWriter out;
  private final HashLane lane;
  private final Finisher finisher;
  private final HashPool.Queue hashing;
  private final DiskBudget.Account disk;
  private final OpenFiles files;
  private final OfferExaminer examiner;
  private final SessionTally tally = new SessionTally();
  private final LongSupplier nanoClock;
  private final ReadRate rate;
  private final SessionProgress progress;
  private final boolean keyed;

  /** Whether files end with their hash; until both hellos have agreed otherwise. */
  private boolean hashed = true;

  private @Nullable Incoming current;
  private int nextId;
  private long lastPingNanos;
  private volatile @Nullable String evicted;

  /** Answers of finishers that may not have been flushed. */
  private final AtomicInteger unsaid = new AtomicInteger();

  ReceiveSession(BlockingStream stream, ReceiverShared receiver, ReceiveListener listener) {
    this.stream = stream;
    this.listener = listener;
    store = receiver.store;
    options = receiver.options;
    nanoClock = receiver.nanoClock;
    keyed = receiver.keyed;
    rate = receiver.rate;
    progress = new SessionProgress(now());
    lastPingNanos = now();
    in = new FrameReader(stream, this::checkProgress);
    out = new FrameWriter(stream, new ChunkPool(16 << 10, 8));
    lane = new HashLane(receiver.executor, ReceiveLimits.HASH_WAITING_BYTES);
    finisher = new Finisher(receiver, this::tellWaiting);
    hashing = receiver.hashing.queue();
    disk = receiver.disk.open(this);
    files =
        new OpenFiles(
            stream.remote(),
            out,
            store.claims(),
            disk,
            receiver.offers.new Share(),
            this,
            tally,
            listener);
    examiner = new OfferExaminer(receiver, disk, hashing, out, files, progress, this::waiting);
  }

  @Override
  public long silentNanos() {
    return stream.silentNanos();
  }

  @Override
  public void evict(String why) {
    evicted = why;
    stream.abort();
  }

  @Override
  public boolean stalled(long nowNanos) {
    boolean blocked =
        stream.writeBlockedNanos() > ReceiveLimits.nanos(ReceiveLimits.IDLE_WANTED_SECONDS);
    return blocked || (!busyHere() && progress.stalled(true, nowNanos));
  }

  @Override
  public long idleNanos(long nowNanos) {
    return progress.idleNanos(true, nowNanos);
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  /** Whether something of this session is under way here, beside what its thread does. */
  private boolean busyHere() {
    return finisher.pending() > 0 || hashing.busy();
  }

  /** Before each wait for the sender. */
  private void checkProgress() throws ProtocolException {
    long now = now();
    if (busyHere()) {
      progress.busyHere(now);
    } else if (progress.stalled(false, now)) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(progress.idleNanos(false, now));
      throw new StalledException("nothing but signs of life came for " + seconds + " s");
    }
  }

  /** The sender lives and does not get on. */
  private static final class StalledException extends ProtocolException {
    private static final long serialVersionUID = 1L;

    StalledException(String message) {
      super(message);
    }
  }

  /** Serves the sender until it is done or gone; never throws for anything a peer can do. */
  ReceiveReport run() throws InterruptedException {
    long start = System.nanoTime();
    boolean stranger = true;
    String broken = null;
    try {
      stream.setReadTimeout(ReceiveLimits.HELLO_SECONDS, TimeUnit.SECONDS);
      stream.setWriteTimeout(ReceiveLimits.WRITE_SECONDS, TimeUnit.SECONDS);
      Hello.Heard hello = in.hello();
      if (hello == null) {
        throw new ProtocolException("it said nothing");
      }
      progress.greeted(now());
      hashed = !keyed || !hello.has(Hello.PROVEN_RECORDS);
      out.hello(hashed ? 0 : Hello.PROVEN_RECORDS);
      if (!listener.admit(stream.remote())) {
        sayLeave(Refusal.BUSY, "it is busy: it was started for one sender, and has another");
        throw new ProtocolException("it was sent away, for the receiver serves another");
      }
      stranger = false;
      out.flush();
      if (hello.version() != Hello.VERSION) {
        // The hello above tells the sender, which ends the stream.
        stream.finish();
        stream.awaitClosed(GOODBYE_SECONDS, TimeUnit.SECONDS);
        tally.refused();
        throw new ProtocolException(
            "it speaks version "
                + hello.version()
                + " of the file protocol, this receiver version "
                + Hello.VERSION);
      }
      stream.setReadTimeout(ReceiveLimits.SILENCE_SECONDS, TimeUnit.SECONDS);
      serve();
    } catch (StalledException stalled) {
      broken = Reasons.reason(stalled);
      if (!stranger) {
        sayLeave(Refusal.STOPPED, broken);
      }
      stream.abort();
    } catch (IOException end) {
      String why = evicted;
      broken = why == null ? Reasons.reason(end) : why;
      stream.abort();
    } catch (OutOfMemoryError noMemory) {
      broken = Reasons.reason(noMemory); // for this sender; the others may have what they need
      stream.abort();
    } finally {
      hashing.close();
      lane.close();
      releaseAll();
    }
    return tally.report(stream, stranger, System.nanoTime() - start, broken);
  }

  private void serve() throws IOException, InterruptedException {
    while (true) {
      if (!in.ready()) {
        out.flush();
      }
      Frame frame = in.next();
      if (in.dataBytes() > 0) {
        content();
      } else if (frame instanceof Frame.Ping) {
        checkProgress();
      } else if (frame != null) {
        progress.frame(frame, now());
        progress.working(true, now());
        if (frame instanceof Frame.Bye bye) {
          goodbye(bye);
          return;
        }
        handle(frame);
        progress.working(false, now());
      } else {
        throw new ProtocolException("the sender went away before it was done");
      }
      pingIfDue();
    }
  }

  private void handle(Frame frame) throws IOException, InterruptedException {
    if (frame instanceof Frame.Offer offer) {
      handleOffer(offer);
    } else if (frame instanceof Frame.Proof proof) {
      examiner.prove(files.known(proof.id()), proof);
    } else if (frame instanceof Frame.Begin begin) {
      handleBegin(begin);
    } else if (frame instanceof Frame.End end) {
      if (!hashed) {
        throw new ProtocolException("the hash of a file, after hellos that agreed on none");
      }
      handleEnd(end.id(), end.sha256());
    } else if (frame instanceof Frame.Complete complete) {
      if (hashed) {
        throw new ProtocolException("the end of a file without its hash");
      }
      handleEnd(complete.id(), null);
    } else if (frame instanceof Frame.GiveUp giveUp) {
      handleGiveUp(giveUp);
    } else {
      throw new ProtocolException("a sender sent a receiver's frame");
    }
  }

  private void handleOffer(Frame.Offer offer) throws IOException, InterruptedException {
    if (offer.id() != nextId) {
      throw new ProtocolException("offers that are not numbered in order");
    }
    nextId++;
    if (files.size() + finisher.pending() >= ReceiveLimits.MAX_OPEN_OFFERS) {
      throw new ProtocolException("too many offers at once");
    }
    Path target;
    try {
      target = store.guard().resolve(offer.path());
      if (offer.directory()) {
        makeDirectory(offer, target);
        return;
      }
    } catch (PathGuard.BadNameException bad) {
      files.refuse(offer, Refusal.BAD_NAME, Reasons.reason(bad));
      return;
    } catch (StreamBrokenException broken) {
      throw broken;
    } catch (IOException disk) {
      files.refuse(offer, disk);
      return;
    }
    if (offer.sizeBytes() > options.maxFileBytes()) {
      files.refuse(
          offer,
          Refusal.TOO_LARGE,
          "it has " + offer.sizeBytes() + " bytes, the receiver takes " + options.maxFileBytes());
      return;
    }
    if (!store.claims().claim(target, this, this::waiting)) {
      files.refuse(offer, Refusal.BUSY, "another sender is sending it right now");
      return;
    }
    Incoming incoming = new Incoming(offer, target, store.partFile(offer.path()));
    if (!files.add(incoming)) {
      store.claims().release(target, this);
      files.refuse(offer, Refusal.BUSY, "too many files are being offered at once");
      return;
    }
    try {
      examiner.examine(incoming);
    } catch (IOException disk) {
      files.fail(incoming, disk);
    }
    if (incoming.stage == Incoming.Stage.FAILED) {
      files.forget(incoming); // the sender was asked for nothing, so nothing more comes
    }
  }

  private void makeDirectory(Frame.Offer offer, Path target)
      throws IOException, InterruptedException {
    BasicFileAttributes there = PathGuard.attributes(target);
    if (there != null && !there.isDirectory()) {
      files.refuse(offer, Refusal.EXISTS, "something that is not a directory has its name");
      return;
    }
    if (there != null) {
      files.have(offer);
      return;
    }
    disk.directory(now());
    Path parent = target.getParent();
    if (parent == null) {
      throw new IllegalStateException("a root directory was offered: " + target);
    }
    finisher.makeDirectory(parent, target, offer.mode());
    files.done(offer, "");
  }

  private void handleBegin(Frame.Begin begin) throws IOException, InterruptedException {
    Incoming incoming = files.known(begin.id());
    if (current != null) {
      throw new ProtocolException("a file began inside another");
    }
    current = incoming;
    if (incoming.stage == Incoming.Stage.FAILED) {
      return;
    }
    if (incoming.stage != Incoming.Stage.CONTENT || begin.offsetBytes() != incoming.localBytes) {
      throw new ProtocolException("content that was not asked for");
    }
    if (!hashed) {
      incoming.digest = null;
    } else if (incoming.digest == null) {
      incoming.digest = Hashing.sha256();
    }
    incoming.receivedBytes = begin.offsetBytes();
    try {
      incoming.part.open(incoming.offer, begin.offsetBytes());
    } catch (IOException disk) {
      files.fail(incoming, disk);
    }
  }

  private void content() throws IOException, InterruptedException {
    Incoming incoming = current;
    if (incoming == null) {
      throw new ProtocolException("content of no file");
    }
    incoming.receivedBytes += in.dataBytes();
    if (incoming.receivedBytes > incoming.offer.sizeBytes()
        && incoming.stage != Incoming.Stage.FAILED) {
      throw new ProtocolException("more content than was offered");
    }
    while (in.dataBytes() > 0) {
      ByteBuffer piece = in.content();
      tally.content(piece.remaining());
      progress.moved(piece.remaining(), now());
      listener.onContent(piece.remaining());
      keepRate(piece.remaining());
      if (incoming.stage == Incoming.Stage.FAILED) {
        continue;
      }
      MessageDigest digest = incoming.digest;
      progress.working(true, now());
      if (digest != null) {
        lane.update(digest, piece.duplicate(), in.hold());
      }
      try {
        int length = piece.remaining();
        incoming.part.write(piece);
        disk.written(incoming, length);
        finisher.flushAhead(incoming.part);
      } catch (IOException disk) {
        files.fail(incoming, disk);
        out.flush();
      } finally {
        progress.working(false, now());
      }
    }
  }

  /** Waits until so much may be read; the sender hears that this side lives. */
  private void keepRate(int bytes) throws IOException, InterruptedException {
    long left = rate.waitNanos(bytes, now());
    while (left > 0) {
      long nap = Math.min(left, PING_NANOS);
      TimeUnit.NANOSECONDS.sleep(nap);
      left -= nap;
      waiting();
    }
  }

  /**
   * @param sent null where no hashes are sent
   */
  private void handleEnd(int id, @Nullable Sha256 sent) throws IOException, InterruptedException {
    Incoming incoming = endCurrent(id);
    if (incoming.stage == Incoming.Stage.FAILED) {
      files.forget(incoming);
      return;
    }
    if (incoming.receivedBytes != incoming.offer.sizeBytes()) {
      throw new ProtocolException("a file ended before its end");
    }
    if (sent != null && !arrivedAsSent(incoming, sent)) {
      files.forget(incoming);
      return;
    }
    files.remove(incoming);
    String sha256 = sent == null ? "" : sent.hex();
    finisher.finish(incoming, this::patience, failure -> finished(incoming, sha256, failure));
  }

  /** Fails the file when it has another hash than was sent. */
  private boolean arrivedAsSent(Incoming incoming, Sha256 sent)
      throws IOException, InterruptedException {
    MessageDigest digest = incoming.digest;
    if (digest == null) {
      throw new IllegalStateException("content was not hashed");
    }
    Sha256 sha256;
    try {
      sha256 = lane.finish(digest);
    } catch (IOException unhashed) {
      files.fail(incoming, unhashed);
      return false;
    }
    if (!sha256.equals(sent)) {
      incoming.part.delete();
      files.fail(incoming, Refusal.CORRUPT, "what arrived has another SHA-256 than what was sent");
      return false;
    }
    return true;
  }

  /** Runs on a finisher's thread. */
  private void finished(Incoming incoming, String sha256, @Nullable IOException failure) {
    store.claims().release(incoming.target, this);
    if (failure == null) {
      disk.complete(incoming);
    } else {
      disk.release(incoming);
    }
    try {
      if (failure == null) {
        files.done(incoming.offer, sha256);
      } else {
        boolean taken = failure instanceof FileAlreadyExistsException;
        files.refuse(
            incoming.offer,
            taken ? Refusal.EXISTS : OpenFiles.refusalFor(failure),
            taken ? "another file took its name meanwhile" : Reasons.reason(failure));
      }
      if (unsaid.incrementAndGet() >= ANSWERS_AT_ONCE) {
        unsaid.set(0);
        out.flush();
      }
    } catch (StreamBrokenException gone) {
      return; // the session's own thread sees it too
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Nothing is being finished, so no other answer will take those along that wait. */
  private void tellWaiting() {
    unsaid.set(0);
    try {
      out.flush();
    } catch (StreamBrokenException gone) {
      return; // the session's own thread sees it too
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void handleGiveUp(Frame.GiveUp giveUp) throws ProtocolException {
    Incoming incoming = files.known(giveUp.id());
    if (incoming == current) {
      current = null;
    }
    if (incoming.local != null) {
      progress.settled(now()); // its proof will not come
    }
    files.givenUp(incoming, giveUp.refusal(), giveUp.reason());
  }

  private void goodbye(Frame.Bye bye) throws IOException, InterruptedException {
    if (bye.files() != nextId || !files.allFailed()) {
      throw new ProtocolException("the sender said goodbye before it was done");
    }
    while (!finisher.awaitIdle(PING_NANOS)) {
      pingIfDue();
    }
    finisher.sync();
    out.put(new Frame.Bye(nextId));
    out.flush();
    progress.working(false, now());
    if (stream.read() != null) {
      throw new ProtocolException("bytes after the sender's goodbye");
    }
    stream.finish();
    stream.awaitClosed(GOODBYE_SECONDS, TimeUnit.SECONDS);
  }

  /** Tells the sender why it is served no further, if it still reads. */
  private void sayLeave(Refusal refusal, String reason) throws InterruptedException {
    try {
      stream.setWriteTimeout(GOODBYE_SECONDS, TimeUnit.SECONDS);
      out.put(new Frame.Leave(refusal, reason));
      out.flush();
      stream.finish();
      stream.awaitClosed(GOODBYE_SECONDS, TimeUnit.SECONDS);
    } catch (StreamBrokenException gone) {
      return; // it knows
    }
  }

  private Incoming endCurrent(int id) throws ProtocolException {
    Incoming incoming = current;
    if (incoming == null || incoming.offer.id() != id) {
      throw new ProtocolException("the end of a file that had not begun");
    }
    current = null;
    return incoming;
  }

  private void releaseAll() throws InterruptedException {
    // What was verified is still published, whether or not the sender is there.
    boolean idle = false;
    while (!idle) {
      idle = finisher.awaitIdle(PING_NANOS);
    }
    files.closeAll();
    disk.close();
  }

  /** Keeps the sender patient, and notices when it is gone. */
  private void waiting() throws IOException, InterruptedException {
    pingIfDue();
    progress.busyHere(now());
    if (stream.closeReason() != null) {
      throw new ProtocolException("the sender went away before it was done");
    }
  }

  /** The same for what is done in any case, whether or not the sender is there. */
  private void patience() throws InterruptedException {
    try {
      waiting();
    } catch (IOException gone) {
      return; // the next read says so
    }
  }

  private void pingIfDue() throws StreamBrokenException, InterruptedException {
    long now = now();
    if (now - lastPingNanos >= PING_NANOS) {
      lastPingNanos = now;
      out.put(new Frame.Ping());
      out.flush();
    }
  }
}
