package ebb.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

final class LogSettingsTest {
  private static LoggerContext context() {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter()); // as its service provider does
    return context;
  }

  @Test
  void logbackFindsThem() {
    assertThat(ServiceLoader.load(Configurator.class))
        .hasSize(1)
        .allMatch(LogSettings.class::isInstance);
  }

  @Test
  void whatIsWorthAWarningIsALineWithItsStackTrace() {
    LoggerContext context = context();
    LogSettings settings = new LogSettings();
    assertThat(settings.configure(context))
        .isEqualTo(Configurator.ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
    var root = context.getLogger("ROOT");
    assertThat(root.getLevel()).isEqualTo(Level.WARN);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ((OutputStreamAppender<?>) root.getAppender("STDERR")).setOutputStream(bytes);

    context.getLogger("ebb.of.Someone").info("not worth a line");
    context.getLogger("se.sics.kompics.network.netty.Any").error("a stranger's doing");
    context.getLogger("ebb.of.Someone").warn("\u00e4rger", new IllegalStateException("a bug"));

    assertThat(bytes.toString(StandardCharsets.UTF_8).lines().toList())
        .satisfies(
            lines -> {
              assertThat(lines.get(0))
                  .matches(
                      "ebb: \\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARN  \\[.+] ebb\\.of\\.Someone: \u00e4rger");
              assertThat(lines.get(1)).isEqualTo("java.lang.IllegalStateException: a bug");
              assertThat(lines.get(2)).startsWith("\tat ebb.launcher.LogSettingsTest");
            });
    context.stop();
  }

  @Test
  void debuggingShowsNoTokens() {
    LoggerContext context = context();
    String before = System.setProperty(LogSettings.LEVEL, "DEBUG");
    try {
      new LogSettings().configure(context);
    } finally {
      if (before == null) {
        System.clearProperty(LogSettings.LEVEL);
      } else {
        System.setProperty(LogSettings.LEVEL, before);
      }
    }
    assertThat(context.getLogger("ebb.any").isDebugEnabled()).isTrue();
    assertThat(context.getLogger("org.apache.http.wire").isDebugEnabled()).isFalse();
    context.stop();
  }
}
