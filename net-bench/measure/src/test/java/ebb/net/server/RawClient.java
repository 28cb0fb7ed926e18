package ebb.net.server;

import ebb.net.control.ControlCodec;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Ping;
import ebb.net.control.ControlMessage.Pong;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.Token;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** A control connection from an address of choice that says what it is told to say. */
final class RawClient implements AutoCloseable {
  private static final int WAIT_MILLIS = 60_000;

  private final Socket socket;
  private final DataInputStream in;

  RawClient(NetServer server, String from) throws IOException {
    socket =
        new Socket(
            server.localAddress().getAddress(),
            server.localAddress().getPort(),
            InetAddress.getByName(from),
            0);
    socket.setSoTimeout(WAIT_MILLIS);
    in = new DataInputStream(socket.getInputStream());
  }

  RawClient hello(Purpose purpose) throws IOException {
    return send(new Hello(ControlMessage.VERSION, purpose, Token.NONE));
  }

  RawClient send(ControlMessage message) throws IOException {
    socket.getOutputStream().write(ControlCodec.encode(message));
    return this;
  }

  /** The next message that is no report. */
  ControlMessage next() throws IOException {
    while (true) {
      byte[] body = new byte[in.readUnsignedShort()];
      in.readFully(body);
      ControlMessage message = ControlCodec.decode(body);
      if (!(message instanceof Counts counts) || counts.last()) {
        return message;
      }
    }
  }

  /** The server has heard all that was said before, and is still there. */
  void ping() throws IOException {
    send(new Ping(1));
    ControlMessage answer = next();
    if (!(answer instanceof Pong)) {
      throw new AssertionError("no pong but " + answer);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
