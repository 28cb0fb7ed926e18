package ebb.storage.demo;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.core.units.BitRate;
import ebb.core.units.Human;
import ebb.core.units.Micros;
import ebb.storage.gcs.GcsStore;
import ebb.storage.gcs.GcsStores;
import ebb.storage.gcs.Variant;
import ebb.storage.store.OpenStore;
import ebb.storage.store.StoreProvider;
import ebb.storage.store.StoreSettings;
import ebb.storage.store.StoreTarget;
import java.io.IOException;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Cloud Storage's JSON API in this process, as {@code demo:}: a {@link DemoServer} for each. */
public final class DemoStores implements StoreProvider {
  /** The words: a rate, a time, and {@link Fault}s, a line each. */
  public static final String RATE = "demo-rate";

  public static final String LATENCY = "demo-latency";
  public static final String FAULTS = "demo-fault";

  /** An address of this machine to serve at; loopback without it. */
  public static final String LISTEN = "demo-listen";

  @Override
  public String scheme() {
    return "demo";
  }

  @Override
  public String usage() {
    return "demo: (a service in this process)";
  }

  @Override
  public Set<String> words() {
    return Set.of(
        "endpoint", "project", "location", GcsStores.VARIANT, RATE, LATENCY, FAULTS, LISTEN);
  }

  @Override
  public StoreTarget target(String place) {
    return StoreTarget.ofContainer(this, place);
  }

  @Override
  public OpenStore open(StoreTarget target, StoreSettings settings) throws RequestFailedException {
    if (Variant.GRPC.word().equals(settings.word(GcsStores.VARIANT))) {
      throw new RequestFailedException(
          FailureKind.INVALID,
          "the demo endpoint does not speak gRPC; give a target or --endpoint that does");
    }
    BitRate rate;
    Micros latency;
    DemoServer server;
    try {
      rate = BitRate.parse(settings.words().getOrDefault(RATE, "0"));
      latency = Micros.parse(settings.words().getOrDefault(LATENCY, "0"));
      List<Fault> faults =
          settings.words().getOrDefault(FAULTS, "").lines().map(Fault::parse).toList();
      Shape shape = new Shape(rate.bytesPerSecond(), latency.micros());
      String at = settings.words().get(LISTEN);
      server =
          at == null ? DemoServer.start(shape) : DemoServer.start(shape, InetAddress.getByName(at));
      faults.forEach(server.faults()::add);
    } catch (IllegalArgumentException e) {
      throw new RequestFailedException(FailureKind.INVALID, OneLine.of(e), e);
    } catch (IOException e) {
      throw new RequestFailedException(
          FailureKind.INTERNAL, "the demo endpoint did not start: " + OneLine.of(e), e);
    }
    GcsStore store;
    try {
      store = GcsStores.store(server.url(), server.tokenServer(), settings);
    } catch (RequestFailedException | RuntimeException e) {
      server.close();
      throw e;
    }
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("endpoint", "demo");
    facts.put("store", "Cloud Storage's API, demo endpoint");
    facts.put("demo_rate", rate.toString());
    facts.put("demo_latency", latency.toString());
    String fast =
        rate.bitsPerSecond() == 0
            ? "as fast as the machine"
            : "made to give " + Human.byteRate((double) rate.bytesPerSecond());
    return new OpenStore(
        store,
        "the demo endpoint",
        server.roomBytes(),
        facts,
        List.of(
            "the demo endpoint is in this process, "
                + fast
                + " and "
                + latency
                + ": it shows that everything works, not how fast a cloud is"),
        Map.of("endpoint", server.url(), GcsStores.TOKEN_SERVER, server.tokenServer()),
        server::close);
  }
}
