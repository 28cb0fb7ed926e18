package ebb.storage.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.RetryPolicy;
import ebb.storage.bench.Leftovers;
import ebb.storage.bench.RunPlan;
import ebb.storage.client.OperationRunner;
import ebb.storage.command.StorageRunCommandTest.Ran;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Fault;
import ebb.storage.demo.Shape;
import ebb.storage.gcs.GcsOptions;
import ebb.storage.gcs.GcsStore;
import ebb.storage.port.RandomContent;
import ebb.storage.store.DirectoryStore;
import ebb.storage.store.ObjectStore;
import ebb.storage.store.StoreCall;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageGcCommandTest {
  @TempDir Path root;

  private static StoreCall call() {
    return new StoreCall(() -> false, bytes -> {});
  }

  private static void leave(ObjectStore store, String name, Map<String, String> labels)
      throws Exception {
    store.createContainer(name, labels, call());
    store.put(name, "ebb-run-abcd/x", new RandomContent(1, 10), false, labels, call());
  }

  private static Map<String, String> labels(String run, long startedSeconds) {
    return Map.of(RunPlan.RUN_LABEL, run, RunPlan.STARTED_LABEL, Long.toString(startedSeconds));
  }

  private Ran gc(String answer, String... more) {
    String[] args = new String[4 + more.length];
    args[0] = "storage";
    args[1] = "gc";
    args[2] = "--target";
    args[3] = "file:" + root;
    System.arraycopy(more, 0, args, 4, more.length);
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
    try {
      return StorageRunCommandTest.ebb(args);
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void onlyOldLeftoversOfRunsAreDeletedAndOnlyAfterAYes() throws Exception {
    long now = System.currentTimeMillis() / 1_000;
    try (ObjectStore store = new DirectoryStore(root, DirectoryStore.Sync.NONE)) {
      leave(store, "ebb-run-abcd", labels("abcd", now - 7_200));
      leave(store, "ebb-run-efgh", labels("efgh", now));
      leave(store, "ebb-run-mine", Map.of("owner", "somebody"));
      leave(store, "precious", Map.of());
      for (String answer : new String[] {"", "n\n", "yes please\n"}) {
        assertThat(gc(answer).out()).contains("nothing deleted").contains("too new");
        assertThat(store.containers("", call())).hasSize(4);
      }
      Ran ran = gc("y\n");
      assertThat(ran.code()).isZero();
      assertThat(ran.out()).contains("1 deleted").doesNotContain("precious", "mine");
      assertThat(store.containers("", call()))
          .extracting("name")
          .containsExactly("ebb-run-efgh", "ebb-run-mine", "precious");
      assertThat(gc("", "--yes", "--older-than", "0").out()).contains("1 deleted");
      assertThat(gc("", "--yes", "--older-than", "0").out()).contains("nothing is left");
    }
  }

  @Test
  void bucketsAndObjectsAreFoundByTheirLabels() throws Exception {
    long now = System.currentTimeMillis() / 1_000;
    try (DemoServer server = DemoServer.start(Shape.none());
        ObjectStore store = new GcsStore(GcsOptions.standard(server.url(), null))) {
      leave(store, "ebb-run-abcd", labels("abcd", 1_000));
      store.createContainer("precious", Map.of(), call());
      put(store, "data", Map.of());
      put(store, "ebb-run-abcd/x", labels("abcd", 1_000));
      put(store, "ebb-run-efgh/x", labels("efgh", now));
      // Somebody's copies: a run's name without its label, and the other way round.
      put(store, "ebb-run-ijkl/x", Map.of());
      put(store, "ebb-run-mnop/x", labels("abcd", 1_000));
      put(store, "kept/x", labels("abcd", 1_000));
      assertThat(Leftovers.containers(new OperationRunner(store, RetryPolicy.off()))).hasSize(1);
      String[] gc = {"storage", "gc", "--endpoint", server.url(), "--yes", "--target", "gs://"};
      Ran ran = StorageRunCommandTest.ebb(gc);
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(server.bucketCount()).isEqualTo(1);
      gc[6] = "gs://precious";
      ran = StorageRunCommandTest.ebb(gc);
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.out()).contains("1 deleted", "too new, left alone", "by their label");
      assertThat(store.list("precious", "", call()))
          .extracting("name")
          .containsExactly("data", "ebb-run-efgh/x", "ebb-run-ijkl/x", "ebb-run-mnop/x", "kept/x");
    }
  }

  @Test
  void whatCannotBeDeletedIsToldAndTheSameCommandGoesOn() throws Exception {
    try (DemoServer server = DemoServer.start(Shape.none());
        ObjectStore store = new GcsStore(GcsOptions.standard(server.url(), null))) {
      leave(store, "ebb-run-abcd", labels("abcd", 1_000));
      leave(store, "ebb-run-efgh", labels("efgh", 1_000));
      server.faults().add(new Fault(Fault.Kind.UNAUTHORIZED, Fault.At.DELETE, 1, 1));
      String[] gc = {
        "storage", "gc", "--endpoint", server.url(), "--yes", "--target", "gs://", "--json"
      };
      Ran ran = StorageRunCommandTest.ebb(gc);
      assertThat(ran.code()).as(ran.err()).isEqualTo(5);
      assertThat(ran.err()).contains("1 deleted of 2", "HTTP 401", "the same command goes on");
      assertThat(ran.out()).contains("\"deleted\":1", "\"exit_code\":5");
      assertThat(server.bucketCount()).isEqualTo(1);
      assertThat(StorageRunCommandTest.ebb(gc).code()).isZero();
      assertThat(server.bucketCount()).isZero();
    }
  }

  private static void put(ObjectStore store, String name, Map<String, String> labels)
      throws Exception {
    store.put("precious", name, new RandomContent(1, 10), false, labels, call());
  }

  @Test
  void withoutATargetNothingIsLookedFor() {
    Ran ran = StorageRunCommandTest.ebb("storage", "gc");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--target is missing");
  }
}
