package ebb.example.bittorrent;

import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.config.LedbatConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Kompics;
import se.sics.kompics.KompicsEvent;

/** Several peers in one Kompics system, and what they say. */
final class TestPeers {
  static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private TestPeers() {}

  static byte[] random(long seed, int bytes) {
    byte[] content = new byte[bytes];
    new SplittableRandom(seed).nextBytes(content);
    return content;
  }

  static Metainfo torrentOf(Path file, int pieceLength) throws IOException, ProtocolException {
    return Metainfo.parse(Metainfo.create(file, pieceLength));
  }

  /** A node and its events. */
  static final class Peer {
    final BlockingQueue<KompicsEvent> events = new LinkedBlockingQueue<>();
    final PeerNode.Init init;

    Peer(PieceStore store) {
      init = new PeerNode.Init(ANY_PORT, LedbatConfig.defaults(), store, events::add);
    }

    static Peer seeding(Metainfo torrent, Path file) throws IOException {
      return new Peer(PieceStore.forSeed(torrent, file));
    }

    static Peer downloading(Metainfo torrent, Path file) throws IOException {
      return new Peer(PieceStore.forDownload(torrent, file));
    }

    <E extends KompicsEvent> E next(Class<E> type) throws InterruptedException {
      return next(type, event -> true);
    }

    <E extends KompicsEvent> E next(Class<E> type, Predicate<E> wanted)
        throws InterruptedException {
      while (true) {
        KompicsEvent event = events.poll(60, TimeUnit.SECONDS);
        if (event == null) {
          throw new AssertionError("no " + type.getSimpleName());
        }
        if (type.isInstance(event) && wanted.test(type.cast(event))) {
          return type.cast(event);
        }
      }
    }

    InetSocketAddress listening() throws InterruptedException {
      return next(TorrentPort.Listening.class).local();
    }

    void join(InetSocketAddress peer) {
      init.ask(new TorrentPort.Join(peer));
    }
  }

  static void start(Peer... peers) {
    Kompics.createAndStart(Root.class, new RootInit(peers), 2);
  }

  static byte[] content(Path file) throws IOException {
    return Files.readAllBytes(file);
  }

  public static final class RootInit extends se.sics.kompics.Init<Root> {
    final Peer[] peers;

    RootInit(Peer[] peers) {
      this.peers = peers;
    }
  }

  public static final class Root extends ComponentDefinition {
    public Root(RootInit init) {
      super(PunctualComponent.class);
      for (Peer peer : init.peers) {
        create(PeerNode.class, peer.init);
      }
    }
  }
}
