package ebb.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.handler.ssl.SslHandler;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JDK's TLS over a background connection: the handshake and every byte pass, and what is
 * steered and counted is the TCP below, records and all.
 */
final class TlsAboveTest {
  private static final int AMOUNT = 4 << 20;

  /** {@link Loopback#bytes} goes on where such a piece ends. */
  private static final int PIECE = 256 << 10;

  private static final int LONG_SECONDS = Loopback.LONG_SECONDS;

  /** Of a record of 16 KiB by AES-GCM, TLS 1.3: its header, its type and its tag. */
  private static final int RECORD_BYTES = 16_384;

  private static final int RECORD_EXTRA_BYTES = 5 + 1 + 16;

  private static SSLContext tls;

  private final BackgroundGroup group = new BackgroundGroup();
  private Loopback loopback;

  /** A key and a certificate that the other end trusts. */
  @BeforeAll
  static void makeKey(@TempDir Path temp) throws Exception {
    Path file = temp.resolve("keys");
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process made =
        new ProcessBuilder(
                (tool
                        + " -genkeypair -alias a -keyalg EC -groupname secp256r1 -dname CN=localhost"
                        + " -ext san=dns:localhost -storetype PKCS12 -storepass secret -keystore "
                        + file)
                    .split(" "))
            .redirectErrorStream(true)
            .start();
    String said = new String(made.getInputStream().readAllBytes());
    assertThat(made.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, "secret".toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, "secret".toCharArray());
    KeyStore others = KeyStore.getInstance("PKCS12");
    others.load(null, null);
    others.setCertificateEntry("a", keys.getCertificate("a"));
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(others);
    tls = SSLContext.getInstance("TLSv1.3");
    tls.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
  }

  @AfterEach
  void stop() {
    loopback.close();
  }

  private Loopback.Pair connect(boolean epoll) throws InterruptedException {
    loopback = new Loopback(epoll);
    Loopback.Pair pair =
        loopback.connect(
            BackgroundOptions.in(group),
            channel -> addTls(channel, true),
            channel -> addTls(channel, false));
    SslHandler client = pair.client().pipeline().get(SslHandler.class);
    assertThat(client.handshakeFuture().await(LONG_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(client.engine().getSession().getProtocol()).isEqualTo("TLSv1.3");
    return pair;
  }

  private static void addTls(Channel channel, boolean client) {
    SSLEngine engine = tls.createSSLEngine("localhost", 1);
    engine.setUseClientMode(client);
    channel.pipeline().addLast(new SslHandler(engine));
  }

  private static void download(Loopback.Pair pair, int amount) throws Exception {
    pair.server().writeAndFlush(Loopback.bytes(amount)).sync();
    pair.server().close().sync();
    assertThat(pair.sink().ended().get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(amount);
  }

  private static long withRecords(long amount) {
    return amount + amount / RECORD_BYTES * RECORD_EXTRA_BYTES;
  }

  @Test
  void aDownloadIsWholeAndItsTcpIsSteeredByTheWindow() throws Exception {
    assumeTrue(Epoll.isAvailable());
    Loopback.Pair pair = connect(true);
    long sent = 0;
    while (sent < AMOUNT || pair.background().incoming().windowBytes() == 0) {
      pair.server().writeAndFlush(Loopback.bytes(PIECE)).sync();
      sent += PIECE;
    }
    BackgroundStats below = pair.background().incoming();
    assertThat(below.way()).isEqualTo(SteeringWay.WINDOW_CLAMP);
    assertThat(below.baseRttMicros()).isPositive();
    pair.server().close().sync();
    assertThat(pair.sink().ended().get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(sent);
    assertThat(pair.background().incoming().bytes()).isGreaterThanOrEqualTo(withRecords(sent));
  }

  @Test
  void anUploadIsWholeAndItsTcpIsSteeredByTheBytesInFlight() throws Exception {
    assumeTrue(Epoll.isAvailable());
    Loopback.Pair pair = connect(true);
    Loopback.Sink far = pair.sinkAtServer();
    assertThat(
            pair.client()
                .writeAndFlush(Loopback.bytes(AMOUNT))
                .await(LONG_SECONDS, TimeUnit.SECONDS))
        .isTrue();
    pair.client().close().sync();
    assertThat(far.ended().get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(AMOUNT);
    BackgroundStats below = pair.background().outgoing();
    assertThat(below.way()).isEqualTo(SteeringWay.WRITE_WINDOW);
    assertThat(below.bytes()).isGreaterThanOrEqualTo(withRecords(AMOUNT));
  }

  /** TLS asks for reads of its own, for a record that is not whole: they wait like all others. */
  @Test
  void aLimitHoldsBelow() throws Exception {
    assumeTrue(Epoll.isAvailable());
    group.setIncomingLimit(AMOUNT);
    Loopback.Pair pair = connect(true);
    long began = System.nanoTime();
    download(pair, 2 * AMOUNT);
    // What may come at once, and what one turn of the loop reads, is less than AMOUNT.
    assertThat((System.nanoTime() - began) / 1e9).isGreaterThan(1);
  }

  @Test
  void aDownloadThatIsReadAtARateIsWhole() throws Exception {
    Loopback.Pair pair = connect(false);
    download(pair, 100_000);
    assertThat(pair.background().incoming().way()).isEqualTo(SteeringWay.READ_RATE);
  }
}
