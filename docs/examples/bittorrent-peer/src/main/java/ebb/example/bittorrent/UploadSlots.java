package ebb.example.bittorrent;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Who of the interested peers is served: BEP 3's choking. Those who give most get a place (or, from
 * a seed, those who take most), and one more peer gets a chance to show what it gives.
 */
final class UploadSlots {
  /** Places by merit. */
  static final int PLACES = 4;

  /** So many reviews a peer keeps the place that is for showing what it gives. */
  private static final int CHANCE_REVIEWS = 3;

  /** In the order in which they are given their chance. */
  private final Set<PeerSession> interested = new LinkedHashSet<>();

  private final Set<PeerSession> served = new LinkedHashSet<>();
  private int reviews;

  /** The peer wants something; it is served at once where there is a place. */
  void want(PeerSession session) {
    interested.add(session);
    if (served.size() <= PLACES && served.add(session)) {
      session.setChoking(false);
    }
  }

  /** The peer wants nothing more, or is gone. */
  void leave(PeerSession session) {
    interested.remove(session);
    if (served.remove(session)) {
      session.setChoking(true);
      for (PeerSession next : interested) {
        if (!served.contains(next)) {
          want(next);
          return;
        }
      }
    }
  }

  /**
   * Chooses anew, once in about ten seconds.
   *
   * @param seeding whether there is nothing to get from anybody
   */
  void review(boolean seeding) {
    List<Scored> byMerit = new ArrayList<>();
    interested.forEach(session -> byMerit.add(new Scored(session, session.takeMerit(seeding))));
    byMerit.sort(Comparator.comparingLong(Scored::merit).reversed());
    Set<PeerSession> chosen = new LinkedHashSet<>();
    byMerit.stream().limit(PLACES).map(Scored::session).forEach(chosen::add);
    boolean change = ++reviews % CHANCE_REVIEWS == 0;
    PeerSession chance = null;
    for (PeerSession session : interested) {
      if (!chosen.contains(session) && (chance == null || (!change && served.contains(session)))) {
        chance = session;
      }
    }
    if (chance != null) {
      chosen.add(chance);
      if (change) { // The next time it is somebody else's turn.
        interested.remove(chance);
        interested.add(chance);
      }
    }
    interested.forEach(session -> session.setChoking(!chosen.contains(session)));
    served.clear();
    served.addAll(chosen);
  }

  private record Scored(PeerSession session, long merit) {}
}
