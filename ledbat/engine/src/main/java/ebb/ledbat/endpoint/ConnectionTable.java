package ebb.ledbat.endpoint;

import ebb.ledbat.connection.SplitMix64;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Finds a connection by the peer's address and the connection id in its packets: a hash table with
 * linear probing, which allocates nothing for IPv4.
 *
 * <p>Strangers choose addresses, ports and ids. So that they cannot choose places, from the first
 * time it grows the hash is mixed with a secret; before that there is no more than {@value
 * #INITIAL_CAPACITY} to look through.
 */
final class ConnectionTable {
  private static final int INITIAL_CAPACITY = 64;

  private final RandomGenerator random;
  private @Nullable Slot[] table = new Slot[INITIAL_CAPACITY];
  private long key;
  private int size;

  /** An empty table; {@code random} gives the secret. */
  ConnectionTable(RandomGenerator random) {
    this.random = random;
  }

  int size() {
    return size;
  }

  @Nullable Slot find(InetSocketAddress remote, int receiveId) {
    for (int i = home(remote, receiveId); ; i = next(i)) {
      Slot slot = table[i];
      if (slot == null || matches(slot, remote, receiveId)) {
        return slot;
      }
    }
  }

  void add(Slot slot) {
    if (++size > table.length / 2) {
      grow();
    }
    insert(slot);
  }

  void remove(Slot slot) {
    int i = home(slot);
    while (table[i] != slot) {
      if (table[i] == null) {
        return;
      }
      i = next(i);
    }
    table[i] = null;
    size--;
    // Close the gap, so that probing never stops short of a slot behind it.
    for (int j = next(i); table[j] != null; j = next(j)) {
      Slot moved = table[j];
      table[j] = null;
      if (moved != null) {
        insert(moved);
      }
    }
  }

  /** All slots, in no order. */
  Slot[] toArray() {
    Slot[] all = new Slot[size];
    int n = 0;
    for (Slot slot : table) {
      if (slot != null) {
        all[n++] = slot;
      }
    }
    return all;
  }

  private void insert(Slot slot) {
    int i = home(slot);
    while (table[i] != null) {
      i = next(i);
    }
    table[i] = slot;
  }

  private void grow() {
    @Nullable Slot[] old = table;
    table = new Slot[old.length * 2];
    key = random.nextLong();
    for (Slot slot : old) {
      if (slot != null) {
        insert(slot);
      }
    }
  }

  private static boolean matches(Slot slot, InetSocketAddress remote, int receiveId) {
    return slot.connection().receiveId() == receiveId && slot.connection().remote().equals(remote);
  }

  private int home(Slot slot) {
    return home(slot.connection().remote(), slot.connection().receiveId());
  }

  private int home(InetSocketAddress remote, int receiveId) {
    return (int) hash(key, remote, receiveId) & (table.length - 1);
  }

  /**
   * Takes in every bit of the address: two IPv6 addresses of one network easily have the same
   * hashCode(), which is the sum of their words.
   */
  static long hash(long key, InetSocketAddress remote, int receiveId) {
    InetAddress address = remote.getAddress();
    long hash = SplitMix64.mix(key ^ ((long) remote.getPort() << Short.SIZE | receiveId));
    if (address == null || address instanceof Inet4Address) {
      return SplitMix64.mix(hash ^ (address == null ? remote : address).hashCode());
    }
    byte[] bytes = address.getAddress();
    for (int i = 0; i < bytes.length; i += Long.BYTES) {
      long word = 0;
      for (int j = i; j < i + Long.BYTES; j++) {
        word = word << Byte.SIZE | (bytes[j] & 0xff);
      }
      hash = SplitMix64.mix(hash ^ word);
    }
    return hash;
  }

  private int next(int i) {
    return (i + 1) & (table.length - 1);
  }
}
