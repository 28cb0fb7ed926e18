package ebb.launcher;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What is logged, and how: to standard error, for standard output belongs to results. logback finds
 * this by its service. A file of XML would say the same, and reading one takes longer than all else
 * that {@code ebb ledbat send} does before it connects.
 */
public final class LogSettings extends ContextAwareBase implements Configurator {
  /** Set by {@link Main}: DEBUG with the option debug or with EBB_DEBUG, else WARN. */
  static final String LEVEL = "EBB_LOG_LEVEL";

  private static final String PATTERN =
      "ebb: %d{HH:mm:ss.SSS} %-5level [%thread] %logger{24}: %msg%n";

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty("logback.configurationFile") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY; // whoever asks for a file of their own
    }
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(new LateLayout(context));
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("STDERR");
    appender.setTarget(ConsoleTarget.SystemErr.getName());
    appender.setEncoder(encoder);
    appender.start();
    // Complain about machines without a loopback interface, which is no concern of ours.
    context.getLogger("io.netty.util.NetUtilInitializations").setLevel(Level.ERROR);
    context.getLogger("io.netty.util.internal.MacAddressUtil").setLevel(Level.ERROR);
    // Kompics' TCP logs a stack trace for whatever a stranger sends it; docs/kompics.md.
    context.getLogger("se.sics.kompics.network.netty").setLevel(Level.OFF);
    // Shows requests with their headers when debugging, and so the tokens of cloud services.
    context.getLogger("org.apache.http").setLevel(Level.WARN);
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(System.getProperty(LEVEL), Level.WARN));
    root.addAppender(appender);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Reads the pattern when something is logged, which in most runs is never. */
  private static final class LateLayout extends LayoutBase<ILoggingEvent> {
    private @Nullable PatternLayout layout;

    LateLayout(LoggerContext context) {
      setContext(context);
      start();
    }

    @Override
    public synchronized String doLayout(ILoggingEvent event) {
      PatternLayout made = layout;
      if (made == null) {
        made = new PatternLayout();
        made.setContext(getContext());
        made.setPattern(PATTERN);
        made.start();
        layout = made;
      }
      return made.doLayout(event);
    }
  }
}
