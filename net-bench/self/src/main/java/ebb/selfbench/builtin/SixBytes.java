package ebb.selfbench.builtin;

import ebb.selfbench.process.PeerProcess;
import ebb.selfbench.process.ScratchDirectory;
import ebb.selfbench.subject.BenchContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files of six bytes for a receiver that waits for them: each start of {@code ebb ledbat send} has
 * one of its own, for what is there already is not sent.
 */
final class SixBytes implements StartTime.Starts {
  private static final String CONTENT = "hello\n";

  private final ScratchDirectory scratch;
  private final Path to;
  private final PeerProcess receiver;
  private final String address;

  private SixBytes(ScratchDirectory scratch, Path to, PeerProcess receiver) {
    this.scratch = scratch;
    this.to = to;
    this.receiver = receiver;
    address = FileTransfer.address(receiver);
  }

  static SixBytes open(BenchContext context) throws IOException {
    ScratchDirectory scratch = new ScratchDirectory(context.directory());
    PeerProcess receiver = null;
    try {
      Path to = Files.createDirectory(scratch.directory().resolve("to"));
      receiver =
          PeerProcess.withErrors(
              "ebb ledbat receive", EbbPrograms.ledbat(FileTransfer.receiving(to)));
      return new SixBytes(scratch, to, receiver);
    } catch (IOException | RuntimeException e) {
      if (receiver != null) {
        receiver.close();
      }
      scratch.close();
      throw e;
    }
  }

  private static String name(int number) {
    return "six-" + number;
  }

  @Override
  public List<String> command(int number) throws IOException {
    Path file = Files.writeString(scratch.directory().resolve(name(number)), CONTENT);
    return EbbPrograms.ledbat(List.of("send", file.toString(), address));
  }

  @Override
  public String failure(int number, String printed) {
    return Files.exists(to.resolve(name(number))) ? "" : "ebb ledbat send did not send its file";
  }

  @Override
  public void close() throws IOException {
    receiver.close();
    scratch.close();
  }
}
