package ebb.net.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.net.matrix.Inventory.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InventoryTest {
  @TempDir Path dir;

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("hosts.toml"), text);
  }

  @Test
  void aHostHasANameAndAddresses() throws Exception {
    Inventory inventory =
        Inventory.read(
            file(
                """
                [[host]]
                name = "eu-a"
                internal = "10.0.0.2"
                external = "203.0.113.9"
                zone = "europe-west4-a"
                region = "europe-west4"
                port = 7000

                [[host]]
                name = "us-a"
                external = "2001:db8::1"
                """));
    assertThat(inventory.hosts())
        .containsExactly(
            new Host("eu-a", "10.0.0.2", "203.0.113.9", "europe-west4-a", "europe-west4", 7000),
            new Host("us-a", null, "2001:db8::1", null, null, null));
    assertThat(inventory.hosts().get(1).address("internal")).isNull();
    assertThat(inventory.hosts().get(1).address("external")).isEqualTo("2001:db8::1");
  }

  private void refused(String words, String text) throws IOException {
    Path file = file(text);
    assertThatExceptionOfType(EbbException.class)
        .isThrownBy(() -> Inventory.read(file))
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .withMessageContaining(words)
        .withMessageNotContaining("\n");
  }

  @Test
  void whatCannotBeIsNamedWithItsLineAndColumn() throws Exception {
    refused(
        "hosts.toml:2:1: [[host]] has an unknown key 'nam'; did you mean 'name'?",
        "[[host]]\nnam = \"a\"\n");
    refused("hosts.toml:1:1: an inventory has an unknown key 'vm'", "[[vm]]\nname = \"a\"\n");
    refused("hosts.toml:1:1: [[host]] has no 'name'", "[[host]]\ninternal = \"10.0.0.1\"\n");
    refused("neither an 'internal' nor an 'external'", "[[host]]\nname = \"a\"\n");
    String host = "[[host]]\nname='a'\ninternal='x'\n";
    refused("hosts.toml:4:1: there are two hosts with the name 'a'", host + host);
    refused("'port' has to be 1 to 65535, not 0", "[[host]]\nname='a'\ninternal='x'\nport=0\n");
    refused("'port' has to be a whole number", "[[host]]\nname='a'\ninternal='x'\nport='7000'\n");
    refused("'name' has to be a text", "[[host]]\nname=7\n");
    refused("'internal' is empty", "[[host]]\nname='a'\ninternal=' '\n");
    refused("a [[host]] for each host", "");
    refused("hosts.toml:1:", "[[host\n");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatExceptionOfType(EbbException.class)
        .isThrownBy(() -> Inventory.read(dir.resolve("none.toml")))
        .withMessageContaining("none.toml': no such file");
  }
}
