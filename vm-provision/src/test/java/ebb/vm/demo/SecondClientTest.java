package ebb.vm.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ebb.core.time.SleepClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that Ebb did not write find the fake in order, too: Google's for Python, and libcloud.
 * EBB_PYTHON names a Python that has them, such as a virtual environment's; else it is {@code
 * python3}.
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
    try (DemoCompute fake = DemoCompute.start(new TestClock())) {
      fake.pageSize(1);
      lifeCycle("google-api-python-client", "googleapiclient.discovery", "life_cycle.py", fake);
    }
  }

  @Test
  void libcloudsDriverRunsTheSameLifeCycle() throws Exception {
    // It asks again and again for operations, and does not wait as that clock wants it.
    try (DemoCompute fake = DemoCompute.start(SleepClock.system())) {
      fake.operationTime(Duration.ofMillis(100));
      lifeCycle("apache-libcloud", "libcloud.compute.drivers.gce", "life_cycle_libcloud.py", fake);
    }
  }

  private void lifeCycle(String name, String module, String file, DemoCompute fake)
      throws Exception {
    Path output = directory.resolve("output.txt");
    boolean there = run(output, List.of(python(), "-c", "import " + module)) == 0;
    if (!there) {
      System.out.println(
          "skipped: the life cycle by "
              + name
              + " because it is not installed (pip install "
              + name
              + ", and name that Python in EBB_PYTHON)");
    }
    assumeTrue(there, "no " + name);
    Path script = directory.resolve(file);
    try (InputStream in = getClass().getResourceAsStream(file)) {
      Files.copy(Objects.requireNonNull(in), script);
    }
    int code = run(output, List.of(python(), script.toString(), fake.url(), directory.toString()));
    assertThat(Files.readString(output)).contains("life cycle done");
    assertThat(code).isZero();
    assertThat(fake.ownMistakes()).isEmpty();
    assertThat(fake.instanceCount() + fake.diskCount() + fake.firewallCount()).isZero();
  }
}
