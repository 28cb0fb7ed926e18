package ebb.vm.gce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.attempts.RetryPolicy;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.TestClock;
import ebb.vm.port.AccountSpec;
import ebb.vm.port.RunLabels;
import ebb.vm.provider.ProviderCall;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run's own account has one right, is found again by anybody, and goes with that right. */
class ServiceAccountsTest {
  private static final RunLabels LABELS =
      new RunLabels("me", "small-0000ff", Instant.ofEpochSecond(1_800_000_000));
  private static final AccountSpec SPEC =
      new AccountSpec(
          AccountSpec.emailOf("small-0000ff", DemoCompute.PROJECT), LABELS, "my-bucket");

  private final TestClock clock = new TestClock();
  private DemoCompute fake;
  private ComputeEngineProvider provider;

  @BeforeEach
  void start() throws Exception {
    fake = DemoCompute.start(clock);
    provider =
        new ComputeEngineProvider(
            ComputeOptions.standard(DemoCompute.PROJECT, fake.url())
                .withStorage(fake.url())
                .withPolicy(RetryPolicy.of(2))
                .withPause(clock));
  }

  @AfterEach
  void stop() {
    provider.close();
    fake.close();
  }

  private ProviderCall call() {
    return ProviderCall.plain(clock);
  }

  private String policy() throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(fake.url() + "storage/v1/b/my-bucket/iam")).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void itIsLetIntoItsBucketOnlyAndNothingOfOthersChanges() throws Exception {
    String before = policy();
    assertThat(before).contains(DemoCompute.ACCOUNT);
    provider.createAccount(SPEC, call());
    assertThat(fake.accounts()).containsExactly(SPEC.email());
    assertThat(policy())
        .contains(DemoCompute.ACCOUNT)
        .containsOnlyOnce("serviceAccount:" + SPEC.email());
    // Whoever goes on with the run asks for the same again.
    provider.createAccount(SPEC, call());
    assertThat(policy()).containsOnlyOnce("serviceAccount:" + SPEC.email());
    assertThat(provider.listAccounts(null, call())).containsExactly(SPEC);
    assertThat(provider.listAccounts("other", call())).isEmpty();
    provider.deleteAccount(SPEC, call());
    assertThat(policy()).isEqualTo(before);
    assertThat(fake.accounts()).isEmpty();
    assertThat(provider.listAccounts(null, call())).isEmpty();
  }

  @Test
  void anotherRunsAccountIsNotTaken() throws Exception {
    provider.createAccount(SPEC, call());
    AccountSpec other =
        new AccountSpec(
            SPEC.email(), new RunLabels("you", "small-0000ff", LABELS.expires()), "my-bucket");
    assertThatThrownBy(() -> provider.createAccount(other, call()))
        .isInstanceOfSatisfying(
            RequestFailedException.class,
            e -> assertThat(e.kind()).isEqualTo(FailureKind.ALREADY_EXISTS));
  }

  @Test
  void whatTheServiceRefusesIsSaid() throws Exception {
    fake.refuse("/b/my-bucket/iam", 403, "you may not");
    assertThatThrownBy(() -> provider.createAccount(SPEC, call()))
        .hasMessageContaining("the policy of gs://my-bucket: you may not");
    assertThatThrownBy(() -> provider.deleteAccount(SPEC, call()))
        .hasMessageContaining("you may not");
    fake.refuse("/b/my-bucket/iam", 404, "The specified bucket does not exist.");
    // Rights in a bucket that is gone are gone.
    provider.deleteAccount(SPEC, call());
    assertThat(fake.accounts()).isEmpty();
  }

  @Test
  void namesFitTheService() {
    assertThat(AccountSpec.emailOf("small-0000ff", "example.com:mine"))
        .matches("ebb-[0-9a-f]{20}@mine.example.com.iam.gserviceaccount.com")
        .isEqualTo(AccountSpec.emailOf("small-0000ff", "example.com:mine"))
        .isNotEqualTo(AccountSpec.emailOf("small-0000fe", "example.com:mine"));
    assertThatThrownBy(() -> new AccountSpec("me@x", LABELS, null))
        .hasMessageContaining("6 to 30 characters");
  }
}
