package ebb.net.run;

import ebb.net.control.FlowCounts;
import ebb.net.flow.Limits;

/**
 * One flow in one interval, as the client sees it.
 *
 * @param stream its number, from 1
 * @param sending whether the client sends
 * @param counts of this interval
 * @param cwndBytes of a sender over TCP or LEDBAT; -1 when unknown
 * @param rttMicros smoothed; -1 when unknown
 * @param queuingDelayMicros of a LEDBAT sender; -1 when unknown
 * @param baseDelayMicros of a LEDBAT sender, with the clocks' unknown offset
 * @param targetMicros TARGET of a LEDBAT sender; -1 when unknown
 * @param retransmitted packets or segments in this interval; -1 when unknown
 * @param limits what held a sender in this interval
 */
public record FlowSample(
    int stream,
    boolean sending,
    FlowCounts counts,
    long cwndBytes,
    long rttMicros,
    long queuingDelayMicros,
    long baseDelayMicros,
    long targetMicros,
    long retransmitted,
    Limits limits) {}
