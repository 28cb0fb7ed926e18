package ebb.files;

import ebb.ledbat.connection.ConnectionStats;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * How a sender's session ended.
 *
 * @param stranger whether the peer was no sender at all
 * @param received files and directories now under their final names
 * @param alreadyThere files that needed nothing
 * @param failed files that were refused or broke
 * @param contentBytes bytes of content that arrived
 * @param incoming what was done about the rate at which it came
 * @param worst of the files that failed; null when none did
 * @param broken one line when the session did not come to its end; null otherwise
 */
record ReceiveReport(
    InetSocketAddress remote,
    boolean stranger,
    int received,
    int alreadyThere,
    int failed,
    long contentBytes,
    long nanos,
    ConnectionStats.Incoming incoming,
    @Nullable Refusal worst,
    @Nullable String broken) {}
