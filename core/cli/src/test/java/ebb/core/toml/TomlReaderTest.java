package ebb.core.toml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.BitRate;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TomlReaderTest {
  private static final Path FILE = Path.of("a.toml");

  private static TomlReader toml(String text) {
    return TomlReader.parse(FILE, text, "the file");
  }

  private static void refused(String message, String text, Consumer<TomlReader> reading) {
    assertThatExceptionOfType(EbbException.class)
        .isThrownBy(() -> reading.accept(toml(text)))
        .withMessageContaining(message)
        .withMessageNotContaining("\n")
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
  }

  @Test
  void valuesHaveTheirUnits() {
    TomlReader toml = toml("time = '1.5s'\nrate = '20M'\nsize = '64Ki'\nloss = 0.25\n");
    assertThat(toml.micros("time")).isEqualTo(new Micros(1_500_000));
    assertThat(toml.bitRate("rate", new BitRate(1))).isEqualTo(new BitRate(20_000_000));
    assertThat(toml.byteSize("size")).isEqualTo(new ByteSize(65_536));
    assertThat(toml.fraction("loss")).isEqualTo(0.25);
    assertThat(toml.micros("none", new Micros(7))).isEqualTo(new Micros(7));
    assertThat(toml.byteSize("none")).isNull();
    refused(
        "a.toml:1:1: 'time': '3 parsecs' is not a time",
        "time = '3 parsecs'",
        t -> t.micros("time"));
  }

  @Test
  void anUnknownKeyIsRefusedWithTheOneThatWasMeant() {
    Set<String> keys = Set.of("count", "zone", "machine-type");
    refused(
        "a.toml:1:1: the file has an unknown key 'cuont'; did you mean 'count'?",
        "cuont = 1",
        t -> t.only(keys));
    refused(
        "a.toml:2:1: the file has an unknown key 'machinetype'; did you mean 'machine-type'?",
        "zone = 'a'\nmachinetype = 'b'",
        t -> t.only(keys));
    refused(
        "unknown key 'colour'; there are count, machine-type, zone",
        "colour = 'red'",
        t -> t.only(keys));
    toml("count = 1\nzone = 'a'").only(keys);
  }

  @Test
  void whatIsMissingIsSaidWhereItsTableBegins() {
    refused(
        "a.toml:2:1: [[vm]] has no 'name'",
        "a = 1\n[[vm]]\nb = 1",
        t -> t.tables("vm").get(0).required("name"));
    refused("a.toml:1:1: the file has no 'name'", "a = 1", t -> t.required("name"));
  }

  @Test
  void textsAreWordsOfOneLine() {
    refused("a.toml:1:1: 'name' is empty", "name = ' '", t -> t.text("name"));
    refused("'name' has control characters", "name = \"a\\u001bb\"", t -> t.text("name"));
    refused("'name' has to be a text in quotes", "name = 1", t -> t.text("name"));
  }

  @Test
  void aFileThatCannotBeReadIsNamed(@TempDir Path dir) throws Exception {
    Path none = dir.resolve("none.toml");
    assertThatExceptionOfType(EbbException.class)
        .isThrownBy(() -> TomlReader.read(none, "the file"))
        .withMessage("cannot read '" + none + "': no such file or directory");
    Path large = Files.writeString(dir.resolve("large.toml"), "#".repeat((1 << 20) + 1));
    assertThatExceptionOfType(EbbException.class)
        .isThrownBy(() -> TomlReader.read(large, "the file"))
        .withMessageContaining("larger than 1 MiB");
    refused("a.toml:1:", "[[host\n", t -> {});
  }
}
