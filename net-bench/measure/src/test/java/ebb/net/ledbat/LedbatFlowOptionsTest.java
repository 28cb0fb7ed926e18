package ebb.net.ledbat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.cli.EbbException;
import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import ebb.ledbat.config.LedbatConfig;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LedbatFlowOptionsTest {
  @CommandLine.Command
  private static final class Words {
    @CommandLine.Mixin LedbatFlowOptions options = new LedbatFlowOptions();
  }

  private static LedbatConfig config(String... words) {
    Words command = new Words();
    new CommandLine(command)
        .registerConverter(Micros.class, Micros::parse)
        .registerConverter(BitRate.class, BitRate::parse)
        .parseArgs(words);
    return command.options.incoming(command.options.sending.config());
  }

  @Test
  void whatComesInHasAControllerOfItsOwn() {
    LedbatConfig config =
        config(
            "--controller=dtl:4",
            "--receive-controller=scavenger",
            "--receive-target=20ms",
            "--receive-max-rate=8M");
    assertThat(config.controller()).isEqualTo("dtl:4");
    assertThat(config.receiveControllerFactory()).hasToString("scavenger");
    assertThat(config.receiveTargetDelayMicros()).isEqualTo(20_000);
    assertThat(config.receiveMaxRateBytesPerSecond()).isEqualTo(1_000_000);
    assertThat(config().receiveControllerFactory()).isNull();
  }

  @Test
  void aServerSendsByTheControllerThatItWasTold() {
    LedbatServerOptions options = new LedbatServerOptions();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("ledbat", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs("--controller=dtl:4");
    assertThat(options.config().controller()).isEqualTo("dtl:4");
    assertThat(options.config().accepting()).isTrue();
    assertThat(new LedbatServerOptions().config().controller()).isEqualTo("ledbat");
  }

  @Test
  void whatCannotBeIsRefusedInOneLine() {
    assertThatThrownBy(() -> config("--receive-target=20ms"))
        .isInstanceOf(EbbException.class)
        .hasMessage("--receive-target is for --receive-controller, which is not given");
    assertThatThrownBy(() -> config("--receive-controller=tcp"))
        .isInstanceOf(EbbException.class)
        .hasMessageStartingWith("unknown congestion controller \"tcp\"");
  }
}
