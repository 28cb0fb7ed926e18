package ebb.ledbat.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamBrokenException;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/**
 * Copies input to the stream and the stream to output until both have ended. The stream's credit
 * and demand are the back-pressure; nothing else is kept.
 */
final class Pump {
  private static final long POLL_SECONDS = 3_600;

  private final BlockingStream stream;
  private final ReadableByteChannel input;
  private final WritableByteChannel output;
  private final Executor executor;
  private final CompletableFuture<ExitCode> result;
  private final CompletableFuture<Void> outputDone = new CompletableFuture<>();

  Pump(
      BlockingStream stream,
      ReadableByteChannel input,
      WritableByteChannel output,
      Executor executor,
      CompletableFuture<ExitCode> result) {
    this.stream = stream;
    this.input = input;
    this.output = output;
    this.executor = executor;
    this.result = result;
  }

  void start() {
    executor.execute(() -> run(this::copyInput, new CompletableFuture<>()));
    executor.execute(() -> run(this::copyOutput, outputDone));
    executor.execute(this::awaitEnd);
  }

  private interface Copy {
    void run() throws IOException, InterruptedException;
  }

  private void run(Copy copy, CompletableFuture<Void> done) {
    try {
      copy.run();
      done.complete(null);
    } catch (StreamBrokenException broken) {
      done.completeExceptionally(broken); // awaitEnd says why
    } catch (IOException local) {
      result.completeExceptionally(new EbbException(ExitCode.INCOMPLETE, "" + local.getMessage()));
      stream.abort();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void copyInput() throws IOException, InterruptedException {
    stream.sendFrom(input);
    stream.finish();
  }

  private void copyOutput() throws IOException, InterruptedException {
    stream.receiveTo(output);
  }

  private void awaitEnd() {
    try {
      CloseReason reason = null;
      while (reason == null) {
        reason = stream.awaitClosed(POLL_SECONDS, java.util.concurrent.TimeUnit.SECONDS);
      }
      try {
        outputDone.get(); // what arrived is still written
      } catch (ExecutionException broken) {
        reason = reason == CloseReason.FINISHED ? CloseReason.ABORTED : reason;
      }
      if (reason == CloseReason.FINISHED) {
        result.complete(ExitCode.DONE);
      } else {
        result.completeExceptionally(
            new EbbException(ExitCode.INCOMPLETE, StreamBrokenException.describe(reason)));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
