package ebb.files;

import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamBrokenException;
import ebb.ledbat.stream.StreamCommands;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Fuzz target: a stream of the file protocol, cut into pieces of the size that the first byte says.
 * Every frame is read or refused as a {@link ProtocolException}, nothing is read past its end, and
 * what was read comes back from its encoding.
 */
public final class FileFramesTarget {
  /** Of a stream that nobody is at the other end of. */
  static final StreamCommands NONE =
      new StreamCommands() {
        @Override
        public void write(ByteBuffer bytes) {}

        @Override
        public void demand(long bytes) {}

        @Override
        public void finish() {}

        @Override
        public void abort() {}
      };

  private FileFramesTarget() {}

  /** Called by Jazzer, and by {@link FileFramesCorpusTest}. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    BlockingStream stream =
        new BlockingStream(new InetSocketAddress("127.0.0.1", 1), 1, 1 << 20, NONE);
    int pieceBytes = (input[0] & 0x7f) + 1;
    for (int at = 1; at < input.length; at += pieceBytes) {
      int end = Math.min(input.length, at + pieceBytes);
      stream.onData(ByteBuffer.wrap(Arrays.copyOfRange(input, at, end)));
    }
    stream.onPeerFinished();
    try {
      read(new FrameReader(stream), input[0] < 0, input.length - 1);
    } catch (ProtocolException refused) {
      // As it should be.
    } catch (StreamBrokenException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void read(FrameReader reader, boolean greeted, int streamBytes)
      throws ProtocolException, StreamBrokenException, InterruptedException {
    if (!greeted) {
      reader.hello();
    }
    int contentBytes = 0;
    while (true) {
      Frame frame = reader.next();
      if (reader.atEnd()) {
        return;
      }
      if (frame != null) {
        checkRoundTrip(frame);
      }
      while (reader.dataBytes() > 0) {
        contentBytes += reader.content().remaining();
      }
      if (contentBytes > streamBytes) {
        throw new AssertionError("more content than bytes");
      }
    }
  }

  private static void checkRoundTrip(Frame frame) throws ProtocolException {
    ByteBuffer out = ByteBuffer.allocate(FrameCodec.MAX_ENCODED_BYTES);
    FrameCodec.encode(frame, out);
    out.flip();
    int type = out.get();
    out.getInt();
    Frame again = FrameCodec.decode(type, out);
    // A reason is cut to what a terminal takes when it is written; the rest must be the same.
    boolean worded = frame instanceof Frame.GiveUp || frame instanceof Frame.Failed;
    if (!worded && !again.equals(frame)) {
      throw new AssertionError(frame + " became " + again);
    }
  }
}
