package org.example.streams;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A server that sends back what it gets, and a client that counts it. */
public final class Echo {
  private Echo() {}

  /** Serves one stream to its end. */
  public static void serve(StreamSocket socket) throws IOException, InterruptedException {
    BlockingStream peer = socket.accept();
    for (ByteBuffer bytes = peer.read(); bytes != null; bytes = peer.read()) {
      peer.write(bytes, () -> {});
    }
    peer.finish();
  }

  /** Sends that many bytes and returns how many came back. */
  public static long ask(StreamSocket socket, InetSocketAddress server, int bytes)
      throws IOException, InterruptedException {
    BlockingStream stream = socket.connect(server);
    stream.write(ByteBuffer.allocate(bytes), () -> {});
    stream.finish();
    long back = 0;
    for (ByteBuffer part = stream.read(); part != null; part = stream.read()) {
      back += part.remaining();
    }
    return back;
  }

  /** Both in one process, over loopback. */
  public static void main(String[] args) throws IOException, InterruptedException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (StreamSocket server = StreamSocket.bind(anyPort, LedbatConfig.defaults());
        StreamSocket client = StreamSocket.bind(anyPort, LedbatConfig.defaults())) {
      Thread serving =
          new Thread(
              () -> {
                try {
                  serve(server);
                } catch (IOException | InterruptedException e) {
                  System.err.println("server: " + e.getMessage());
                }
              });
      serving.start();
      System.out.println(ask(client, server.local(), 1_000_000) + " bytes came back");
      serving.join();
    }
  }
}
