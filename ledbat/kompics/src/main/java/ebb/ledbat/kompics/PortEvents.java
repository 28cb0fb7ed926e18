package ebb.ledbat.kompics;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.stream.StreamEvents;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** One stream's events as indications of {@link LedbatStreams}. */
record PortEvents(StreamTable table, long id, InetSocketAddress remote) implements StreamEvents {
  @Override
  public void onConnected() {
    table.connected(id, remote, this);
  }

  @Override
  public void onConnectFailed(CloseReason reason) {
    table.forget(id);
    table.indicate(new LedbatStreams.ConnectFailed(id, remote, reason));
  }

  @Override
  public void onWritten(long bytes) {
    table.indicate(new LedbatStreams.Written(id, bytes));
  }

  @Override
  public void onAcked(long totalBytes) {
    table.indicate(new LedbatStreams.Acked(id, totalBytes));
  }

  @Override
  public void onData(ByteBuffer bytes) {
    table.indicate(new LedbatStreams.Data(id, bytes.asReadOnlyBuffer()));
  }

  @Override
  public void onPeerFinished() {
    table.indicate(new LedbatStreams.PeerFinished(id));
  }

  @Override
  public void onClosed(CloseReason reason, ConnectionStats stats) {
    table.forget(id);
    table.indicate(new LedbatStreams.Closed(id, reason, stats));
  }
}
