package ebb.proxy.server;

import ebb.proxy.rule.ClassRules;
import ebb.proxy.rule.RateSchedule;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a proxy works.
 *
 * @param credentials that clients have to know; null when anybody may use it
 * @param livePort of the page of who uses what, on loopback; negative for none
 * @param notes takes lines about what went wrong, without names of hosts; called by the proxy's
 *     thread
 * @param log takes a line for each connection that has ended, with its host; null for none
 */
public record ProxySettings(
    Limits limits,
    ClassRules rules,
    RateSchedule schedule,
    Steering steering,
    Resolver resolver,
    @Nullable Credentials credentials,
    int livePort,
    Consumer<String> notes,
    @Nullable Consumer<String> log) {}
