package ebb.ledbat.kompics.embed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@link Costs} says, as far as a machine with other work can be held to it: memory. */
@Tag("soak")
@Timeout(600)
class CostsSoakTest {
  private static final int CONNECTIONS = 10_000;

  private static Process costs(String... args) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx400m", "-XX:MaxDirectMemorySize=64m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Costs.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  @Test
  void tenThousandQuietConnectionsWithControlAndBudgetFitIn512Mebibytes() throws Exception {
    String port = "" + Embedded.free("127.0.0.1").getPort();
    Process node = costs("quiet", port, "" + CONNECTIONS, "10");
    Process load = costs("load", port, "" + CONNECTIONS);
    try {
      String line = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      System.out.println("what control and budget cost: " + line.strip());
      assertThat(node.waitFor()).as(line).isZero();
      Map<String, Double> figures =
          Arrays.stream(line.strip().split("\\s+"))
              .map(word -> word.split("="))
              .collect(Collectors.toMap(pair -> pair[0], pair -> Double.valueOf(pair[1])));
      assertThat(figures.get("connections")).isEqualTo(CONNECTIONS);
      assertThat(figures.get("residentMiB")).isBetween(1.0, 512.0);
      assertThat(figures.get("samples")).isPositive();
    } finally {
      node.destroyForcibly();
      load.destroyForcibly();
    }
  }
}
