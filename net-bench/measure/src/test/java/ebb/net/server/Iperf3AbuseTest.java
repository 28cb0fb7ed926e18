package ebb.net.server;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.net.iperf.Iperf3Wire;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What strangers may say to a server in iperf3's words. */
final class Iperf3AbuseTest {
  private static final int WAIT_MILLIS = 60_000;
  private static final String DOWN_BY_UDP =
      "{\"udp\":true,\"reverse\":true,\"time\":5,\"parallel\":1,\"len\":1000,\"bandwidth\":1000000}";

  /** A control connection. */
  private record Client(Socket socket, DataInputStream in, DataOutputStream out)
      implements AutoCloseable {
    static Client connect(NetServer server, byte[] first) throws IOException {
      Socket socket =
          new Socket(server.localAddress().getAddress(), server.localAddress().getPort());
      socket.setSoTimeout(WAIT_MILLIS);
      Client client =
          new Client(
              socket,
              new DataInputStream(socket.getInputStream()),
              new DataOutputStream(socket.getOutputStream()));
      client.out.write(first);
      return client;
    }

    void parameters(int length, String json) throws IOException {
      assertThat(in.readByte()).isEqualTo((byte) Iperf3Wire.PARAM_EXCHANGE);
      out.writeInt(length);
      out.write(json.getBytes(StandardCharsets.UTF_8));
    }

    void isToldAnErrorAndLeft() throws IOException {
      assertThat(in.readByte()).isEqualTo((byte) Iperf3Wire.SERVER_ERROR);
      in.readInt();
      in.readInt();
      assertThat(in.read()).isEqualTo(-1);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void whatIsNoCookieGetsNoAnswer() throws Exception {
    try (NetServer server = LoopbackServer.start();
        Client web =
            Client.connect(
                server,
                "get / http/1.1 and more than a cookie has\r\n"
                    .getBytes(StandardCharsets.US_ASCII))) {
      assertThat(web.in.read()).isEqualTo(-1);
      assertThat(server.strangers()).isPositive();
      assertThat(server.sessions().size()).isZero();
    }
  }

  @Test
  void parametersThatCannotBeEndTheSession() throws Exception {
    try (NetServer server = LoopbackServer.start()) {
      for (String json : new String[] {"{", "{\"tcp\":true,\"time\":-1}", "[[[[[[[[["}) {
        try (Client client = Client.connect(server, Iperf3Wire.cookie())) {
          client.parameters(json.length(), json);
          client.isToldAnErrorAndLeft();
        }
      }
      try (Client client = Client.connect(server, Iperf3Wire.cookie())) {
        client.parameters(Integer.MAX_VALUE, "");
        client.isToldAnErrorAndLeft();
      }
    }
  }

  @Test
  void statesOutOfTurnEndTheSession() throws Exception {
    for (int state : new int[] {Iperf3Wire.TEST_END, Iperf3Wire.IPERF_DONE, 77}) {
      try (NetServer server = LoopbackServer.start();
          Client client = Client.connect(server, Iperf3Wire.cookie())) {
        client.parameters(DOWN_BY_UDP.length(), DOWN_BY_UDP);
        assertThat(client.in.readByte()).isEqualTo((byte) Iperf3Wire.CREATE_STREAMS);
        client.out.write(state);
        client.isToldAnErrorAndLeft();
      }
    }
  }

  @Test
  void aDatagramFromAnotherAddressThanTheControlConnectionsGetsNothing() throws Exception {
    byte[] ask = HexFormat.of().parseHex("39383736");
    try (NetServer server = LoopbackServer.start();
        Client client = Client.connect(server, Iperf3Wire.cookie());
        DatagramSocket stranger =
            new DatagramSocket(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0));
        DatagramSocket own =
            new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      client.parameters(DOWN_BY_UDP.length(), DOWN_BY_UDP);
      assertThat(client.in.readByte()).isEqualTo((byte) Iperf3Wire.CREATE_STREAMS);
      stranger.send(new DatagramPacket(ask, ask.length, server.localAddress()));
      own.setSoTimeout(WAIT_MILLIS);
      own.send(new DatagramPacket(ask, ask.length, server.localAddress()));
      DatagramPacket answer = new DatagramPacket(new byte[2_000], 2_000);
      own.receive(answer);
      assertThat(answer.getLength()).as("as long as the question").isEqualTo(ask.length);
      // It has answered both questions by now, in their order; the flow is the client's own.
      assertThat(client.in.readByte()).isEqualTo((byte) Iperf3Wire.TEST_START);
      own.receive(answer);
      assertThat(answer.getLength()).isEqualTo(1_000);
      assertThat(server.strangers()).isPositive();
      stranger.setSoTimeout(1);
      boolean heard = true;
      try {
        stranger.receive(answer);
      } catch (java.net.SocketTimeoutException nothing) {
        heard = false;
      }
      assertThat(heard).isFalse();
    }
  }
}
