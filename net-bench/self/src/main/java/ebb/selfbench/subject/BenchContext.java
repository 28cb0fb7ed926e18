package ebb.selfbench.subject;

import ebb.selfbench.process.PeerPrograms;
import ebb.selfbench.process.VethLink;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a run offers its subjects: options, the programs of others, and a link between network
 * namespaces, which it owns.
 */
public final class BenchContext implements AutoCloseable {
  private final int datagramBytes;
  private final PeerPrograms peers;
  private final @Nullable Path directory;
  private final VethLink veth = new VethLink();

  /**
   * A run's.
   *
   * @param datagramBytes UDP payload size, 576 to 65507
   * @param directory where files of subjects go; null for where temporary files go
   */
  public BenchContext(int datagramBytes, PeerPrograms peers, @Nullable Path directory) {
    this.datagramBytes = datagramBytes;
    this.peers = peers;
    this.directory = directory;
  }

  /** UDP payload size. */
  public int datagramBytes() {
    return datagramBytes;
  }

  public PeerPrograms peers() {
    return peers;
  }

  /** Where files go; null for where temporary files go. */
  public @Nullable Path directory() {
    return directory;
  }

  public VethLink veth() {
    return veth;
  }

  /** Removes the link. */
  @Override
  public void close() {
    veth.close();
  }
}
