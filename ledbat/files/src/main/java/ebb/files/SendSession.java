package ebb.files;

import ebb.core.cli.TerminalText;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamBrokenException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The sender's side of one transfer: offers files well ahead, and sends what the receiver asks for
 * in the order in which it asks. {@link #run} blocks, reads the disk and writes the stream; the
 * receiver's frames are read by a second thread of the executor, hashing has a third. Where records
 * prove by a key what crosses, and the receiver agrees, content is not hashed.
 */
final class SendSession {
  /** Offers ahead of their outcomes. */
  static final int MAX_OPEN_OFFERS = 1_024;

  private static final int CHUNK_BYTES = 128 << 10;
  private static final int CHUNKS = 32;
  private static final long HELLO_TIMEOUT_SECONDS = 15;
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long GOODBYE_SECONDS = 5;

  /** What the receiver asked for. */
  private sealed interface Wish {
    record Content(Outgoing file, long offset) implements Wish {}

    record Proof(Outgoing file, long length) implements Wish {}

    record Stop(Outgoing file) implements Wish {}

    /** Something else happened that the writer may be waiting for. */
    record Look() implements Wish {}
  }

  private final BlockingStream stream;
  private final SourceTree sources;
  private final Executor executor;
  private final FrameReader in;
  private final FrameWriter out;
  private final HashLane lane;
  private final SendTally tally;
  private final SendListener listener;
  private final boolean keyed;

  /** Until both hellos have agreed otherwise. */
  private volatile boolean hashed = true;

  private final ConcurrentMap<Integer, Outgoing> open = new ConcurrentHashMap<>();
  private final LinkedBlockingQueue<Wish> wishes = new LinkedBlockingQueue<>();
  private int nextId;
  private long lastPingNanos = System.nanoTime();
  private final CountDownLatch readerDone = new CountDownLatch(1);
  private volatile boolean farewell;
  private volatile boolean said;
  private volatile @Nullable IOException readFailure;

  /**
   * @param keyed whether the stream's records are proven by a key
   */
  SendSession(
      BlockingStream stream,
      SourceTree sources,
      Executor executor,
      SendListener listener,
      boolean keyed) {
    this.keyed = keyed;
    this.stream = stream;
    this.sources = sources;
    this.executor = executor;
    this.listener = listener;
    in = new FrameReader(stream);
    out = new FrameWriter(stream, new ChunkPool(CHUNK_BYTES, CHUNKS));
    lane = new HashLane(executor, CHUNK_BYTES * CHUNKS);
    tally = new SendTally(listener);
  }

  /** Sends everything; never throws for anything a peer can do. */
  SendReport run() throws InterruptedException {
    long start = System.nanoTime();
    String refused = null;
    String broken = null;
    try {
      transfer();
    } catch (NotServedException stranger) {
      refused = Reasons.reason(stranger);
      stream.abort();
    } catch (IOException end) {
      IOException first = firstFailure(end);
      if (first instanceof NotServedException) {
        refused = Reasons.reason(first);
      } else {
        broken = Reasons.reason(first);
      }
      stream.abort();
    } finally {
      lane.close();
    }
    return tally.report(System.nanoTime() - start, refused, broken);
  }

  /** What the receiver said before the stream broke tells more than that it broke. */
  private IOException firstFailure(IOException end) throws InterruptedException {
    if (end instanceof StreamBrokenException) {
      readerDone.await(GOODBYE_SECONDS, TimeUnit.SECONDS);
    }
    IOException first = readFailure;
    return first == null ? end : first;
  }

  /** The peer is something else, of another version, or serves this sender not at all. */
  private static final class NotServedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotServedException(String message) {
      super(message);
    }
  }

  private void transfer() throws IOException, InterruptedException {
    stream.setReadTimeout(HELLO_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    executor.execute(this::readAnswers);
    out.hello(keyed ? Hello.PROVEN_RECORDS : 0);
    out.flush();
    Iterator<SourceItem> items = sources.iterator();
    while (true) {
      while (items.hasNext() && open.size() < MAX_OPEN_OFFERS && wishes.isEmpty()) {
        offer(items.next());
      }
      Wish wish = wishes.poll();
      if (wish == null) {
        if (!items.hasNext() && open.isEmpty()) {
          break;
        }
        out.flush();
        wish = awaitWish();
      }
      check();
      if (wish != null) {
        grant(wish);
      }
    }
    goodbye();
  }

  private @Nullable Wish awaitWish() throws IOException, InterruptedException {
    Wish wish = wishes.poll(PING_NANOS, TimeUnit.NANOSECONDS);
    if (wish == null) {
      check();
      pingIfDue();
      if (stream.silentNanos() > SILENCE_NANOS) {
        throw new StreamBrokenException(
            CloseReason.TIMED_OUT, "the receiver has said nothing for two minutes");
      }
    }
    return wish;
  }

  private void check() throws IOException {
    IOException failure = readFailure;
    if (failure != null) {
      throw failure;
    }
  }

  private void offer(SourceItem item) throws IOException, InterruptedException {
    if (item instanceof SourceItem.Skipped skipped) {
      tally.skipped(skipped.name(), skipped.reason());
    } else if (item instanceof SourceItem.Unsendable bad) {
      tally.unsendable(bad);
    } else if (item instanceof SourceItem.File file) {
      offer(
          new Outgoing(
              new Frame.Offer(
                  nextId, false, file.mode(), file.sizeBytes(), file.modifiedMillis(), file.name()),
              file));
    } else if (item instanceof SourceItem.Directory directory) {
      offer(
          new Outgoing(
              new Frame.Offer(
                  nextId, true, directory.mode(), 0, directory.modifiedMillis(), directory.name()),
              null));
    }
  }

  private void offer(Outgoing outgoing) throws IOException, InterruptedException {
    open.put(nextId, outgoing);
    nextId++;
    out.put(outgoing.offer);
  }

  private void grant(Wish wish) throws IOException, InterruptedException {
    if (wish instanceof Wish.Content content) {
      send(content.file(), content.offset());
    } else if (wish instanceof Wish.Proof proof) {
      prove(proof.file(), proof.length());
    } else if (wish instanceof Wish.Stop stop && !stop.file().ended) {
      stop(stop.file());
    }
  }

  private void stop(Outgoing outgoing) throws IOException, InterruptedException {
    outgoing.ended = true;
    out.put(new Frame.GiveUp(outgoing.offer.id(), Refusal.STOPPED, ""));
  }

  private void prove(Outgoing outgoing, long length) throws IOException, InterruptedException {
    if (outgoing.stopped) {
      return;
    }
    out.flush();
    MessageDigest state;
    try (FileChannel channel = openSource(outgoing)) {
      state = Hashing.prefix(channel, length, this::pingIfDue);
    } catch (StreamBrokenException broken) {
      throw broken;
    } catch (IOException unreadable) {
      giveUp(outgoing, unreadable);
      return;
    }
    outgoing.proven = state;
    outgoing.provenBytes = length;
    Sha256 sha256 = Hashing.peek(state);
    if (length == outgoing.offer.sizeBytes()) {
      outgoing.sha256 = sha256.hex();
    }
    out.put(new Frame.Proof(outgoing.offer.id(), length, sha256));
  }

  private void send(Outgoing outgoing, long offset) throws IOException, InterruptedException {
    if (outgoing.stopped) {
      return;
    }
    MessageDigest proven = outgoing.proven;
    MessageDigest digest = null;
    if (offset == 0) {
      digest = hashed ? Hashing.sha256() : null;
    } else if (proven != null && offset == outgoing.provenBytes) {
      digest = hashed ? proven : null;
    } else {
      throw new ProtocolException("the receiver asks for bytes after ones it has not proven");
    }
    outgoing.startBytes = offset;
    tally.resumed(offset);
    try (FileChannel channel = openSource(outgoing)) {
      channel.position(offset);
      out.put(new Frame.Begin(outgoing.offer.id(), offset));
      sendContent(outgoing, channel, offset, digest);
    } catch (StreamBrokenException broken) {
      throw broken;
    } catch (IOException unreadable) {
      giveUp(outgoing, unreadable);
    }
  }

  private void sendContent(
      Outgoing outgoing, FileChannel channel, long offset, @Nullable MessageDigest digest)
      throws IOException, InterruptedException {
    FrameWriter.ContentSink sink =
        digest == null
            ? (content, release) -> release.run()
            : (content, release) -> lane.update(digest, content, release);
    long size = outgoing.offer.sizeBytes();
    long sent = offset;
    while (sent < size) {
      if (outgoing.stopped) {
        // Now, not when its Wish.Stop comes: another file that was asked for earlier would begin
        // inside this one.
        stop(outgoing);
        return;
      }
      int read = out.data(channel, size - sent, sink);
      if (read < 0) {
        throw new ChangedException("it became shorter");
      }
      sent += read;
      tally.content(read);
    }
    BasicFileAttributes now = attributes(outgoing);
    boolean changed =
        now.size() != size || now.lastModifiedTime().toMillis() != outgoing.offer.modifiedMillis();
    Sha256 sha256 = digest == null ? null : lane.finish(digest);
    if (changed) {
      throw new ChangedException("it changed while it was being sent");
    }
    outgoing.ended = true;
    if (sha256 == null) {
      out.put(new Frame.Complete(outgoing.offer.id()));
    } else {
      outgoing.sha256 = sha256.hex();
      out.put(new Frame.End(outgoing.offer.id(), sha256));
    }
  }

  /** The source is not what was offered. */
  private static final class ChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    ChangedException(String message) {
      super(message);
    }
  }

  private static FileChannel openSource(Outgoing outgoing) throws IOException {
    BasicFileAttributes now = attributes(outgoing);
    if (!now.isRegularFile() || now.size() != outgoing.offer.sizeBytes()) {
      throw new ChangedException("it changed after it was offered");
    }
    return FileChannel.open(source(outgoing).path(), StandardOpenOption.READ);
  }

  private static BasicFileAttributes attributes(Outgoing outgoing) throws IOException {
    return Files.readAttributes(source(outgoing).path(), BasicFileAttributes.class);
  }

  private static SourceItem.File source(Outgoing outgoing) throws IOException {
    SourceItem.File file = outgoing.file;
    if (file == null) {
      throw new ProtocolException("the receiver asks for the content of a directory");
    }
    return file;
  }

  private void giveUp(Outgoing outgoing, IOException why) throws IOException, InterruptedException {
    if (why instanceof ProtocolException) {
      throw why;
    }
    boolean changed = why instanceof ChangedException || why instanceof java.io.EOFException;
    Refusal refusal = changed ? Refusal.SOURCE_CHANGED : Refusal.SOURCE_UNREADABLE;
    String reason = Reasons.reason(why);
    if (open.remove(outgoing.offer.id()) != null) {
      tally.failed(outgoing, refusal, reason);
      out.put(new Frame.GiveUp(outgoing.offer.id(), refusal, reason));
    }
    // else the receiver gave it up first and its Wish.Stop answers that
  }

  private void pingIfDue() throws StreamBrokenException, InterruptedException {
    long now = System.nanoTime();
    if (now - lastPingNanos >= PING_NANOS) {
      lastPingNanos = now;
      out.put(new Frame.Ping());
      out.flush();
    }
  }

  private void goodbye() throws IOException, InterruptedException {
    said = true;
    out.put(new Frame.Bye(nextId));
    out.flush();
    while (!farewell) {
      awaitWish();
      check();
    }
    stream.finish();
    stream.awaitClosed(GOODBYE_SECONDS, TimeUnit.SECONDS);
  }

  /** The other thread. */
  private void readAnswers() {
    try {
      Hello.Heard hello = hello();
      if (hello.version() != Hello.VERSION) {
        throw new NotServedException(
            "the receiver speaks version "
                + hello.version()
                + " of the file protocol, this sender version "
                + Hello.VERSION);
      }
      hashed = !keyed || !hello.has(Hello.PROVEN_RECORDS);
      stream.setReadTimeout(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
      listener.onSession();
      while (!farewell) {
        Frame frame = in.next();
        if (frame == null) {
          throw new ProtocolException(
              in.atEnd() ? "the receiver went away before it was done" : "content from a receiver");
        }
        handle(frame);
      }
    } catch (IOException failure) {
      readFailure = failure;
      stream.abort();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      readFailure = new IOException("stopped");
    } finally {
      readerDone.countDown();
      wishes.add(new Wish.Look());
    }
  }

  private Hello.Heard hello() throws IOException, InterruptedException {
    try {
      Hello.Heard hello = in.hello();
      if (hello != null) {
        return hello;
      }
      throw new NotServedException("the peer is no ebb receiver: it ended the connection");
    } catch (ProtocolException stranger) {
      throw new NotServedException("the peer is no ebb receiver: " + stranger.getMessage());
    } catch (StreamBrokenException broken) {
      CloseReason now = stream.closeReason();
      if (now == null && broken.reason() == CloseReason.TIMED_OUT) {
        throw new NotServedException("the peer is no ebb receiver: it says nothing");
      }
      if (now == CloseReason.RESET_BY_PEER) {
        throw new NotServedException(
            "the peer drops the connection: it is busy, no receiver, or wants another key");
      }
      throw broken;
    }
  }

  private void handle(Frame frame) throws IOException {
    if (frame instanceof Frame.Send send) {
      Outgoing outgoing = known(send.id());
      outgoing.asked = true;
      wishes.add(new Wish.Content(outgoing, send.offsetBytes()));
    } else if (frame instanceof Frame.Prove prove) {
      Outgoing outgoing = known(prove.id());
      if (prove.lengthBytes() > outgoing.offer.sizeBytes()) {
        throw new ProtocolException("the receiver wants proof of more than was offered");
      }
      outgoing.asked = true;
      wishes.add(new Wish.Proof(outgoing, prove.lengthBytes()));
    } else if (frame instanceof Frame.Have have) {
      tally.alreadyThere(close(have.id()));
    } else if (frame instanceof Frame.Done done) {
      Outgoing outgoing = close(done.id());
      if (!outgoing.ended && !outgoing.offer.directory()) {
        throw new ProtocolException("the receiver is done with a file it does not have");
      }
      tally.sent(outgoing);
    } else if (frame instanceof Frame.Failed failed) {
      handleFailed(failed);
    } else if (frame instanceof Frame.Leave leave) {
      String reason = TerminalText.printable(leave.reason());
      throw leave.refusal().incomplete
          ? new ProtocolException("the receiver ends it: " + reason)
          : new NotServedException("the receiver does not serve this sender: " + reason);
    } else if (frame instanceof Frame.Bye) {
      if (!said) {
        throw new ProtocolException("the receiver said goodbye too early");
      }
      farewell = true;
    } else if (!(frame instanceof Frame.Ping)) {
      throw new ProtocolException("a receiver sent a sender's frame");
    }
    if (open.isEmpty() || farewell) {
      wishes.add(new Wish.Look());
    }
  }

  private void handleFailed(Frame.Failed failed) throws IOException {
    Outgoing outgoing = open.remove(failed.id());
    if (outgoing == null) {
      return; // both gave it up at the same time
    }
    outgoing.stopped = true;
    tally.failed(outgoing, failed.refusal(), TerminalText.printable(failed.reason()));
    if (outgoing.asked) {
      wishes.add(new Wish.Stop(outgoing));
    }
  }

  private Outgoing known(int id) throws ProtocolException {
    Outgoing outgoing = open.get(id);
    if (outgoing == null) {
      throw new ProtocolException("the receiver asks for a file that is not offered");
    }
    return outgoing;
  }

  private Outgoing close(int id) throws ProtocolException {
    Outgoing outgoing = open.remove(id);
    if (outgoing == null) {
      throw new ProtocolException("the receiver is done with a file that is not offered");
    }
    return outgoing;
  }
}
