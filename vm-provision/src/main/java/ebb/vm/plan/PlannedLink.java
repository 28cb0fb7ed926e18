package ebb.vm.plan;

import ebb.core.units.BitRate;
import ebb.core.units.Micros;

/**
 * What lies between two zones when a plan is run on one machine. In a cloud there are real ones,
 * and this is not looked at.
 *
 * @param zone one end; the same as {@code other} for what is between VMs of one zone
 * @param rate each way, 0 for no bound
 * @param delay each way
 * @param buffer the longest wait in the queue before the link, at its rate
 * @param loss probability that a packet is lost, each way
 */
public record PlannedLink(
    String zone, String other, BitRate rate, Micros delay, Micros buffer, double loss) {}
