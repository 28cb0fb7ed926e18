package ebb.ledbat.kompics;

import ebb.ledbat.congestion.LedbatParameters;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.stream.StreamFlow;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import se.sics.kompics.KompicsEvent;

/**
 * What users of {@link LedbatStreams} ask, for a component that provides it: each request crosses
 * to the endpoint's context as a task. Owns neither the endpoint nor its streams.
 */
final class StreamRequests {
  private final DriverSlot driver;
  private final LongFunction<@Nullable StreamTable> tables;
  private final Consumer<KompicsEvent> indications;
  private final Logger log;

  /**
   * @param tables which has the stream of an id; null while there is no endpoint
   */
  StreamRequests(
      DriverSlot driver,
      LongFunction<@Nullable StreamTable> tables,
      Consumer<KompicsEvent> indications,
      Logger log) {
    this.driver = driver;
    this.tables = tables;
    this.indications = indications;
    this.log = log;
  }

  void connect(LedbatStreams.Connect event) {
    StreamTable streams = tables.apply(event.streamId());
    if (streams == null
        || !driver.execute(
            streams.loop(),
            (endpoint, now) ->
                streams.connect(
                    (remote, listener, nowMicros) ->
                        driver.connect(streams.loop(), endpoint, remote, listener, nowMicros),
                    event.streamId(),
                    event.remote(),
                    now))) {
      indications.accept(
          new LedbatStreams.ConnectFailed(
              event.streamId(), event.remote(), CloseReason.ENDPOINT_CLOSED));
    }
  }

  void write(LedbatStreams.Write event) {
    withStream(event.streamId(), (stream, now) -> stream.write(event.bytes(), now));
  }

  void demand(LedbatStreams.Demand event) {
    withStream(event.streamId(), (stream, now) -> stream.demand(event.bytes(), now));
  }

  void finish(LedbatStreams.Finish event) {
    withStream(event.streamId(), StreamFlow::finish);
  }

  void abort(LedbatStreams.Abort event) {
    withStream(event.streamId(), StreamFlow::abort);
  }

  void configure(LedbatStreams.Configure event) {
    if (event.targetDelayMicros() < 1
        || event.targetDelayMicros() > LedbatParameters.MAX_TARGET_DELAY_MICROS
        || event.maxRateBytesPerSecond() < 0) {
      log.warn("ignored, out of range: {}", event);
      return;
    }
    withStream(
        event.streamId(),
        (stream, now) ->
            stream.configure(event.targetDelayMicros(), event.maxRateBytesPerSecond()));
  }

  void setController(LedbatStreams.SetController event) {
    withStream(event.streamId(), (stream, now) -> stream.setController(event.factory(), now));
  }

  void sample(LedbatStreams.Sample event) {
    withStream(
        event.streamId(),
        (stream, now) -> {
          ConnectionStats stats = stream.sample(now);
          if (stats != null) {
            indications.accept(new LedbatStreams.Sampled(event.streamId(), stats));
          }
        });
  }

  private interface StreamTask {
    void run(StreamFlow stream, long nowMicros);
  }

  private void withStream(long streamId, StreamTask task) {
    StreamTable streams = tables.apply(streamId);
    if (streams != null) {
      driver.execute(
          streams.loop(),
          (endpoint, now) -> {
            StreamFlow stream = streams.get(streamId);
            if (stream != null) {
              task.run(stream, now);
            }
          });
    }
  }
}
