package ebb.selfbench.side;

import ebb.ledbat.config.LedbatConfig;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Side;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import se.sics.kompics.network.Transport;

/** The sides of Ebb's own subjects: which class a process runs, with which arguments. */
public final class Sides {
  private Sides() {}

  /**
   * Receives one LEDBAT stream.
   *
   * @param verify whether the sender is {@link #streamSource}, so that the content can be checked
   */
  public static Side streamSink(BenchMode mode, boolean verify) {
    return Side.jvm(StreamSink.class, datagrams(mode, String.valueOf(verify)));
  }

  /** Sends one endless LEDBAT stream. */
  public static Side streamSource(BenchMode mode) {
    return Side.jvm(StreamSource.class, datagrams(mode));
  }

  /** Receives bare datagrams. */
  public static Side rawSink(BenchMode mode) {
    return Side.jvm(RawSink.class, context -> List.of(mode.name()));
  }

  /** Sends bare datagrams. */
  public static Side rawSource(BenchMode mode) {
    return Side.jvm(RawSource.class, datagrams(mode));
  }

  /** Either end of a stream by the kernel's TCP. */
  public static Side tcp() {
    return Side.jvm(TcpStream.class, context -> List.of());
  }

  /** Either end of a stream with a key. */
  public static Side keyedStream() {
    return Side.jvm(KeyedStream.class, context -> List.of(String.valueOf(context.datagramBytes())));
  }

  /** Either end of messages through a Kompics port. */
  public static Side messages(Transport transport, int messageBytes) {
    return Side.jvm(
        MessageNode.class,
        context ->
            List.of(
                transport.name(),
                String.valueOf(messageBytes),
                String.valueOf(context.datagramBytes())));
  }

  /** Receives many connections, by so many loops. */
  public static Side crowdSink(int connections, int loops) {
    return Side.jvm(CrowdSink.class, crowd(connections, loops));
  }

  /** Sends by many connections, of so many loops. */
  public static Side crowdSource(int connections, int loops) {
    return Side.jvm(CrowdSource.class, crowd(connections, loops));
  }

  private static Function<BenchContext, List<String>> crowd(int connections, int loops) {
    return datagrams(BenchMode.AUTO, String.valueOf(loops), String.valueOf(connections));
  }

  /** Sends back what it gets, over LEDBAT or datagram by datagram. */
  public static Side echoServer(boolean ledbat) {
    return Side.jvm(EchoServer.class, datagrams(BenchMode.AUTO, kind(ledbat)));
  }

  /** Times the return of small messages. */
  public static Side echoClient(boolean ledbat, int perSecond) {
    return Side.jvm(
        EchoClient.class, datagrams(BenchMode.AUTO, kind(ledbat), String.valueOf(perSecond)));
  }

  /** Sends single packets and keeps their one-way delays. */
  public static Side delaySource(int perSecond) {
    return Side.jvm(DelaySource.class, datagrams(BenchMode.AUTO, String.valueOf(perSecond)));
  }

  private static String kind(boolean ledbat) {
    return ledbat ? "ebb" : "udp";
  }

  private static Function<BenchContext, List<String>> datagrams(BenchMode mode, String... more) {
    return context -> {
      List<String> all = new ArrayList<>();
      all.add(mode.name());
      all.add(String.valueOf(context.datagramBytes()));
      all.addAll(Arrays.asList(more));
      return all;
    };
  }

  /** Full-sized datagrams from the start: this measures the transport, not the path MTU search. */
  static LedbatConfig config(int datagramBytes) {
    return LedbatConfig.defaults().toBuilder()
        .maxDatagramBytes(datagramBytes)
        .initialDatagramBytes(datagramBytes)
        .build();
  }
}
