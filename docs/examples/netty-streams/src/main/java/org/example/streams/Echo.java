package org.example.streams;

import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamSocket;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;

/** A server that sends back what it gets, and a client that counts it, over loopback. */
public final class Echo {
  private Echo() {}

  private static void serve(StreamSocket socket) {
    try {
      BlockingStream peer = socket.accept();
      for (ByteBuffer bytes = peer.read(); bytes != null; bytes = peer.read()) {
        peer.write(bytes);
      }
      peer.finish();
    } catch (IOException | InterruptedException e) {
      System.err.println("server: " + e.getMessage());
    }
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var server = StreamSocket.bind(anyPort);
        var client = StreamSocket.bind(anyPort)) {
      new Thread(() -> serve(server)).start();
      BlockingStream stream = client.connect(server.local());
      stream.write(ByteBuffer.allocate(1_000_000));
      stream.finish();
      long back = stream.receiveTo(Channels.newChannel(OutputStream.nullOutputStream()));
      System.out.println(back + " bytes came back");
    }
  }
}
