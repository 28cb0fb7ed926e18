package ebb.vm.gce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.vm.Specs;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.Fault;
import ebb.vm.demo.TestClock;
import ebb.vm.port.RequestId;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Who the client is to the service, and that nobody else learns it. */
class IdentityTest {
  @TempDir private Path directory;

  private final TestClock clock = new TestClock();
  private final ProviderCall call = ProviderCall.plain(clock);
  private DemoCompute fake;
  private String privateKey = "";

  @BeforeEach
  void start() throws Exception {
    fake = DemoCompute.start(clock);
  }

  @AfterEach
  void stop() {
    fake.close();
  }

  private Path keyFile() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2_048);
    privateKey =
        Base64.getEncoder().encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
    String pem = "-----BEGIN PRIVATE KEY-----\\n" + privateKey + "\\n-----END PRIVATE KEY-----\\n";
    return Files.writeString(
        directory.resolve("key.json"),
        """
        {"type": "service_account", "project_id": "ebb-demo", "private_key_id": "1",
         "private_key": "%s", "client_email": "ebb@ebb-demo.iam.gserviceaccount.com",
         "client_id": "1", "token_uri": "%stoken"}
        """
            .formatted(pem, fake.url()));
  }

  private ComputeOptions options() {
    return ComputeOptions.standard(DemoCompute.PROJECT, fake.url()).withPause(clock);
  }

  @Test
  void aServiceAccountsKeyFileIsExchangedForAToken() throws Exception {
    fake.wantToken(DemoCompute.TOKEN);
    try (Provider provider = new ComputeEngineProvider(options().withIdentity(keyFile(), null))) {
      assertThat(provider.zones(call)).hasSize(10);
    }
  }

  @Test
  void anotherServiceAccountIsImpersonated() throws Exception {
    fake.wantToken(DemoCompute.IMPERSONATED_TOKEN);
    ComputeOptions asAnother =
        options().withIdentity(keyFile(), "other@ebb-demo.iam.gserviceaccount.com");
    try (Provider provider = new ComputeEngineProvider(asAnother)) {
      assertThat(provider.zones(call)).hasSize(10);
    }
  }

  @Test
  void aKeyThatGoogleDoesNotAcceptIsSaidInOneLine() throws Exception {
    fake.fail("token", Fault.status(400));
    try (Provider provider = new ComputeEngineProvider(options().withIdentity(keyFile(), null))) {
      RequestFailedException e =
          catchThrowableOfType(RequestFailedException.class, () -> provider.zones(call));
      assertThat(e.kind()).isEqualTo(FailureKind.NO_CREDENTIALS);
      assertThat(e.line())
          .contains("does not accept the credentials")
          .doesNotContain("\n")
          .doesNotContain("assertion");
    }
  }

  @Test
  void withoutATokenTheServiceSaysWhatToDo() throws Exception {
    fake.wantToken(DemoCompute.TOKEN);
    try (Provider provider = new ComputeEngineProvider(options())) {
      assertThatThrownBy(() -> provider.zones(call))
          .hasMessageContaining("invalid authentication credentials")
          .hasMessageContaining("gcloud auth application-default login");
    }
  }

  @Test
  void aFileThatIsNoKeyIsNotQuoted() throws Exception {
    Path file = Files.writeString(directory.resolve("secret.json"), "{\"hunter2\": \"hunter3\"}");
    assertThatThrownBy(() -> new ComputeEngineProvider(options().withIdentity(file, null)))
        .hasMessageContaining("secret.json': it is no service account's key")
        .hasMessageNotContaining("hunter")
        .hasNoCause();
    Path none = directory.resolve("none.json");
    assertThatThrownBy(() -> new ComputeEngineProvider(options().withIdentity(none, null)))
        .hasMessageContaining("none.json': it cannot be read");
  }

  @Test
  void credentialsDoNotLeaveThisMachineInTheClear() throws Exception {
    Path key = keyFile();
    ComputeOptions clear = ComputeOptions.standard("p", "http://198.51.100.7/");
    assertThatThrownBy(() -> clear.withIdentity(key, null)).hasMessageContaining("https only");
    ComputeOptions safe = ComputeOptions.standard("p", "https://compute.example.org/");
    assertThat(safe.withIdentity(key, null).keyFile()).isEqualTo(key);
  }

  @Test
  void noSecretIsLoggedReportedOrSentAlong() throws Exception {
    fake.wantToken(DemoCompute.TOKEN);
    List<String> said = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            synchronized (said) {
              said.add(String.valueOf(record.getMessage()));
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    java.util.logging.Logger julRoot = LogManager.getLogManager().getLogger("");
    // All that Google's libraries and Ebb can log; Apache's own log of what is on the wire is shut
    // by the launcher.
    java.util.logging.Logger google = java.util.logging.Logger.getLogger("com.google");
    google.setLevel(java.util.logging.Level.ALL);
    julRoot.addHandler(handler);
    Logger root = (Logger) LoggerFactory.getLogger("com.google");
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    root.addAppender(appender);
    root.setLevel(Level.TRACE);
    ProviderCall watched =
        new ProviderCall(
            clock,
            () -> false,
            (step, text) -> {
              synchronized (said) {
                said.add(text);
              }
            });
    Path key = keyFile();
    try (Provider provider = new ComputeEngineProvider(options().withIdentity(key, null))) {
      said.add("the listener listens");
      fake.fail("instances.insert", Fault.status(503), new Fault.AnswerLost());
      provider.create(Specs.vm("a"), RequestId.fresh(), watched);
      fake.fail("instances.delete", Fault.refused(403, "forbidden", "no"));
      assertThatThrownBy(() -> provider.delete(Specs.vm("a").ref(), RequestId.fresh(), watched))
          .satisfies(e -> said.add(e.toString()));
      said.add(provider.describe());
      said.add(options().withIdentity(key, null).toString());
    } finally {
      julRoot.removeHandler(handler);
      google.setLevel(null);
      root.detachAppender(appender);
      root.setLevel(null);
    }
    appender.list.forEach(event -> said.add(event.getFormattedMessage()));
    said.addAll(fake.bodies());
    assertThat(said).hasSizeGreaterThan(4);
    assertThat(String.join("\n", said))
        .doesNotContain(DemoCompute.TOKEN)
        .doesNotContain(privateKey)
        .doesNotContain(privateKey.substring(200, 260))
        .doesNotContain("assertion=");
  }
}
