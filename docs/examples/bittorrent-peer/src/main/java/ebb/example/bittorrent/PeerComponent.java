package ebb.example.bittorrent;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.kompics.LedbatStreams;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Negative;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;
import se.sics.kompics.timer.SchedulePeriodicTimeout;
import se.sics.kompics.timer.Timeout;
import se.sics.kompics.timer.Timer;

/**
 * Downloads or serves one torrent over a required {@link LedbatStreams}, which it has to itself.
 * Kompics runs one handler of a component at a time, so nothing here is shared between threads. The
 * handlers read and write the file themselves: LEDBAT has its own thread and does not wait for
 * them.
 */
public final class PeerComponent extends ComponentDefinition {
  /** More connections than this are refused. */
  static final int MAX_PEERS = 50;

  /** What a peer may send before it was handled; must hold what may be on the way. */
  private static final long WINDOW_BYTES = 4L << 20;

  private static final int WRITE_BYTES = 128 << 10;

  private static final long TICK_MILLIS = 5_000;
  private static final int HANDSHAKE_TICKS = 4;
  private static final int KEEP_ALIVE_TICKS = 12;
  private static final int SILENCE_TICKS = 30;
  private static final int FINISH_TICKS = 3;
  private static final int REVIEW_TICKS = 2;

  private final Positive<LedbatStreams> streams = requires(LedbatStreams.class);
  private final Positive<Timer> timer = requires(Timer.class);
  private final Negative<TorrentPort> application = provides(TorrentPort.class);
  private final Torrent torrent;
  private final byte[] ownId;
  private final Map<Long, Link> links = new LinkedHashMap<>();
  private boolean leaving;
  private int ticks;

  /** One stream and what is said on it. */
  private static final class Link {
    final long streamId;
    final InetSocketAddress remote;
    @Nullable PeerSession session;
    long credit;
    boolean joined;
    boolean finished;
    @Nullable String dropped;
    boolean misbehaved;
    int ticks;
    int ticksSilent;
    int ticksUnsent;

    Link(long streamId, InetSocketAddress remote) {
      this.streamId = streamId;
      this.remote = remote;
    }
  }

  public PeerComponent(Init init) {
    super(PunctualComponent.class);
    torrent = new Torrent(init.store, init.firstPiece, this::onVerified);
    ownId = init.peerId.clone();
    handle(control, Start.class, this::handleStart);
    handle(timer, Tick.class, this::handleTick);
    handle(application, TorrentPort.Join.class, this::handleJoin);
    handle(application, TorrentPort.Leave.class, this::handleLeave);
    handle(streams, LedbatStreams.Bound.class, this::handleBound);
    handle(streams, LedbatStreams.BindFailed.class, this::handleBindFailed);
    handle(streams, LedbatStreams.Connected.class, this::handleConnected);
    handle(streams, LedbatStreams.ConnectFailed.class, this::handleConnectFailed);
    handle(streams, LedbatStreams.Accepted.class, this::handleAccepted);
    handle(streams, LedbatStreams.Written.class, this::handleWritten);
    handle(streams, LedbatStreams.Data.class, this::handleData);
    handle(streams, LedbatStreams.PeerFinished.class, this::handlePeerFinished);
    handle(streams, LedbatStreams.Closed.class, this::handleClosed);
  }

  private void handleStart(Start start) {
    SchedulePeriodicTimeout ticks = new SchedulePeriodicTimeout(TICK_MILLIS, TICK_MILLIS);
    ticks.setTimeoutEvent(new Tick(ticks));
    trigger(ticks, timer);
  }

  private void handleBound(LedbatStreams.Bound event) {
    trigger(new TorrentPort.Listening(event.local()), application);
    if (torrent.store().isComplete()) {
      trigger(new TorrentPort.Complete(), application);
    }
  }

  private void handleBindFailed(LedbatStreams.BindFailed event) {
    trigger(new TorrentPort.CannotListen(event.reason()), application);
  }

  private void handleJoin(TorrentPort.Join event) {
    long streamId = LedbatStreams.newStreamId();
    links.put(streamId, new Link(streamId, event.peer()));
    trigger(new LedbatStreams.Connect(streamId, event.peer()), streams);
  }

  private void handleConnected(LedbatStreams.Connected event) {
    Link link = links.get(event.streamId());
    if (link != null) {
      begin(link, event.creditBytes(), true);
    }
  }

  private void handleAccepted(LedbatStreams.Accepted event) {
    // A stream that nobody wants has to be refused, or it would stay.
    if (leaving || links.size() >= MAX_PEERS) {
      trigger(new LedbatStreams.Abort(event.streamId()), streams);
      return;
    }
    Link link = new Link(event.streamId(), event.remote());
    links.put(event.streamId(), link);
    begin(link, event.creditBytes(), false);
  }

  private void begin(Link link, long creditBytes, boolean opened) {
    link.credit = creditBytes;
    link.session = new PeerSession(torrent, ownId, opened);
    trigger(new LedbatStreams.Demand(link.streamId, WINDOW_BYTES), streams);
    proceed(link);
  }

  private void handleConnectFailed(LedbatStreams.ConnectFailed event) {
    if (links.remove(event.streamId()) != null) {
      trigger(
          new TorrentPort.PeerLeft(
              event.remote(), "cannot connect: " + event.reason(), false, !leaving, null),
          application);
    }
  }

  private void handleData(LedbatStreams.Data event) {
    Link link = links.get(event.streamId());
    PeerSession session = link == null ? null : link.session;
    if (link == null || session == null) {
      return;
    }
    int bytes = event.bytes().remaining();
    // Also of a link that is dropped or finished, or its end would never be reached.
    trigger(new LedbatStreams.Demand(link.streamId, bytes), streams);
    if (link.dropped != null || link.finished) {
      return;
    }
    link.ticksSilent = 0;
    try {
      // The event's buffer is shared by all who hear of it; a duplicate has its own position.
      session.receive(event.bytes().duplicate());
    } catch (ProtocolException e) {
      link.misbehaved = true;
      drop(link, "broke the protocol: " + e.getMessage());
      return;
    } catch (IOException e) {
      drop(link, "the file cannot be written: " + e.getMessage());
      return;
    }
    if (session.hasBegun() && !link.joined) {
      link.joined = true;
      trigger(new TorrentPort.PeerJoined(link.remote), application);
    }
    proceed(link);
  }

  private void onVerified(int piece) {
    int remaining = torrent.metainfo().pieceCount() - torrent.store().have().cardinality();
    trigger(new TorrentPort.PieceVerified(piece, remaining), application);
    // The others hear of it too; the one that brought it is in the midst of its data.
    for (Link other : List.copyOf(links.values())) {
      if (other.session != null && other.dropped == null && !other.finished) {
        other.session.onVerified(piece);
        proceed(other);
      }
    }
    if (remaining == 0) {
      trigger(new TorrentPort.Complete(), application);
    }
  }

  private void handleWritten(LedbatStreams.Written event) {
    Link link = links.get(event.streamId());
    if (link != null) {
      link.credit += event.bytes();
      proceed(link);
    }
  }

  /** Sends as much as the credit allows; {@code Written} brings us back here. */
  private void proceed(Link link) {
    PeerSession session = link.session;
    if (session == null || link.dropped != null || link.finished) {
      return;
    }
    try {
      while (link.credit > 0) {
        ByteBuffer bytes = session.next((int) Math.min(link.credit, WRITE_BYTES));
        if (bytes == null) {
          break;
        }
        link.credit -= bytes.remaining();
        link.ticksUnsent = 0;
        trigger(new LedbatStreams.Write(link.streamId, bytes), streams);
      }
    } catch (IOException e) {
      drop(link, "the file cannot be read: " + e.getMessage());
      return;
    }
    if (session.isRedundant()) {
      finish(link);
    }
  }

  /** The end in order: a FIN behind what was written. The peer answers with its own. */
  private void finish(Link link) {
    if (link.session == null) {
      drop(link, "not wanted any more");
    } else if (!link.finished && link.dropped == null) {
      link.finished = true;
      link.ticks = 0;
      link.session.close();
      trigger(new LedbatStreams.Finish(link.streamId), streams);
    }
  }

  /** The end at once. The link is forgotten when {@code Closed} says that the stream is. */
  private void drop(Link link, String reason) {
    if (link.dropped == null) {
      link.dropped = reason;
      if (link.session != null) {
        link.session.close();
      }
      trigger(new LedbatStreams.Abort(link.streamId), streams);
      // What it was fetching is for others now.
      for (Link other : List.copyOf(links.values())) {
        proceed(other);
      }
    }
  }

  private void handlePeerFinished(LedbatStreams.PeerFinished event) {
    Link link = links.get(event.streamId());
    if (link != null) {
      finish(link);
    }
  }

  private void handleClosed(LedbatStreams.Closed event) {
    Link link = links.remove(event.streamId());
    if (link == null) {
      return;
    }
    if (link.session != null) {
      link.session.close();
    }
    boolean inOrder = event.reason() == CloseReason.FINISHED;
    String reason = link.dropped == null ? event.reason().toString() : link.dropped;
    boolean done = inOrder && torrent.store().isComplete();
    boolean welcome = !leaving && !done && !link.misbehaved;
    trigger(
        new TorrentPort.PeerLeft(link.remote, reason, inOrder, welcome, event.stats()),
        application);
    for (Link other : List.copyOf(links.values())) {
      proceed(other);
    }
  }

  private void handleLeave(TorrentPort.Leave event) {
    leaving = true;
    for (Link link : List.copyOf(links.values())) {
      finish(link);
    }
  }

  /** A peer that says nothing would hold its place for ever. */
  private void handleTick(Tick tick) {
    if (++ticks % REVIEW_TICKS == 0) {
      torrent.slots().review(torrent.store().isComplete());
    }
    for (Link link : List.copyOf(links.values())) {
      PeerSession session = link.session;
      if (session == null) {
        continue;
      }
      link.ticks++;
      link.ticksSilent++;
      link.ticksUnsent++;
      if (link.finished && link.ticks > FINISH_TICKS) {
        drop(link, "did not finish");
      } else if (!session.hasBegun() && link.ticks > HANDSHAKE_TICKS) {
        drop(link, "no handshake");
      } else if (link.ticksSilent > SILENCE_TICKS) {
        drop(link, "silent");
      } else if (link.ticksUnsent > KEEP_ALIVE_TICKS) {
        session.keepAlive();
      }
      session.tick();
      proceed(link);
    }
  }

  private static final class Tick extends Timeout {
    Tick(SchedulePeriodicTimeout request) {
      super(request);
    }
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<PeerComponent> {
    final PieceStore store;
    final byte[] peerId;
    final int firstPiece;

    /**
     * @param store used by the component alone from now on
     * @param random for the peer's id, and for the piece to begin with
     */
    public Init(PieceStore store, RandomGenerator random) {
      this.store = store;
      ByteBuffer id = ByteBuffer.allocate(Handshake.ID_BYTES + Long.BYTES);
      id.put("-EB0100-".getBytes(US_ASCII)).putLong(random.nextLong()).putLong(random.nextLong());
      peerId = Arrays.copyOf(id.array(), Handshake.ID_BYTES);
      firstPiece = random.nextInt(store.torrent().pieceCount());
    }
  }
}
