package org.example.swarm;

import ebb.core.kompics.PunctualComponent;
import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbMsg;
import ebb.core.kompics.EbbSerializers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.Transport;
import se.sics.kompics.timer.SchedulePeriodicTimeout;
import se.sics.kompics.timer.Timeout;
import se.sics.kompics.timer.Timer;

/**
 * One node of the swarm: fetches the pieces that it lacks from its neighbours, rarest first, and
 * serves those that it has. It requires a network and a timer and does not know whether they are
 * real: the same class runs live and in Kompics' simulator.
 *
 * <p>For that it takes time and chance from nowhere but {@link System#nanoTime}, its timer and its
 * seed, has no thread, and iterates over nothing whose order depends on identity.
 */
public final class SwarmPeer extends ComponentDefinition {
  private static final long TICK_MILLIS = 1_000;

  /** A node looks for so many neighbours, and takes more that come by themselves. */
  private static final int WANTED_NEIGHBOURS = 8;

  private static final int MAX_NEIGHBOURS = 14;
  private static final int MAX_KNOWN = 500;

  private static final int MAX_REQUESTED_PER_NEIGHBOUR = 2;
  private static final int MAX_WAITING_PER_NEIGHBOUR = 4;

  /** Pieces handed to the network whose SENT has not come: a Network port has no back-pressure. */
  private static final int MAX_SENDING = 4;

  private static final long ANSWER_MILLIS = 20_000;
  private static final long QUIET_MILLIS = 15_000;
  private static final long SILENT_MILLIS = 40_000;

  private final Positive<Network> network = requires(Network.class);
  private final Positive<NetworkControl> networkControl = requires(NetworkControl.class);
  private final Positive<Timer> timer = requires(Timer.class);
  private final Init init;
  private final SplittableRandom random;
  private final PieceFile file;

  private final Map<EbbAddress, Neighbour> neighbours = new LinkedHashMap<>();
  private final Set<EbbAddress> known = new LinkedHashSet<>();

  /** Asked to be neighbours, and when. */
  private final Map<EbbAddress, Long> asked = new LinkedHashMap<>();

  private final BitSet inFlight = new BitSet();
  private final Queue<Wanted> wanted = new ArrayDeque<>();
  private int sending;

  /** A neighbour's request. */
  private record Wanted(Neighbour neighbour, int piece) {}

  public SwarmPeer(Init init) {
    super(PunctualComponent.class);
    EbbSerializers.register(new Hello.Serializer());
    EbbSerializers.register(new PieceNote.Serializer());
    EbbSerializers.register(new PieceData.Serializer());
    this.init = init;
    random = new SplittableRandom(init.seed);
    known.addAll(init.bootstrap);
    known.remove(init.self);
    try {
      file = PieceFile.open(init.content, init.path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    handle(control, Start.class, this::handleStart);
    handle(timer, Tick.class, this::handleTick);
    handle(network, Hello.class, this::handleHello);
    handle(network, PieceNote.class, this::handleNote);
    handle(network, PieceData.class, this::handleData);
    handle(network, MessageNotify.Resp.class, this::handleAnswer);
    handle(networkControl, ConnectionStatus.Dropped.class, this::handleDropped);
  }

  private static final class Tick extends Timeout {
    Tick(SchedulePeriodicTimeout request) {
      super(request);
    }
  }

  private void handleStart(Start start) {
    SchedulePeriodicTimeout ticks = new SchedulePeriodicTimeout(TICK_MILLIS, TICK_MILLIS);
    ticks.setTimeoutEvent(new Tick(ticks));
    trigger(ticks, timer);
    if (file.isComplete()) {
      init.listener.completed(init.self);
    }
    meet();
  }

  private void handleTick(Tick tick) {
    long now = nowMillis();
    for (Neighbour neighbour : List.copyOf(neighbours.values())) {
      long asking = neighbour.requested.values().stream().mapToLong(at -> at).min().orElse(now);
      if (now - asking > ANSWER_MILLIS) {
        lose(neighbour, "does not answer");
      } else if (now - neighbour.heardMillis > SILENT_MILLIS) {
        lose(neighbour, "silent");
      } else if (now - neighbour.heardMillis > QUIET_MILLIS) {
        say(neighbour.address, Hello.Kind.JOIN);
      }
    }
    asked.values().removeIf(at -> now - at > ANSWER_MILLIS);
    meet();
    fetch();
  }

  // ---- Neighbours

  /** Asks nodes that it knows of to be neighbours, at random, until it has enough. */
  private void meet() {
    List<EbbAddress> strangers = new ArrayList<>(known);
    strangers.removeAll(neighbours.keySet());
    strangers.removeAll(asked.keySet());
    while (neighbours.size() + asked.size() < WANTED_NEIGHBOURS && !strangers.isEmpty()) {
      EbbAddress stranger = strangers.remove(random.nextInt(strangers.size()));
      asked.put(stranger, nowMillis());
      say(stranger, Hello.Kind.JOIN);
    }
  }

  private void say(EbbAddress to, Hello.Kind kind) {
    List<EbbAddress> peers = new ArrayList<>(known);
    peers.remove(to);
    while (peers.size() > Hello.MAX_PEERS) {
      peers.remove(random.nextInt(peers.size()));
    }
    trigger(new Hello(to(to), kind, file.bitmap(), peers), network);
  }

  private void handleHello(Hello hello) {
    EbbAddress from = hello.getHeader().source();
    if (from.equals(init.self)) {
      return;
    }
    learn(from);
    hello.peers.forEach(this::learn);
    if (hello.kind == Hello.Kind.JOIN) {
      boolean room = neighbours.containsKey(from) || neighbours.size() < MAX_NEIGHBOURS;
      say(from, room ? Hello.Kind.WELCOME : Hello.Kind.FULL);
      if (room) {
        // A neighbour that introduces itself again may have been killed, and does not remember.
        Neighbour former = neighbours.get(from);
        if (former != null) {
          forgetRequests(former);
        }
        befriend(from, hello.bitmap);
      }
    } else if (hello.kind == Hello.Kind.WELCOME) {
      // Only where it was asked for: who is welcomed unasked has forgotten the other one.
      if (asked.containsKey(from) || neighbours.containsKey(from)) {
        befriend(from, hello.bitmap);
      }
    } else {
      // It stays in "asked" for a while, so that others are tried first.
      Neighbour former = neighbours.get(from);
      if (former != null) {
        lose(former, "has no room");
      }
    }
    meet();
    fetch();
  }

  private void learn(EbbAddress address) {
    if (known.size() < MAX_KNOWN && !address.equals(init.self)) {
      known.add(address);
    }
  }

  private void befriend(EbbAddress address, byte[] bitmap) {
    asked.remove(address);
    Neighbour neighbour = neighbours.computeIfAbsent(address, Neighbour::new);
    neighbour.heardMillis = nowMillis();
    neighbour.have.clear();
    neighbour.have.or(BitSet.valueOf(bitmap));
  }

  private void lose(Neighbour neighbour, String reason) {
    neighbours.remove(neighbour.address);
    forgetRequests(neighbour);
    wanted.removeIf(waiting -> waiting.neighbour == neighbour);
    // Not the next one to be asked again.
    asked.put(neighbour.address, nowMillis());
    init.listener.lost(init.self, neighbour.address, reason);
  }

  /** The transport noticed; else the ticks do, later. */
  private void handleDropped(ConnectionStatus.Dropped dropped) {
    Neighbour neighbour = neighbours.get(EbbAddress.of(dropped.peer));
    if (neighbour != null && dropped.last) {
      lose(neighbour, "connection lost");
      meet();
      fetch();
    }
  }

  private void forgetRequests(Neighbour neighbour) {
    neighbour.requested.keySet().forEach(inFlight::clear);
    neighbour.requested.clear();
  }

  private @Nullable Neighbour sender(EbbMsg message) {
    Neighbour neighbour = neighbours.get(message.getHeader().source());
    if (neighbour != null) {
      neighbour.heardMillis = nowMillis();
    }
    return neighbour;
  }

  // ---- Fetching

  /** Requests pieces until every neighbour that has something of use is busy. */
  private void fetch() {
    if (file.isComplete()) {
      return;
    }
    for (Neighbour neighbour : neighbours.values()) {
      while (neighbour.requested.size() < MAX_REQUESTED_PER_NEIGHBOUR) {
        int piece = choose(neighbour);
        if (piece < 0) {
          break;
        }
        inFlight.set(piece);
        neighbour.requested.put(piece, nowMillis());
        trigger(new PieceNote(to(neighbour.address), PieceNote.Kind.REQUEST, piece), network);
      }
    }
  }

  /** The piece that the fewest neighbours have, at random among equals; -1 when there is none. */
  private int choose(Neighbour neighbour) {
    int best = -1;
    int bestCopies = Integer.MAX_VALUE;
    int equals = 0;
    for (int piece = neighbour.have.nextSetBit(0);
        piece >= 0 && piece < init.content.pieces();
        piece = neighbour.have.nextSetBit(piece + 1)) {
      if (file.has(piece) || inFlight.get(piece)) {
        continue;
      }
      int copies = 0;
      for (Neighbour other : neighbours.values()) {
        copies += other.have.get(piece) ? 1 : 0;
      }
      equals = copies == bestCopies ? equals + 1 : 1;
      if (copies < bestCopies || copies == bestCopies && random.nextInt(equals) == 0) {
        best = piece;
        bestCopies = copies;
      }
    }
    return best;
  }

  private void handleData(PieceData data) {
    Neighbour neighbour = sender(data);
    // What was not asked for is not even looked at.
    if (neighbour == null || neighbour.requested.remove(data.piece) == null) {
      return;
    }
    inFlight.clear(data.piece);
    try {
      if (!file.put(data.piece, data.bytes)) {
        lose(neighbour, "sent a wrong piece");
        return;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    init.listener.stored(init.self, data.piece, neighbour.address);
    for (Neighbour other : neighbours.values()) {
      if (!other.have.get(data.piece)) {
        trigger(new PieceNote(to(other.address), PieceNote.Kind.HAVE, data.piece), network);
      }
    }
    if (file.isComplete()) {
      init.listener.completed(init.self);
    }
    fetch();
  }

  // ---- Serving

  private void handleNote(PieceNote note) {
    Neighbour neighbour = sender(note);
    if (note.piece < 0 || note.piece >= init.content.pieces()) {
      return;
    }
    switch (note.kind) {
      case HAVE -> {
        if (neighbour != null) {
          neighbour.have.set(note.piece);
          fetch();
        }
      }
      case REFUSAL -> {
        if (neighbour != null && neighbour.requested.remove(note.piece) != null) {
          inFlight.clear(note.piece);
          neighbour.have.clear(note.piece);
          fetch();
        }
      }
      case REQUEST -> {
        if (neighbour == null
            || !file.has(note.piece)
            || neighbour.waiting >= MAX_WAITING_PER_NEIGHBOUR) {
          trigger(
              new PieceNote(note.getHeader().reply(), PieceNote.Kind.REFUSAL, note.piece), network);
        } else {
          neighbour.waiting++;
          wanted.add(new Wanted(neighbour, note.piece));
          serve();
        }
      }
    }
  }

  /** A piece is read from the file only when the network has room for it. */
  private void serve() {
    while (sending < MAX_SENDING && !wanted.isEmpty()) {
      Wanted next = wanted.remove();
      next.neighbour.waiting--;
      try {
        PieceData data =
            new PieceData(to(next.neighbour.address), next.piece, file.read(next.piece));
        sending++;
        trigger(MessageNotify.create(data), network);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** SENT or FAILED: there is exactly one, so this counts. */
  private void handleAnswer(MessageNotify.Resp answer) {
    sending--;
    serve();
  }

  private EbbHeader to(EbbAddress address) {
    return new EbbHeader(init.self, address, Transport.LEDBAT);
  }

  private static long nowMillis() {
    return System.nanoTime() / 1_000_000;
  }

  @Override
  public void tearDown() {
    try {
      file.close();
    } catch (IOException e) {
      logger.warn("cannot close the file: {}", e.toString());
    }
  }

  /** What a node needs to know. */
  public static final class Init extends se.sics.kompics.Init<SwarmPeer> {
    final EbbAddress self;
    final List<EbbAddress> bootstrap;
    final Content content;
    final Path path;
    final long seed;
    final SwarmListener listener;

    /**
     * @param self where others reach it
     * @param bootstrap nodes to begin with; they tell of others
     * @param path the file, which is made if there is none
     * @param seed for every choice that it makes
     */
    public Init(
        EbbAddress self,
        List<EbbAddress> bootstrap,
        Content content,
        Path path,
        long seed,
        SwarmListener listener) {
      this.self = self;
      this.bootstrap = List.copyOf(bootstrap);
      this.content = content;
      this.path = path;
      this.seed = seed;
      this.listener = listener;
    }
  }
}
