package ebb.proxy.server;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Turns a name into addresses; may take its time. */
@FunctionalInterface
public interface Resolver {
  InetAddress[] resolve(String name) throws UnknownHostException;
}
