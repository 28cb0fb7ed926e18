package ebb.interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Keeps a short conversation, datagram by datagram, and writes it as a test vector for the ordinary
 * tests of the ledbat module, which replay it without the peer.
 */
final class VectorRecorder implements RelayTap {
  /** What each side says: short, so that a whole conversation is a page. */
  static final long BYTES = 40;

  private static final int MAX_DATAGRAMS = 200;

  private final boolean ebbOpens;
  private final List<String> lines = new ArrayList<>();
  private long firstNanos;
  private int firstId;
  private boolean over;

  VectorRecorder(boolean ebbOpens) {
    this.ebbOpens = ebbOpens;
  }

  /** The conversations: both ways at once, each side opens and each side closes first. */
  static List<Cell> conversations() {
    List<Cell> cells = new ArrayList<>();
    for (boolean ebbOpens : new boolean[] {true, false}) {
      for (boolean ebbCloses : new boolean[] {true, false}) {
        cells.add(
            new Cell(
                cells.size(), ebbOpens, Cell.Flow.BOTH, Cell.Condition.CLEAN, ebbCloses, BYTES));
      }
    }
    return cells;
  }

  @Override
  public synchronized void onDatagram(boolean fromInitiator, ByteBuffer datagram, long nowNanos) {
    int id = datagram.getShort(datagram.position() + 2);
    boolean syn = datagram.get(datagram.position()) >> 4 == 4;
    if (lines.isEmpty()) {
      firstNanos = nowNanos;
      firstId = id;
    }
    over |= syn && id != firstId; // The peer came back: another conversation.
    if (!over && lines.size() < MAX_DATAGRAMS) {
      byte[] bytes = new byte[datagram.remaining()];
      datagram.get(datagram.position(), bytes);
      lines.add(
          (fromInitiator == ebbOpens ? "ebb " : "peer ")
              + (nowNanos - firstNanos) / 1_000
              + " "
              + HexFormat.of().formatHex(bytes));
    }
  }

  synchronized void write(Path directory, PeerProgram peer, Cell cell) throws IOException {
    Files.createDirectories(directory);
    String name =
        peer.name()
            + (cell.ebbOpens() ? "-accepts" : "-opens")
            + (cell.ebbClosesFirst() ? "-closes-second" : "-closes-first")
            + ".hex";
    List<String> text = new ArrayList<>();
    text.add("# A conversation of Ebb with a uTP program of others, recorded by the run with");
    text.add(
        peer.name().equals("libtorrent")
            ? "# -Pinterop -Dinterop.record=true. Both say BitTorrent's handshake, both close."
            : "# -Pinterop -Dinterop.record=true. The opener greets, each sends "
                + BYTES
                + " bytes, both close.");
    text.add("# peer: " + peer.name() + " " + peer.version());
    text.add("# opens: " + (cell.ebbOpens() ? "ebb" : "peer"));
    text.add("# closes first: " + cell.closes());
    text.add("# sender, microseconds since the first datagram, datagram");
    text.addAll(lines);
    Files.write(directory.resolve(name), text);
  }
}
