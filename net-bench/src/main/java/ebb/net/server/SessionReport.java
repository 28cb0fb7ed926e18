package ebb.net.server;

import java.net.InetSocketAddress;

/**
 * What one client did.
 *
 * @param complete whether the client said that it was done
 * @param micros how long the session lasted
 * @param ledbatBytes payload that arrived over LEDBAT
 * @param tcpBytes payload that arrived over TCP
 * @param why how it ended, when it was not complete; else empty
 */
public record SessionReport(
    InetSocketAddress client,
    boolean complete,
    long micros,
    long ledbatBytes,
    long tcpBytes,
    String why) {}
