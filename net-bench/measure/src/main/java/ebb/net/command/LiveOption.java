package ebb.net.command;

import ebb.core.cli.Output;
import ebb.core.report.HtmlReport;
import ebb.ledbat.command.Addresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --live}, of the commands whose page can be looked at while they measure. */
final class LiveOption {
  @Option(
      names = "--live",
      paramLabel = "[ADDRESS:]PORT",
      description =
          "Serve the page of --plot by HTTP while the run goes on, on loopback unless an address is"
              + " given; 0 takes a free port.")
  @Nullable String live;

  /** What is shown, if anything. Closing it ends the serving. */
  static final class Shown implements AutoCloseable {
    private final @Nullable LivePage page;

    private Shown(@Nullable LivePage page) {
      this.page = page;
    }

    /** The run is over; its last page is made if somebody may look. */
    void over(Supplier<HtmlReport> last) throws InterruptedException {
      if (page != null) {
        page.over(last.get());
      }
    }

    @Override
    public void close() {
      if (page != null) {
        page.close();
      }
    }
  }

  /** Whether there is to be a page. */
  boolean wanted() {
    return live != null;
  }

  /** Begins to serve, if that was asked for, and says where. */
  Shown serve(Output output, Supplier<HtmlReport> maker) {
    if (live == null) {
      return new Shown(null);
    }
    LivePage page = LivePage.serve(address(live, 0), maker);
    output.note("Live: " + page.url());
    return new Shown(page);
  }

  /** Where to listen: {@code 9464} on loopback, {@code 0.0.0.0:9464} elsewhere. */
  static InetSocketAddress address(String text, int leastPort) {
    return text.indexOf(':') < 0
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), Addresses.port(text, leastPort))
        : Addresses.remote(text);
  }
}
