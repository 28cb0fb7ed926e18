package ebb.selfbench;

import java.util.List;

/**
 * Where one side of a path runs.
 *
 * @param prefix what runs a command there; empty for here
 * @param address IPv4 address that the side binds there
 */
record Place(List<String> prefix, String address) {
  static final Place LOOPBACK = new Place(List.of(), "127.0.0.1");
}
