package ebb.ledbat.endpoint;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Finds a connection by the peer's address and the connection id in its packets, without
 * allocating: a hash table with linear probing.
 */
final class ConnectionTable {
  private @Nullable Slot[] table = new Slot[64];
  private int size;

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
    int hash = (remote.hashCode() * 31 + receiveId) * 0x9E3779B9;
    return (hash ^ hash >>> 15) & (table.length - 1);
  }

  private int next(int i) {
    return (i + 1) & (table.length - 1);
  }
}
