package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LedbatConfigsTest {
  private static Config with(String setting) {
    return ConfigFactory.parseString(setting).withFallback(LedbatConfigs.load());
  }

  @Test
  void theReferenceFileSaysWhatTheCodeSays() {
    assertThat(LedbatConfigs.fromConfig(LedbatConfigs.load())).isEqualTo(LedbatConfig.defaults());
    assertThat(LedbatConfigs.messagesFromConfig(LedbatConfigs.load()))
        .isEqualTo(MessageConfig.defaults());
  }

  @Test
  void theReferenceFileNamesEveryControllerAsHelpTextsDo() throws IOException {
    String text;
    try (InputStream in = LedbatConfigs.class.getResourceAsStream("/reference.conf")) {
      text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    for (ControllerFactory factory : CongestionControllers.all()) {
      assertThat(text).contains("  # " + factory.name() + ": " + factory.description() + "\n");
    }
  }

  @Test
  void aControllerIsChosenByNameAlsoOneOfTheCallersOwn() {
    Config mine = with("ebb.ledbat.controller = mine");
    assertThatThrownBy(() -> LedbatConfigs.fromConfig(mine))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown congestion controller \"mine\"; there is ledbat, ledbat++, dtl, scavenger");
    ControllerFactory own =
        ControllerFactory.of("mine", "the caller's", 50_000, (parameters, mss) -> null);
    LedbatConfig config = LedbatConfigs.fromConfig(mine, CongestionControllers.and(own));
    assertThat(config.controllerFactory()).isSameAs(own);
    assertThat(config.parameters().targetDelayMicros()).isEqualTo(50_000);
    assertThat(LedbatConfigs.fromConfig(with("ebb.ledbat.controller = \"dtl:4\"")).controller())
        .isEqualTo("dtl:4");
  }

  @Test
  void aSettingReplacesItsDefault() {
    assertThat(LedbatConfigs.fromConfig(with("ebb.ledbat.target-delay = 25ms")).targetDelayMicros())
        .isEqualTo(25_000);
    assertThat(
            LedbatConfigs.messagesFromConfig(with("ebb.ledbat.messages.max-message = 16MiB"))
                .maxMessageBytes())
        .isEqualTo(16 << 20);
  }

  @Test
  void whatIsOutOfRangeOrNoNumberIsRefusedInOneLine() {
    assertThatThrownBy(() -> LedbatConfigs.fromConfig(with("ebb.ledbat.target-delay = 101ms")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("targetDelayMicros must be between 0 and 100000: 101000");
    assertThatThrownBy(() -> LedbatConfigs.fromConfig(with("ebb.ledbat.gain = steep")))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains("gain")
        .doesNotContain("\n");
    assertThatThrownBy(
            () -> LedbatConfigs.messagesFromConfig(with("ebb.ledbat.messages.max-message = 3GiB")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max-message is too large: 3221225472");
  }
}
