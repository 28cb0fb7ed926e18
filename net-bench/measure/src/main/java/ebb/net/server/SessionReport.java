package ebb.net.server;

import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What one client did.
 *
 * @param complete whether the client said that it was done
 * @param micros how long the session lasted
 * @param why how it ended, when it was not complete; else empty
 * @param guest whether it measured under a reservation
 * @param test what it measured; null when it measured nothing, as a reservation
 * @param received from it in the test
 * @param sent to it in the test
 */
public record SessionReport(
    InetSocketAddress client,
    boolean complete,
    long micros,
    String why,
    boolean guest,
    @Nullable TestSpec test,
    FlowCounts received,
    FlowCounts sent) {}
