package ebb.files;

import ebb.ledbat.stream.StreamBrokenException;
import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to do with an offered file: nothing, for it is here; refuse it; ask for all of it,
 * or for the rest of it. What is on this disk already only counts when the sender proves by its
 * hash that it is the same. One thread calls.
 */
final class OfferExaminer {
  private static final long LOOK_SECONDS = 1;

  private final DiskBudget.Account disk;
  private final ReceiveOptions options;
  private final HashPool.Queue hashing;
  private final FrameWriter out;
  private final OpenFiles files;
  private final SessionProgress progress;
  private final LongSupplier nanoClock;
  private final Hashing.Pause pause;

  /**
   * @param pause runs now and then while this waits for a hash; throws when the sender is gone
   */
  OfferExaminer(
      ReceiverShared receiver,
      DiskBudget.Account disk,
      HashPool.Queue hashing,
      FrameWriter out,
      OpenFiles files,
      SessionProgress progress,
      Hashing.Pause pause) {
    this.disk = disk;
    options = receiver.options;
    nanoClock = receiver.nanoClock;
    this.hashing = hashing;
    this.out = out;
    this.files = files;
    this.progress = progress;
    this.pause = pause;
  }

  /** Looks at what has the file's final name. */
  void examine(Incoming incoming) throws IOException, InterruptedException {
    Frame.Offer offer = incoming.offer;
    BasicFileAttributes there = PathGuard.attributes(incoming.target);
    if (there == null) {
      examinePart(incoming);
    } else if (there.isDirectory()) {
      files.fail(incoming, Refusal.EXISTS, "a directory has its name");
    } else if (there.isRegularFile() && there.size() == offer.sizeBytes()) {
      if (offer.sizeBytes() == 0) {
        have(incoming);
      } else {
        askForProof(
            incoming,
            Incoming.Stage.EXISTING_PROOF,
            () -> FileStore.openExisting(incoming.target),
            offer.sizeBytes());
      }
    } else {
      otherFileThere(incoming);
    }
  }

  private void have(Incoming incoming) throws IOException, InterruptedException {
    incoming.part.clearAfter(incoming.target);
    files.have(incoming);
  }

  private void otherFileThere(Incoming incoming) throws IOException, InterruptedException {
    if (options.overwrite()) {
      incoming.replaces = true;
      examinePart(incoming);
    } else {
      files.fail(
          incoming,
          Refusal.EXISTS,
          "another file has its name (a receiver with --overwrite would replace it)");
    }
  }

  /** Looks at what an earlier transfer left. */
  private void examinePart(Incoming incoming) throws IOException, InterruptedException {
    long size = incoming.offer.sizeBytes();
    long partBytes = incoming.part.length();
    boolean resume = size >= PartFile.MIN_RESUME_BYTES && partBytes > 0 && partBytes <= size;
    disk.promise(incoming, size - (resume ? partBytes : 0), nanoClock.getAsLong());
    if (resume) {
      incoming.part.touch();
      askForProof(incoming, Incoming.Stage.PART_PROOF, incoming.part::openForReading, partBytes);
    } else {
      askForContent(incoming, 0, null);
    }
  }

  /** Both sides hash the same prefix at the same time. */
  private void askForProof(
      Incoming incoming, Incoming.Stage stage, HashPool.Source source, long prefixBytes)
      throws IOException, InterruptedException {
    incoming.stage = stage;
    incoming.localBytes = prefixBytes;
    incoming.local = hashing.prefix(source, prefixBytes);
    progress.owes(prefixBytes);
    out.put(new Frame.Prove(incoming.offer.id(), prefixBytes));
  }

  private void askForContent(Incoming incoming, long offset, @Nullable MessageDigest digest)
      throws StreamBrokenException, InterruptedException {
    incoming.stage = Incoming.Stage.CONTENT;
    incoming.localBytes = offset;
    incoming.local = null;
    incoming.digest = digest;
    out.put(new Frame.Send(incoming.offer.id(), offset));
  }

  /** Compares a proof with what is here, and asks for what is missing. */
  void prove(Incoming incoming, Frame.Proof proof) throws IOException, InterruptedException {
    if (incoming.stage == Incoming.Stage.FAILED) {
      return; // the proof crossed the news
    }
    CompletableFuture<MessageDigest> local = incoming.local;
    if (local == null || proof.lengthBytes() != incoming.localBytes) {
      throw new ProtocolException("a proof that was not asked for");
    }
    progress.settled(nanoClock.getAsLong());
    MessageDigest state;
    try {
      state = await(local);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof IOException disk) {
        files.fail(incoming, disk);
      } else {
        files.fail(
            incoming,
            Refusal.STORAGE,
            "what is here already could not be hashed: " + Reasons.reason(failure.getCause()));
      }
      return;
    }
    boolean same = Hashing.peek(state).equals(proof.sha256());
    try {
      if (incoming.stage == Incoming.Stage.PART_PROOF && same) {
        askForContent(incoming, incoming.localBytes, state);
      } else if (incoming.stage == Incoming.Stage.PART_PROOF) {
        // The source changed, or the part file is damaged: nothing is glued together.
        disk.release(incoming);
        incoming.part.delete();
        disk.promise(incoming, incoming.offer.sizeBytes(), nanoClock.getAsLong());
        askForContent(incoming, 0, null);
      } else if (same) {
        have(incoming);
      } else {
        otherFileThere(incoming);
      }
    } catch (IOException disk) {
      files.fail(incoming, disk);
    }
  }

  private MessageDigest await(CompletableFuture<MessageDigest> local)
      throws IOException, InterruptedException, ExecutionException {
    while (true) {
      try {
        return local.get(LOOK_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException stillHashing) {
        pause.run();
      }
    }
  }
}
