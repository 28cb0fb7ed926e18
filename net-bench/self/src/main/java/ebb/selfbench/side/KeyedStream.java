package ebb.selfbench.side;

import ebb.ledbat.crypto.NativeCrypto;
import ebb.ledbat.netty.DriverStarter;
import ebb.ledbat.netty.SecureStarter;
import ebb.ledbat.secure.PresharedKey;
import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamSocket;
import ebb.selfbench.process.Meter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * One side of an endless stream as embedders have it: {@link StreamSocket}, with a key, and with
 * the ciphers that commands have.
 */
final class KeyedStream {
  private static final String PURPOSE = "bench";

  private KeyedStream() {}

  /** Arguments: address, datagram size; the receiver's address and port, for the sender. */
  public static void main(String[] args) throws IOException, InterruptedException {
    NativeCrypto.install();
    Meter meter = new Meter();
    // Both sides are this benchmark, so it is no secret.
    PresharedKey key = new PresharedKey(new byte[PresharedKey.BYTES]);
    try (StreamSocket socket =
        StreamSocket.bind(
            new InetSocketAddress(args[0], 0),
            Sides.config(Integer.parseInt(args[1])),
            new SecureStarter(DriverStarter.netty(), key, PURPOSE))) {
      if (args.length > 2) {
        InetSocketAddress to = new InetSocketAddress(args[2], Integer.parseInt(args[3]));
        BlockingStream stream = socket.connect(to);
        System.out.println("CONNECTED");
        start(() -> stream.sendFrom(new Endless(meter)));
      } else {
        System.out.println("PORT " + socket.local().getPort());
        start(() -> receive(socket, meter));
      }
      meter.serve();
    }
  }

  private static void receive(StreamSocket socket, Meter meter)
      throws IOException, InterruptedException {
    StreamPattern pattern = new StreamPattern();
    BlockingStream stream = socket.accept();
    while (stream != null) {
      ByteBuffer came = stream.read();
      if (came == null) {
        return;
      }
      pattern.check(came.slice());
      meter.add(came.remaining());
      stream.recycle(came);
    }
  }

  /** The stream's bytes, as fast as they are taken. */
  private static final class Endless implements ReadableByteChannel {
    private final StreamPattern pattern = new StreamPattern();
    private final Meter meter;

    Endless(Meter meter) {
      this.meter = meter;
    }

    @Override
    public int read(ByteBuffer into) {
      int bytes = into.remaining();
      pattern.fill(into.slice());
      pattern.advance(bytes);
      meter.add(bytes);
      into.position(into.limit());
      return bytes;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException | IllegalStateException e) {
                System.out.println("FAILED " + e.getMessage());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "keyed-stream");
    thread.setDaemon(true);
    thread.start();
  }
}
