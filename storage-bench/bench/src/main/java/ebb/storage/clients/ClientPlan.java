package ebb.storage.clients;

import ebb.storage.bench.Fields;
import ebb.storage.bench.RunPlan;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.bench.StorageCase;
import ebb.storage.bench.WarmUp;
import ebb.storage.store.StoreSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a client has to know before it begins. There are no credentials in it: each machine uses its
 * own.
 *
 * @param plan of all clients together
 * @param startedSeconds since 1970, for labels
 * @param target as it is typed
 * @param attempts of each operation
 */
record ClientPlan(
    RunPlan plan, long startedSeconds, String target, StoreSettings settings, int attempts) {
  private static final long FAR = Long.MAX_VALUE / 4;
  private static final int MANY = 1_000_000;

  /** To be sent to the client of that number, from 0. */
  Map<String, Object> message(int client, int clients) {
    Map<String, Object> message = Wire.message(Wire.ASK, Wire.PLAN);
    message.put("client", client);
    message.put("clients", clients);
    message.put("started", startedSeconds);
    message.put("target", target);
    message.put("words", settings.words());
    message.put("parallel", settings.parallel());
    message.put("request_attempts", settings.requestAttempts());
    message.put("attempts", attempts);
    message.put("container", plan.container());
    message.put("run", plan.runId());
    message.put("object_bytes", plan.objectBytes());
    message.put("time_micros", plan.timeMicros());
    message.put("repetitions", plan.repetitions());
    message.put("seed", plan.seed());
    message.put("warm_up", plan.warmUp().kind().name());
    message.put("warm_up_micros", plan.warmUp().micros());
    List<Map<String, Object>> items = new ArrayList<>();
    for (Item item : plan.items()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("case", item.of().name());
      one.put("processes", item.processes());
      one.put("interval_micros", item.intervalMicros());
      one.put("rate", item.ratePerSecond());
      items.add(one);
    }
    message.put("items", items);
    return message;
  }

  /**
   * What {@link #message} wrote, as the client sees it: the plan is its own.
   *
   * @throws IllegalArgumentException with one line, for anything else
   */
  static ClientPlan of(Fields message) {
    List<Item> items = new ArrayList<>();
    for (Fields item : message.objects("items")) {
      items.add(
          new Item(
              StorageCase.parse(item.text("case")),
              (int) item.number("processes", 1, MANY),
              item.number("interval_micros", 0, FAR),
              item.amount("rate")));
    }
    int clients = (int) message.number("clients", 1, MANY);
    RunPlan all =
        new RunPlan(
            items,
            message.text("container"),
            false,
            message.text("run"),
            message.number("object_bytes", 1, FAR),
            message.number("time_micros", 1, FAR),
            (int) message.number("repetitions", 1, MANY),
            message.number("seed", Long.MIN_VALUE, Long.MAX_VALUE),
            new WarmUp(
                message.word("warm_up", WarmUp.Kind.class),
                message.number("warm_up_micros", 0, FAR)));
    return new ClientPlan(
        all.ofClient((int) message.number("client", 0, clients - 1L), clients),
        message.number("started", 0, FAR),
        message.text("target"),
        new StoreSettings(
            (int) message.number("parallel", 1, MANY),
            (int) message.number("request_attempts", 1, MANY),
            message.object("words").textsByName()),
        (int) message.number("attempts", 1, MANY));
  }
}
