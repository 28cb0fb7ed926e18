package ebb.selfbench.side;

import ebb.selfbench.process.Meter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** One side of an endless stream by the kernel's TCP, blocking, with direct buffers. */
final class TcpStream {
  private static final int CHUNK_BYTES = 1 << 18;

  private TcpStream() {}

  /** Arguments: address; the receiver's address and port, for the sender. */
  public static void main(String[] args) throws IOException {
    Meter meter = new Meter();
    if (args.length > 1) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(args[1], Integer.parseInt(args[2])));
      System.out.println("CONNECTED");
      start(() -> send(channel, meter));
    } else {
      ServerSocketChannel server =
          ServerSocketChannel.open().bind(new InetSocketAddress(args[0], 0));
      InetSocketAddress local = (InetSocketAddress) server.getLocalAddress();
      System.out.println("PORT " + local.getPort());
      start(() -> receive(server.accept(), meter));
    }
    meter.serve();
    Runtime.getRuntime().halt(0);
  }

  private static void send(SocketChannel channel, Meter meter) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    StreamPattern pattern = new StreamPattern();
    while (true) {
      pattern.fill(chunk);
      int taken = channel.write(chunk);
      pattern.advance(taken);
      meter.add(taken);
    }
  }

  private static void receive(SocketChannel channel, Meter meter) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    StreamPattern pattern = new StreamPattern();
    while (true) {
      chunk.clear();
      int n = channel.read(chunk);
      if (n < 0) {
        return;
      }
      chunk.flip();
      pattern.check(chunk);
      meter.add(n);
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException | IllegalStateException e) {
                // An end by the other side's is none of a measurement; a failure is seen by marks.
                System.out.println("FAILED " + e.getMessage());
              }
            },
            "tcp-stream");
    thread.setDaemon(true);
    thread.start();
  }
}
