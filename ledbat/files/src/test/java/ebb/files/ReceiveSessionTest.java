package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.stream.StreamPair;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receiver against a peer that does not keep to the protocol. */
class ReceiveSessionTest {
  @TempDir Path temp;
  private Path dir;
  private Transfers transfers;
  private StreamPair pair;
  private Future<ReceiveReport> report;
  private FrameReader answers;

  /** What the session's clock shows. */
  private final AtomicLong clock = new AtomicLong(1);

  /** The session has looked at it. */
  private final CountDownLatch begun = new CountDownLatch(1);

  @BeforeEach
  void setUp() throws IOException {
    transfers = new Transfers(temp);
    dir = transfers.dir;
    transfers.clock =
        () -> {
          begun.countDown();
          return clock.get();
        };
    pair = new StreamPair();
    report = transfers.receive(pair);
    answers = new FrameReader(pair.left);
  }

  @AfterEach
  void tearDown() {
    pair.close();
    transfers.close();
  }

  /** With the options of this moment. */
  private void startAgain() {
    pair.close();
    pair = new StreamPair();
    report = transfers.receive(pair);
    answers = new FrameReader(pair.left);
  }

  private void write(byte[] bytes) throws Exception {
    pair.left.write(ByteBuffer.wrap(bytes), () -> {});
  }

  private void hello() throws Exception {
    ByteBuffer hello = ByteBuffer.allocate(100);
    Hello.encode(hello, 0);
    pair.left.write(hello.flip(), () -> {});
    assertThat(answers.hello()).isEqualTo(new Hello.Heard(Hello.VERSION, 0));
  }

  private void put(Frame frame) throws Exception {
    ByteBuffer out = ByteBuffer.allocate(FrameCodec.MAX_ENCODED_BYTES);
    FrameCodec.encode(frame, out);
    pair.left.write(out.flip(), () -> {});
  }

  private void data(byte[] content) throws Exception {
    ByteBuffer out = ByteBuffer.allocate(Frame.HEADER_BYTES + content.length);
    out.put((byte) Frame.DATA).putInt(content.length).put(content);
    pair.left.write(out.flip(), () -> {});
  }

  private static Frame.Offer offer(int id, long size, String path) {
    return new Frame.Offer(id, false, 0644, size, 0, path);
  }

  private void pass(long seconds) {
    clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  /** The next answer that is no ping. */
  private Frame answer() throws Exception {
    Frame next = answers.next();
    while (next instanceof Frame.Ping) {
      next = answers.next();
    }
    return next;
  }

  /** Says that the sender lives, and waits until the session has heard it. */
  private void ping() throws Exception {
    put(new Frame.Ping());
    pass(3);
    put(new Frame.Ping());
    assertThat(answers.next()).isEqualTo(new Frame.Ping());
  }

  private ReceiveReport ended() throws Exception {
    return report.get(60, TimeUnit.SECONDS);
  }

  @Test
  void anHttpClientIsAStranger() throws Exception {
    write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

    assertThat(ended().stranger()).isTrue();
    assertThat(ended().broken()).isEqualTo("it does not speak Ebb's file protocol but HTTP");
  }

  @Test
  void aPeerThatEndsAtOnceIsAStranger() throws Exception {
    pair.left.finish();

    assertThat(ended().stranger()).isTrue();
  }

  @Test
  void aSenderOfAnotherVersionHearsOurs() throws Exception {
    ByteBuffer hello = ByteBuffer.allocate(100);
    Hello.encode(hello, 0);
    hello.putShort(8, (short) 7);
    pair.left.write(hello.flip(), () -> {});

    assertThat(answers.hello()).isEqualTo(new Hello.Heard(Hello.VERSION, 0));
    pair.left.finish();
    assertThat(ended().stranger()).isFalse();
    assertThat(ended().broken()).contains("version 7").contains("version 2");
  }

  @Test
  void namesThatLeadOutsideAreRefused() throws Exception {
    hello();
    String[] names = {
      "../x", "/x", "a/../../x", "a\\b", "a\0b", "", "a//b", ".", "a/.", ".ebb-part/x", ".EBB-part"
    };
    for (int i = 0; i < names.length; i++) {
      put(offer(i, 1, names[i]));
      Frame answer = answers.next();
      assertThat(answer).as(names[i]).isInstanceOf(Frame.Failed.class);
      assertThat(((Frame.Failed) answer).refusal()).isEqualTo(Refusal.BAD_NAME);
    }
    put(new Frame.Bye(names.length));
    assertThat(answers.next()).isEqualTo(new Frame.Bye(names.length));
    pair.left.finish();
    assertThat(ended().broken()).isNull();
    assertThat(ended().failed()).isEqualTo(names.length);
    assertThat(Files.exists(temp.resolve("x"))).isFalse();
  }

  @Test
  void contentWithAnotherHashIsThrownAway() throws Exception {
    hello();
    put(offer(0, 3, "file"));
    assertThat(answers.next()).isEqualTo(new Frame.Send(0, 0));
    put(new Frame.Begin(0, 0));
    data(new byte[] {1, 2, 3});
    put(new Frame.End(0, Sha256.of(new byte[32])));

    Frame answer = answers.next();
    assertThat(((Frame.Failed) answer).refusal()).isEqualTo(Refusal.CORRUPT);
    put(new Frame.Bye(1));
    assertThat(answers.next()).isEqualTo(new Frame.Bye(1));
    pair.left.finish();
    assertThat(ended().broken()).isNull();
    assertThat(dir.resolve("file")).doesNotExist();
    assertThat(dir.resolve(ReservedName.PART_DIRECTORY)).isEmptyDirectory();
  }

  @Test
  void moreContentThanOfferedEndsTheSession() throws Exception {
    hello();
    put(offer(0, 3, "file"));
    assertThat(answers.next()).isEqualTo(new Frame.Send(0, 0));
    put(new Frame.Begin(0, 0));
    data(new byte[4]);

    assertThat(ended().broken()).isEqualTo("more content than was offered");
    assertThat(dir.resolve("file")).doesNotExist();
  }

  @Test
  void anEndBeforeAllContentEndsTheSession() throws Exception {
    hello();
    put(offer(0, 3, "file"));
    assertThat(answers.next()).isEqualTo(new Frame.Send(0, 0));
    put(new Frame.Begin(0, 0));
    data(new byte[2]);
    put(new Frame.End(0, Sha256.of(Hashing.sha256().digest(new byte[2]))));

    assertThat(ended().broken()).isEqualTo("a file ended before its end");
    assertThat(dir.resolve("file")).doesNotExist();
  }

  @Test
  void contentAtAnotherOffsetThanAskedEndsTheSession() throws Exception {
    hello();
    put(offer(0, 3, "file"));
    assertThat(answers.next()).isEqualTo(new Frame.Send(0, 0));
    put(new Frame.Begin(0, 2));

    assertThat(ended().broken()).isEqualTo("content that was not asked for");
  }

  @Test
  void contentOfNoFileEndsTheSession() throws Exception {
    hello();
    data(new byte[10]);

    assertThat(ended().broken()).isEqualTo("content of no file");
  }

  @Test
  void hugeLengthsAreRefusedBeforeAnythingIsAllocated() throws Exception {
    hello();
    write(new byte[] {Frame.OFFER, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff});

    assertThat(ended().broken()).isEqualTo("a frame of 2147483647 bytes");
  }

  @Test
  void negativeLengthsAreRefused() throws Exception {
    hello();
    write(new byte[] {Frame.DATA, -1, -1, -1, -1});

    assertThat(ended().broken()).isEqualTo("a DATA frame of 4294967295 bytes");
  }

  @Test
  void tooManyOffersEndTheSession() throws Exception {
    hello();
    for (int i = 0; i <= ReceiveLimits.MAX_OPEN_OFFERS; i++) {
      put(offer(i, 1, "f" + i));
    }

    assertThat(ended().broken()).isEqualTo("too many offers at once");
  }

  @Test
  void aFileThatBeginsWithinAnotherEndsTheSessionSoThatOneIsOpenAtATime() throws Exception {
    hello();
    put(offer(0, 10, "outer"));
    put(offer(1, 10, "inner"));
    assertThat(answer()).isEqualTo(new Frame.Send(0, 0));
    assertThat(answer()).isEqualTo(new Frame.Send(1, 0));
    put(new Frame.Begin(0, 0));
    data(new byte[5]);
    put(new Frame.Begin(1, 0));

    assertThat(ended().broken()).isEqualTo("a file began inside another");
  }

  @Test
  void manyOffersOfFilesThatAreThereShareAFewHashingThreads() throws Exception {
    List<Runnable> started = Collections.synchronizedList(new ArrayList<>());
    transfers.receiverThreads = started::add;
    transfers.options = new ReceiveOptions(true, 1_000, Long.MAX_VALUE);
    startAgain();
    int count = 500;
    for (int i = 0; i < count; i++) {
      Files.write(dir.resolve("f" + i), new byte[] {1});
    }
    hello();
    for (int i = 0; i < count; i++) {
      put(offer(i, 1, "f" + i));
    }
    for (int i = 0; i < count; i++) {
      assertThat(answers.next()).isEqualTo(new Frame.Prove(i, 1));
    }

    assertThat(started).hasSizeLessThanOrEqualTo(ReceiveLimits.HASHING_THREADS);
  }

  @Test
  void aSenderThatOnlyPingsHasToLeave() throws Exception {
    hello();
    put(offer(0, 3, "file"));
    assertThat(answer()).isEqualTo(new Frame.Send(0, 0));
    ping();
    pass(ReceiveLimits.IDLE_SECONDS - 20);
    ping();
    pass(20);
    put(new Frame.Ping());

    Frame.Leave leave = (Frame.Leave) answer();
    assertThat(leave.refusal()).isEqualTo(Refusal.STOPPED);
    assertThat(leave.reason()).startsWith("nothing but signs of life came for 12");
    pair.left.finish();
    assertThat(ended().broken()).isEqualTo(leave.reason());
  }

  @Test
  void aSenderWithoutAnOfferHasToLeaveSooner() throws Exception {
    hello();
    ping();
    pass(ReceiveLimits.FIRST_OFFER_SECONDS);
    put(new Frame.Ping());

    assertThat(((Frame.Leave) answer()).reason()).contains("for 6");
    pair.left.finish();
    assertThat(ended().broken()).isNotNull();
  }

  @Test
  void aHelloThatTricklesInIsNotWaitedFor() throws Exception {
    write(new byte[] {(byte) 0xEB});
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    pass(ReceiveLimits.HELLO_SECONDS + 1);
    write(new byte[] {'E'});

    assertThat(ended().stranger()).isTrue();
    // A busy receiver may read both bytes at once, and then waits for the third.
    assertThat(ended().broken())
        .matches(
            "nothing but signs of life.*|nothing was heard for "
                + ReceiveLimits.HELLO_SECONDS
                + " s");
  }

  @Test
  void aSenderThatHashesALargeFileIsWaitedFor() throws Exception {
    long seconds = 1_000;
    long size = seconds * ReceiveLimits.SLOWEST_HASH_BYTES_PER_SECOND;
    transfers.options = new ReceiveOptions(true, Long.MAX_VALUE, Long.MAX_VALUE);
    startAgain();
    try (RandomAccessFile large = new RandomAccessFile(dir.resolve("large").toFile(), "rw")) {
      large.setLength(size);
    }
    hello();
    put(offer(0, size, "large"));
    assertThat(answer()).isEqualTo(new Frame.Prove(0, size));
    for (int i = 0; i < seconds / 100; i++) {
      pass(97);
      ping();
    }
    put(new Frame.GiveUp(0, Refusal.SOURCE_UNREADABLE, "x"));
    put(new Frame.Bye(1));
    assertThat(answer()).isEqualTo(new Frame.Bye(1));
    pair.left.finish();
    assertThat(ended().broken()).isNull();
  }

  @Test
  void twoSendersAreNotPromisedTheSameRoom() throws Exception {
    transfers.space = () -> 100L * DiskBudget.BLOCK_BYTES;
    transfers.options = new ReceiveOptions(true, Long.MAX_VALUE, Long.MAX_VALUE);
    startAgain();
    long size = 60L * DiskBudget.BLOCK_BYTES;
    hello();
    put(offer(0, size, "one"));
    assertThat(answer()).isEqualTo(new Frame.Send(0, 0));
    StreamPair first = pair;
    Future<ReceiveReport> firstReport = report;
    pair = new StreamPair();
    report = transfers.receive(pair);
    answers = new FrameReader(pair.left);
    hello();
    put(offer(0, size, "two"));

    Frame.Failed failed = (Frame.Failed) answer();
    assertThat(failed.refusal()).isEqualTo(Refusal.NO_SPACE);
    assertThat(failed.reason())
        .isEqualTo(
            "the receiver's disk has 409600 bytes free, of which 245760 are promised to transfers"
                + " that run; 245760 are needed");

    first.left.abort();
    firstReport.get(60, TimeUnit.SECONDS);
    first.close();
    put(offer(1, size, "two"));
    assertThat(answer()).isEqualTo(new Frame.Send(1, 0));
  }

  @Test
  void theSameNameTwiceAtOnceIsRefused() throws Exception {
    hello();
    put(offer(0, 1, "f"));
    put(offer(1, 1, "f"));

    assertThat(answers.next()).isEqualTo(new Frame.Send(0, 0));
    assertThat(((Frame.Failed) answers.next()).refusal()).isEqualTo(Refusal.BUSY);
    pair.left.abort();
    assertThat(ended().broken()).isNotNull();
  }

  @Test
  void aGoodbyeBeforeTheFilesAreDoneEndsTheSession() throws Exception {
    hello();
    put(offer(0, 1, "f"));
    put(new Frame.Bye(1));

    assertThat(ended().broken()).isEqualTo("the sender said goodbye before it was done");
  }
}
