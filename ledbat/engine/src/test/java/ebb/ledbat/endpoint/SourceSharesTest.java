package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SourceSharesTest {
  private final SourceShares<String> shares = new SourceShares<>();

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException notALiteral) {
      throw new IllegalArgumentException(notALiteral);
    }
  }

  private SourceShares<String>.Share add(String address, String holder) {
    return shares.add(address(address), holder);
  }

  @Test
  void theOldestOfTheSourceWithTheMostGoesFirst() {
    add("192.0.2.1", "alone");
    add("192.0.2.2", "first");
    add("192.0.2.2", "second");
    assertThat(shares.oldestOfLargest()).isEqualTo("first");
    assertThat(new SourceShares<String>().oldestOfLargest()).isNull();
  }

  @Test
  void amongSourcesWithAsManyTheFirstToHaveThemGoesFirst() {
    add("192.0.2.1", "first");
    add("192.0.2.2", "second");
    assertThat(shares.oldestOfLargest()).isEqualTo("first");
  }

  @Test
  void aNewcomerGetsThePlaceOnlyOfWhoHasMoreThanItWould() {
    add("192.0.2.1", "only");
    assertThat(shares.givesWayTo(address("192.0.2.9"))).as("one each is fair").isNull();
    add("192.0.2.1", "newest");
    assertThat(shares.givesWayTo(address("192.0.2.9"))).isEqualTo("newest");
    assertThat(shares.givesWayTo(address("192.0.2.1"))).as("its own").isNull();
    add("192.0.2.9", "newcomer");
    assertThat(shares.givesWayTo(address("192.0.2.9"))).as("two and one").isNull();
  }

  @Test
  void anIpv6SourceIsItsFirst64BitsAndAnIpv4SourceItsAddress() {
    add("2001:db8:0:1::1", "a");
    add("2001:db8:0:1:ffff::1", "b");
    add("2001:db8:0:2::1", "c");
    add("192.0.2.1", "d");
    add("192.0.2.129", "e");
    assertThat(shares.givesWayTo(address("2001:db8:0:3::1"))).isEqualTo("b");
    assertThat(shares.givesWayTo(address("2001:db8:0:1::7"))).isNull();
  }

  @Test
  void aPlaceIsGivenBackOnce() {
    SourceShares<String>.Share share = add("192.0.2.1", "a");
    add("192.0.2.1", "b");
    share.giveBack();
    share.giveBack();
    assertThat(shares.size()).isEqualTo(1);
    assertThat(shares.oldestOfLargest()).isEqualTo("b");
  }

  @Test
  void anyOrderOfCallsAnswersAsAListWould() {
    Random random = new Random(7);
    Map<String, List<String>> model = new LinkedHashMap<>();
    Map<String, SourceShares<String>.Share> held = new LinkedHashMap<>();
    for (int step = 0; step < 20_000; step++) {
      if (held.size() < 60 && random.nextInt(100) < 52) {
        String from = "10.0.0." + random.nextInt(6);
        String holder = from + "#" + step;
        held.put(holder, add(from, holder));
        model.computeIfAbsent(from, any -> new ArrayList<>()).add(holder);
      } else if (!held.isEmpty()) {
        String holder = List.copyOf(held.keySet()).get(random.nextInt(held.size()));
        held.remove(holder).giveBack();
        model.get(holder.substring(0, holder.indexOf('#'))).remove(holder);
      }
      int most = model.values().stream().mapToInt(List::size).max().orElse(0);
      assertThat(shares.size()).isEqualTo(held.size());
      if (most == 0) {
        assertThat(shares.oldestOfLargest()).isNull();
      } else {
        assertThat(model.values().stream().filter(of -> of.size() == most).map(of -> of.get(0)))
            .contains(shares.oldestOfLargest());
      }
      String newest = shares.givesWayTo(address("10.0.0.99"));
      assertThat(newest != null).as("after step " + step).isEqualTo(most >= 2);
    }
  }
}
