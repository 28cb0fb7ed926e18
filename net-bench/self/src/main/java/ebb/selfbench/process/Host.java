package ebb.selfbench.process;

import java.util.List;

/**
 * Where one side of a path runs.
 *
 * @param prefix what runs a command there; empty for here
 * @param address IPv4 address that the side binds there
 */
public record Host(List<String> prefix, String address) {
  public static final Host LOOPBACK = new Host(List.of(), "127.0.0.1");
}
