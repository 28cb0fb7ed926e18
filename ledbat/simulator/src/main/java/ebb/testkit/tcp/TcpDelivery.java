package ebb.testkit.tcp;

/**
 * What one acknowledgement says of the path, as windows that look at rates want it
 * (draft-cheng-iccrg-delivery-rate-estimation).
 *
 * @param rttMicros of the segment that was acknowledged
 * @param delivered segments so far
 * @param priorDelivered the same when the segment was sent
 * @param newlyDelivered by this acknowledgement
 * @param newlyLost found lost by it
 * @param inFlight after it
 * @param segmentsPerSecond the rate at which they arrive; 0 when it cannot be said
 * @param sourceLimited the source had not enough to send for the rate to mean much
 */
public record TcpDelivery(
    long nowMicros,
    long rttMicros,
    long delivered,
    long priorDelivered,
    int newlyDelivered,
    int newlyLost,
    int inFlight,
    double segmentsPerSecond,
    boolean sourceLimited,
    boolean inRecovery) {}
