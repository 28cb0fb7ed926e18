package ebb.storage.fault;

import ebb.storage.gcs.FakeGcsServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The same account of runs on a server that Ebb's authors did not write. */
@Tag("fake-gcs")
class AccountOnFakeServerTest extends AccountContract {
  @TempDir static Path directory;
  private static FakeGcsServer server;

  @BeforeAll
  static void start() throws Exception {
    server = FakeGcsServer.start(directory);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected String service() {
    return server.url();
  }

  @Override
  protected boolean keepsLabelsAndResumes() {
    return false;
  }
}
