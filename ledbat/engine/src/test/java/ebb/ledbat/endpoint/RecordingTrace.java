package ebb.ledbat.endpoint;

import ebb.ledbat.trace.ConnectionTrace;
import ebb.ledbat.trace.ControllerEvent;
import ebb.ledbat.trace.EndpointTrace;
import ebb.ledbat.trace.LossCause;
import ebb.ledbat.trace.Metrics;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Keeps what one connection's trace is told: names in their order, and counts. */
final class RecordingTrace implements ConnectionTrace {
  final InetSocketAddress remote;
  final boolean initiator;
  final int receiveId;
  final List<String> states = new ArrayList<>();
  final List<String> controllers = new ArrayList<>();
  final List<String> controllerStates = new ArrayList<>();
  final List<String> controllerTriggers = new ArrayList<>();
  final List<Integer> mtus = new ArrayList<>();
  final Set<String> limits = new TreeSet<>();
  final Map<LossCause, Integer> lost = new EnumMap<>(LossCause.class);
  final Map<ControllerEvent, Integer> decisions = new EnumMap<>(ControllerEvent.class);
  final Set<Integer> lostNow = new HashSet<>();
  final List<Long> limitSince = new ArrayList<>();
  long reducedBytes;
  int sent;
  int sentAgain;
  int received;
  int ignored;
  long ackedBytes;
  int spuriousSentAgain;
  int spuriousInTime;
  int metrics;
  long cwndBytes;
  long queuingDelayMicros;
  long smoothedRttMicros;
  String closed = "";
  long latestMicros = Long.MIN_VALUE;

  private RecordingTrace(InetSocketAddress remote, boolean initiator, int receiveId) {
    this.remote = remote;
    this.initiator = initiator;
    this.receiveId = receiveId;
  }

  /** Adds one for every connection to {@code traces}. */
  static EndpointTrace into(List<RecordingTrace> traces) {
    return (remote, initiator, receiveId, nowMicros) -> {
      RecordingTrace trace = new RecordingTrace(remote, initiator, receiveId);
      trace.at(nowMicros);
      traces.add(trace);
      return trace;
    };
  }

  private void at(long nowMicros) {
    if (nowMicros < latestMicros) {
      throw new IllegalStateException("told of " + nowMicros + " after " + latestMicros);
    }
    latestMicros = nowMicros;
  }

  @Override
  public void packetSent(Packet packet, boolean again, long nowMicros) {
    at(nowMicros);
    sent++;
    if (again) {
      sentAgain++;
    }
    if (again && packet.type() == PacketType.ST_DATA) {
      lostNow.remove(packet.seqNr());
    }
  }

  @Override
  public void packetReceived(Packet packet, long nowMicros) {
    at(nowMicros);
    received++;
  }

  @Override
  public void packetIgnored(Packet packet, long nowMicros) {
    at(nowMicros);
    ignored++;
  }

  @Override
  public void packetAcked(int seqNr, int payloadBytes, long nowMicros) {
    at(nowMicros);
    ackedBytes += payloadBytes;
    lostNow.remove(seqNr);
  }

  @Override
  public void packetLost(int seqNr, int payloadBytes, LossCause cause, long nowMicros) {
    at(nowMicros);
    lost.merge(cause, 1, Integer::sum);
    if (!lostNow.add(seqNr)) {
      throw new IllegalStateException("lost twice without being sent again: " + seqNr);
    }
  }

  @Override
  public void packetSpurious(int seqNr, int payloadBytes, boolean again, long nowMicros) {
    at(nowMicros);
    if (again) {
      spuriousSentAgain++;
    } else {
      spuriousInTime++;
    }
  }

  @Override
  public void metricsUpdated(Metrics now, long nowMicros) {
    at(nowMicros);
    metrics++;
    cwndBytes = now.cwndBytes();
    queuingDelayMicros = now.queuingDelayMicros();
    smoothedRttMicros = now.smoothedRttMicros();
  }

  @Override
  public void limitChanged(String limit, long sinceMicros, long nowMicros) {
    at(nowMicros);
    if (sinceMicros >= nowMicros) {
      throw new IllegalStateException(limit + " held for no time");
    }
    limits.add(limit);
    limitSince.add(sinceMicros);
  }

  @Override
  public void controllerDecided(
      ControllerEvent event, long cwndBeforeBytes, long cwndAfterBytes, long nowMicros) {
    at(nowMicros);
    decisions.merge(event, 1, Integer::sum);
    reducedBytes += cwndBeforeBytes - cwndAfterBytes;
  }

  @Override
  public void controllerChanged(String name, long nowMicros) {
    at(nowMicros);
    controllers.add(name);
  }

  @Override
  public void controllerState(String state, String trigger, long nowMicros) {
    at(nowMicros);
    controllerStates.add(state);
    controllerTriggers.add(trigger);
  }

  @Override
  public void mtuChanged(int datagramBytes, long nowMicros) {
    at(nowMicros);
    mtus.add(datagramBytes);
  }

  @Override
  public void stateChanged(String state, long nowMicros) {
    at(nowMicros);
    states.add(state);
  }

  @Override
  public void closed(String reason, long nowMicros) {
    at(nowMicros);
    closed = reason;
  }
}
