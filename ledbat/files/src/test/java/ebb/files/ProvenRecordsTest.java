package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.stream.StreamPair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose records are proven by a key, so that nothing is hashed but what is resumed. */
class ProvenRecordsTest {
  private static final int BIG = 3_000_000;

  @TempDir Path temp;
  private Path dir;
  private Path file;
  private byte[] content;
  private Transfers transfers;
  private final List<String> hashes = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void setUp() throws IOException {
    transfers = new Transfers(temp);
    dir = transfers.dir;
    content = Transfers.bytes(BIG, 7);
    file = transfers.file("file", content);
    transfers.arriving =
        new ReceiveListener() {
          @Override
          public void onReceived(InetSocketAddress remote, Frame.Offer offer, String sha256) {
            hashes.add(sha256);
          }
        };
  }

  @AfterEach
  void tearDown() {
    transfers.close();
  }

  private Transfers.Result send(boolean senderKeyed, boolean receiverKeyed) throws Exception {
    transfers.senderKeyed = senderKeyed;
    transfers.receiverKeyed = receiverKeyed;
    return transfers.send(file);
  }

  @Test
  void aFileArrivesWithoutHashes() throws Exception {
    Transfers.Result result = send(true, true);

    assertThat(result.sender().sent()).isEqualTo(1);
    assertThat(dir.resolve("file")).hasBinaryContent(content);
    assertThat(hashes).containsExactly("");
    assertThat(result.outcome("file").sha256()).isEmpty();
  }

  @Test
  void withoutAKeyOnBothSidesFilesAreHashed() throws Exception {
    for (boolean keyed : new boolean[] {false, true}) {
      Files.deleteIfExists(dir.resolve("file"));
      Transfers.Result result = send(keyed, !keyed);

      assertThat(result.sender().sent()).isEqualTo(1);
      assertThat(result.outcome("file").sha256()).hasSize(64);
      assertThat(dir.resolve("file")).hasBinaryContent(content);
    }
    assertThat(hashes).hasSize(2).allMatch(hash -> hash.length() == 64);
  }

  /** How much a broken transfer has left. */
  private long leaveHalf() throws Exception {
    transfers.senderKeyed = true;
    transfers.receiverKeyed = true;
    try (StreamPair pair = new StreamPair()) {
      pair.breakAfterBytes.set(BIG / 2);
      assertThat(transfers.send(pair, file).sender().broken()).isNotNull();
    }
    return Files.size(part());
  }

  private Path part() throws IOException {
    try (var parts = Files.list(dir.resolve(ReservedName.PART_DIRECTORY))) {
      return parts.filter(p -> p.toString().endsWith(".part")).findFirst().orElseThrow();
    }
  }

  @Test
  void aBrokenTransferIsResumedByProof() throws Exception {
    long kept = leaveHalf();

    Transfers.Result resumed = send(true, true);

    assertThat(kept).isPositive();
    assertThat(resumed.sender().resumedBytes()).isEqualTo(kept);
    assertThat(dir.resolve("file")).hasBinaryContent(content);
  }

  @Test
  void aDamagedPartIsNotContinued() throws Exception {
    assertThat(leaveHalf()).isPositive();
    byte[] damaged = Files.readAllBytes(part());
    damaged[damaged.length / 2] ^= 1;
    Files.write(part(), damaged, StandardOpenOption.WRITE);

    Transfers.Result again = send(true, true);

    assertThat(again.sender().resumedBytes()).isZero();
    assertThat(dir.resolve("file")).hasBinaryContent(content);
  }

  @Test
  void aPartOfASenderWithAKeyIsResumedByOneThatHashes() throws Exception {
    long kept = leaveHalf();

    Transfers.Result resumed = send(false, true);

    assertThat(resumed.sender().resumedBytes()).isEqualTo(kept);
    assertThat(resumed.outcome("file").sha256()).hasSize(64);
    assertThat(dir.resolve("file")).hasBinaryContent(content);
  }

  /** A sender that does as the test says. */
  private final class Scripted implements AutoCloseable {
    private final StreamPair pair = new StreamPair();
    private final FrameReader answers = new FrameReader(pair.left);
    private final Future<ReceiveReport> report;

    Scripted(boolean receiverKeyed) {
      transfers.receiverKeyed = receiverKeyed;
      report = transfers.receive(pair);
    }

    int hello(int features) throws Exception {
      ByteBuffer hello = ByteBuffer.allocate(Hello.MAX_ENCODED_BYTES);
      Hello.encode(hello, features);
      pair.left.write(hello.flip(), () -> {});
      return answers.hello().features();
    }

    void put(Frame frame) throws Exception {
      ByteBuffer out = ByteBuffer.allocate(FrameCodec.MAX_ENCODED_BYTES);
      FrameCodec.encode(frame, out);
      pair.left.write(out.flip(), () -> {});
    }

    /** Three bytes are offered and that many sent. */
    void send(int bytes) throws Exception {
      put(new Frame.Offer(0, false, 0644, 3, 0, "three"));
      assertThat(answers.next()).isEqualTo(new Frame.Send(0, 0));
      put(new Frame.Begin(0, 0));
      ByteBuffer out = ByteBuffer.allocate(Frame.HEADER_BYTES + bytes);
      out.put((byte) Frame.DATA).putInt(bytes).put(new byte[bytes]);
      pair.left.write(out.flip(), () -> {});
    }

    String broken() throws Exception {
      return report.get(Transfers.BOUND_SECONDS, TimeUnit.SECONDS).broken();
    }

    @Override
    public void close() {
      pair.close();
    }
  }

  private static final Frame.End WRONG = new Frame.End(0, Sha256.of(new byte[Sha256.BYTES]));

  @Test
  void aReceiverWithoutAKeyAgreesToNothing() throws Exception {
    try (Scripted sender = new Scripted(false)) {
      assertThat(sender.hello(Hello.PROVEN_RECORDS)).isZero();
      sender.send(3);
      sender.put(new Frame.Complete(0));

      assertThat(sender.broken()).isEqualTo("the end of a file without its hash");
    }
    assertThat(dir.resolve("three")).doesNotExist();
  }

  @Test
  void aSenderThatDidNotAskForItMustHash() throws Exception {
    try (Scripted sender = new Scripted(true)) {
      assertThat(sender.hello(0)).isZero();
      sender.send(3);
      sender.put(new Frame.Complete(0));

      assertThat(sender.broken()).isEqualTo("the end of a file without its hash");
    }
    assertThat(dir.resolve("three")).doesNotExist();
  }

  @Test
  void andItsHashIsHeeded() throws Exception {
    try (Scripted sender = new Scripted(true)) {
      assertThat(sender.hello(0)).isZero();
      sender.send(3);
      sender.put(WRONG);

      Frame.Failed failed = (Frame.Failed) sender.answers.next();
      assertThat(failed.refusal()).isEqualTo(Refusal.CORRUPT);
    }
    assertThat(dir.resolve("three")).doesNotExist();
  }

  @Test
  void aHashWhereNoneWasAgreedOnEndsTheSession() throws Exception {
    try (Scripted sender = new Scripted(true)) {
      assertThat(sender.hello(Hello.PROVEN_RECORDS)).isEqualTo(Hello.PROVEN_RECORDS);
      sender.send(3);
      sender.put(WRONG);

      assertThat(sender.broken()).isEqualTo("the hash of a file, after hellos that agreed on none");
    }
    assertThat(dir.resolve("three")).doesNotExist();
  }

  @Test
  void aFileIsCompleteWithAllItsBytesOnly() throws Exception {
    try (Scripted sender = new Scripted(true)) {
      assertThat(sender.hello(Hello.PROVEN_RECORDS)).isEqualTo(Hello.PROVEN_RECORDS);
      sender.send(2);
      sender.put(new Frame.Complete(0));

      assertThat(sender.broken()).isEqualTo("a file ended before its end");
    }
    assertThat(dir.resolve("three")).doesNotExist();
  }

  @Test
  void aFileThatNeverBeganIsNotComplete() throws Exception {
    try (Scripted sender = new Scripted(true)) {
      assertThat(sender.hello(Hello.PROVEN_RECORDS)).isEqualTo(Hello.PROVEN_RECORDS);
      sender.put(new Frame.Complete(0));

      assertThat(sender.broken()).isEqualTo("the end of a file that had not begun");
    }
  }

  @Test
  void aReceiverThatAgreesUnaskedGetsHashes() throws Exception {
    try (StreamPair pair = new StreamPair()) {
      SourceTree tree = SourceTree.of(List.of(file), false);
      Future<SendReport> report =
          transfers.threads.submit(
              () ->
                  new SendSession(pair.left, tree, transfers.threads, new SendListener() {}, false)
                      .run());
      FrameReader asked = new FrameReader(pair.right);
      assertThat(asked.hello()).isEqualTo(new Hello.Heard(Hello.VERSION, 0));
      ByteBuffer out = ByteBuffer.allocate(FrameCodec.MAX_ENCODED_BYTES);
      Hello.encode(out, Hello.PROVEN_RECORDS);
      pair.right.write(out.flip(), () -> {});
      Frame last = asked.next();
      while (!(last instanceof Frame.Offer)) {
        last = asked.next();
      }
      ByteBuffer wish = ByteBuffer.allocate(FrameCodec.MAX_ENCODED_BYTES);
      FrameCodec.encode(new Frame.Send(0, 0), wish);
      pair.right.write(wish.flip(), () -> {});

      while (!(last instanceof Frame.End) && !(last instanceof Frame.Complete)) {
        last = asked.next();
        while (asked.dataBytes() > 0) {
          asked.content();
        }
      }
      assertThat(last).isInstanceOf(Frame.End.class);
      pair.right.abort();
      assertThat(report.get(Transfers.BOUND_SECONDS, TimeUnit.SECONDS).broken()).isNotNull();
    }
  }
}
