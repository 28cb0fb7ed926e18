package ebb.vm.gce;

import com.google.auth.Credentials;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.ImpersonatedCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who this process is to Google. Secrets stay inside the library's objects. */
final class Identity {
  private static final List<String> SCOPES =
      List.of("https://www.googleapis.com/auth/cloud-platform");
  private static final int TOKEN_SECONDS = 3_600;

  private Identity() {}

  /**
   * The credentials that the options ask for; null for none.
   *
   * @throws RequestFailedException NO_CREDENTIALS with what to do about it
   */
  static @Nullable Credentials of(ComputeOptions options) throws RequestFailedException {
    Path keyFile = options.keyFile();
    if (keyFile == null && options.impersonate() == null && options.endpoint() != null) {
      return null;
    }
    GoogleCredentials own = keyFile == null ? applicationDefault() : keyFile(keyFile);
    if (own.createScopedRequired()) {
      own = own.createScoped(SCOPES);
    }
    String actAs = options.impersonate();
    return actAs == null ? own : impersonated(own, actAs, options.endpoint());
  }

  /** Who the endpoint is, is also who is asked for the other's token: it is not for Google then. */
  private static Credentials impersonated(
      GoogleCredentials own, String actAs, @Nullable String endpoint) {
    ImpersonatedCredentials.Builder builder =
        ImpersonatedCredentials.newBuilder()
            .setSourceCredentials(own)
            .setTargetPrincipal(actAs)
            .setDelegates(List.of())
            .setScopes(SCOPES)
            .setLifetime(TOKEN_SECONDS);
    if (endpoint != null) {
      builder.setIamEndpointOverride(
          (endpoint.endsWith("/") ? endpoint : endpoint + "/")
              + "v1/projects/-/serviceAccounts/"
              + actAs
              + ":generateAccessToken");
    }
    return builder.build();
  }

  private static GoogleCredentials applicationDefault() throws RequestFailedException {
    try {
      return GoogleCredentials.getApplicationDefault();
    } catch (IOException e) {
      throw new RequestFailedException(
          FailureKind.NO_CREDENTIALS,
          "no Google credentials: run 'gcloud auth application-default login', or give --key-file"
              + " or set GOOGLE_APPLICATION_CREDENTIALS to a service account's key file",
          e);
    }
  }

  private static GoogleCredentials keyFile(Path file) throws RequestFailedException {
    try (InputStream in = Files.newInputStream(file)) {
      return ServiceAccountCredentials.fromStream(in);
    } catch (IOException | RuntimeException e) {
      // What the parser says may quote the file, and the file is a secret.
      String why = Files.isReadable(file) ? "it is no service account's key" : "it cannot be read";
      throw new RequestFailedException(
          FailureKind.NO_CREDENTIALS, "key file '" + file + "': " + why, null);
    }
  }
}
