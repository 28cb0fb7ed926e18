package ebb.storage.fault;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Fault;
import ebb.storage.demo.Fault.At;
import ebb.storage.demo.Fault.Kind;
import ebb.storage.demo.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The account of runs on the demo store. */
class AccountTest extends AccountContract {
  private static DemoServer server;

  @BeforeAll
  static void start() throws Exception {
    server = DemoServer.start(Shape.none());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected String service() {
    return server.url();
  }

  /** The demo's own faults of content, as users can ask for them. */
  @Test
  void wrongContentIsToldAsOftenAsItCame() throws Exception {
    for (Fault fault :
        List.of(Fault.once(Kind.CORRUPT, At.GET), new Fault(Kind.CORRUPT, At.PUT, 1, 1))) {
      try (DemoServer demo = DemoServer.start(Shape.none())) {
        demo.faults().add(fault);
        ResultRecord record = run(demo.url(), RESUMABLE_BYTES, new ArrayList<>());
        assertThat(inRecord(record).values())
            .as("%s", fault)
            .extracting(Told::troubles)
            .containsOnlyOnce(1L)
            .containsOnly(0L, 1L);
      }
    }
  }
}
