package ebb.vm.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that Ebb did not write finds the fake in order, too: Google's for Python. EBB_PYTHON
 * names a Python that has it, such as a virtual environment's; else it is {@code python3}.
 */
@Tag("second-client")
class SecondClientTest {
  private static final long BOUND_SECONDS = 300;

  @TempDir private Path directory;

  private static String python() {
    return System.getenv().getOrDefault("EBB_PYTHON", "python3");
  }

  private int run(Path output, List<String> command) throws Exception {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
    } catch (IOException noPython) {
      return -1;
    }
    if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return process.waitFor();
  }

  @Test
  void googlesPythonClientRunsTheSameLifeCycle() throws Exception {
    Path output = directory.resolve("output.txt");
    boolean there = run(output, List.of(python(), "-c", "import googleapiclient.discovery")) == 0;
    if (!there) {
      System.out.println(
          "skipped: the life cycle by Google's Python client because it is not installed"
              + " (pip install google-api-python-client, and name that Python in EBB_PYTHON)");
    }
    assumeTrue(there, "no google-api-python-client");
    Path script = directory.resolve("life_cycle.py");
    try (InputStream in = getClass().getResourceAsStream("life_cycle.py")) {
      Files.copy(Objects.requireNonNull(in), script);
    }
    try (DemoCompute fake = DemoCompute.start(new TestClock())) {
      fake.pageSize(1);
      int code = run(output, List.of(python(), script.toString(), fake.url()));
      assertThat(Files.readString(output)).contains("life cycle done");
      assertThat(code).isZero();
      assertThat(fake.ownMistakes()).isEmpty();
      assertThat(fake.instanceCount() + fake.diskCount() + fake.firewallCount()).isZero();
    }
  }
}
