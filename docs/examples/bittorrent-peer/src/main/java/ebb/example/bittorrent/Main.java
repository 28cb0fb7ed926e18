package ebb.example.bittorrent;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.kompics.LedbatConfigs;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Kompics;
import se.sics.kompics.KompicsEvent;

/** The peer as a command; the usage is in {@link #USAGE}. */
public final class Main {
  static final String USAGE =
      """
      usage: make-torrent FILE TORRENT
             seed TORRENT FILE [--listen HOST:PORT] [--peer HOST:PORT]...
             download TORRENT FILE [--listen HOST:PORT] [--peer HOST:PORT]...
      seed serves until it is interrupted, download until it has everything, and then for 5 s more whom
      it serves. Peers that are named are connected to again when they are gone.
      Without --listen it is any free port of 127.0.0.1.
      """;

  private static final int PIECE_BYTES = 256 << 10;
  private static final int WORKERS = 2;

  private static final long STAY_MILLIS = 5_000;
  private static final long FIRST_RETRY_MILLIS = 1_000;
  private static final long LONGEST_RETRY_MILLIS = 60_000;

  /** So often in a row a download tries a peer in vain. */
  private static final int MAX_TRIES = 5;

  private final PrintStream out;
  private final PrintStream err;
  private final BlockingQueue<KompicsEvent> events = new LinkedBlockingQueue<>();

  private Main(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  public static void main(String[] args) throws InterruptedException {
    System.exit(run(args, System.out, System.err));
  }

  /** 0 when done, 1 when it failed, 2 when the arguments make no sense. */
  static int run(String[] args, PrintStream out, PrintStream err) throws InterruptedException {
    InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    List<InetSocketAddress> peers = new ArrayList<>();
    boolean understood = args.length >= 3 && args.length % 2 == 1;
    for (int i = 3; understood && i < args.length; i += 2) {
      InetSocketAddress address = address(args[i + 1]);
      if (address == null) {
        understood = false;
      } else if (args[i].equals("--listen")) {
        local = address;
      } else if (args[i].equals("--peer")) {
        peers.add(address);
      } else {
        understood = false;
      }
    }
    if (!understood || !List.of("make-torrent", "seed", "download").contains(args[0])) {
      err.print(USAGE);
      return 2;
    }
    try {
      if (args[0].equals("make-torrent")) {
        Files.write(Path.of(args[2]), Metainfo.create(Path.of(args[1]), PIECE_BYTES));
        out.println(Metainfo.read(Path.of(args[2])).infoHashHex());
        return 0;
      }
      Metainfo torrent = Metainfo.read(Path.of(args[1]));
      boolean download = args[0].equals("download");
      try (PieceStore store =
          download
              ? PieceStore.forDownload(torrent, Path.of(args[2]))
              : PieceStore.forSeed(torrent, Path.of(args[2]))) {
        return new Main(out, err).serve(new PeerTask(store, local, peers, download));
      }
    } catch (IOException | ProtocolException e) {
      err.println("error: " + e.getMessage());
      return 1;
    }
  }

  private static @Nullable InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1) {
      return null;
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return new InetSocketAddress(InetAddress.getAllByName(text.substring(0, colon))[0], port);
    } catch (IllegalArgumentException | UnknownHostException e) {
      return null;
    }
  }

  /** One run of seed or download. */
  private record PeerTask(
      PieceStore store, InetSocketAddress local, List<InetSocketAddress> peers, boolean download) {}

  private int serve(PeerTask task) throws InterruptedException {
    LedbatConfig config = LedbatConfigs.fromConfig(LedbatConfigs.load());
    PeerNode.Init init = new PeerNode.Init(task.local(), config, task.store(), events::add);
    Kompics.createAndStart(PeerNode.class, init, WORKERS);
    try {
      return converse(init, task);
    } finally {
      Kompics.shutdown();
    }
  }

  /** A peer that was named. */
  private static final class Named {
    int tries;
    long retryNanos;
    boolean waiting;

    /** Whether it is tried again, later. */
    boolean retry(boolean forEver) {
      waiting = forEver || tries < MAX_TRIES;
      long millis = Math.min(LONGEST_RETRY_MILLIS, FIRST_RETRY_MILLIS << Math.min(tries, 16));
      retryNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      tries++;
      return waiting;
    }
  }

  private int converse(PeerNode.Init init, PeerTask task) throws InterruptedException {
    Map<InetSocketAddress, Named> named = new LinkedHashMap<>();
    task.peers().forEach(peer -> named.put(peer, new Named()));
    int trying = named.size();
    Set<InetSocketAddress> connected = new HashSet<>();
    boolean complete = false;
    long leaveNanos = Long.MAX_VALUE;
    boolean left = false;
    while (!(task.download() && complete && connected.isEmpty())) {
      long now = System.nanoTime();
      for (Map.Entry<InetSocketAddress, Named> peer : named.entrySet()) {
        if (peer.getValue().waiting && now - peer.getValue().retryNanos >= 0 && !complete) {
          peer.getValue().waiting = false;
          init.ask(new TorrentPort.Join(peer.getKey()));
        }
      }
      if (task.download() && complete && now - leaveNanos >= 0) {
        if (left) {
          break; // They had their time to finish, too.
        }
        left = true;
        leaveNanos = now + TimeUnit.MILLISECONDS.toNanos(STAY_MILLIS);
        init.ask(new TorrentPort.Leave());
      }
      KompicsEvent event = events.poll(200, TimeUnit.MILLISECONDS);
      if (event instanceof TorrentPort.CannotListen failed) {
        err.println("error: " + failed.reason());
        return 1;
      } else if (event instanceof TorrentPort.Listening listening) {
        out.println("listening on " + listening.local());
        named.keySet().forEach(peer -> init.ask(new TorrentPort.Join(peer)));
      } else if (event instanceof TorrentPort.PeerJoined joined) {
        out.println("peer " + joined.peer());
        connected.add(joined.peer());
        if (named.containsKey(joined.peer())) {
          named.get(joined.peer()).tries = 0;
        }
      } else if (event instanceof TorrentPort.Complete) {
        out.println("complete");
        complete = true;
        leaveNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STAY_MILLIS);
      } else if (event instanceof TorrentPort.PeerLeft gone) {
        out.println("left " + gone.peer() + ": " + gone.reason() + figures(gone.stats()));
        connected.remove(gone.peer());
        Named again = named.get(gone.peer());
        if (again != null && !(gone.worthRetrying() && again.retry(!task.download()))) {
          trying--;
        }
        if (task.download() && !complete && trying == 0 && connected.isEmpty()) {
          err.println(
              "error: the download is not complete, and no peer is left; the last one, "
                  + gone.peer()
                  + ": "
                  + gone.reason());
          return 1;
        }
      }
    }
    return 0;
  }

  private static String figures(@Nullable ConnectionStats stats) {
    return stats == null
        ? ""
        : String.format(
            Locale.ROOT,
            ", %d bytes out, %d in, %d packets sent again, RTT %.1f ms",
            stats.bytesAcked(),
            stats.bytesReceived(),
            stats.packetsRetransmitted(),
            stats.smoothedRttMicros() / 1e3);
  }
}
