package ebb.net.run;

import ebb.ledbat.config.LedbatConfig;
import ebb.net.control.NetKey;
import ebb.net.control.TestSpec;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One measurement.
 *
 * @param server where its control connection is
 * @param spec what both ends do
 * @param intervalMicros between samples
 * @param warmUpMicros at the start, not counted
 * @param durationMicros after the warm-up; 0 when the amount ends it
 * @param tcpCongestion the kernel's congestion control, or "default"
 * @param ledbat for LEDBAT's connections
 * @param local to connect from; null for any
 * @param key of the server; null for none
 * @param connectTimeoutMillis for the control connection and each flow
 */
public record RunPlan(
    InetSocketAddress server,
    TestSpec spec,
    long intervalMicros,
    long warmUpMicros,
    long durationMicros,
    String tcpCongestion,
    LedbatConfig ledbat,
    @Nullable InetSocketAddress local,
    @Nullable NetKey key,
    long connectTimeoutMillis) {}
