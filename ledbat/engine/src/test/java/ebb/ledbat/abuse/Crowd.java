package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import java.util.ArrayList;
import java.util.List;

/** What was accepted where places are few, and what of that was closed, for want of a place. */
final class Crowd implements EndpointListener {
  final List<LedbatConnection> accepted = new ArrayList<>();
  final List<LedbatConnection> closed = new ArrayList<>();

  @Override
  public void onAccepted(LedbatConnection connection) {
    accepted.add(connection);
    connection.setListener(
        new ConnectionListener() {
          @Override
          public void onClosed(LedbatConnection which, CloseReason reason) {
            assertThat(reason).isEqualTo(CloseReason.NO_RESOURCES);
            closed.add(which);
          }
        });
  }
}
