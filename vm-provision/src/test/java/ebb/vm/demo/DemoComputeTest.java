package ebb.vm.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.time.SleepClock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fake refuses what Google's document does not have, in the shape of Google's errors. */
class DemoComputeTest {
  private static final String GOOD =
      """
      {"name": "a", "machineType": "zones/us-central1-a/machineTypes/n2-standard-4",
       "disks": [{"boot": true, "autoDelete": true, "type": "PERSISTENT", "initializeParams":
         {"sourceImage": "projects/debian-cloud/global/images/family/debian-12",
          "diskType": "zones/us-central1-a/diskTypes/pd-ssd", "diskSizeGb": "20"}}],
       "networkInterfaces": [{"network": "global/networks/default"}],
       "scheduling": {"maxRunDuration": {"seconds": "3600"}, "instanceTerminationAction": "DELETE"}}
      """;
  private static final String SEVERAL =
      """
      {"count": "3", "minCount": "2", "namePattern": "web-##", "instanceProperties": {
       "machineType": "n2-standard-4",
       "disks": [{"boot": true, "autoDelete": true, "initializeParams":
         {"sourceImage": "projects/debian-cloud/global/images/family/debian-12",
          "diskType": "pd-ssd"}}],
       "networkInterfaces": [{"network": "global/networks/default"}]}}
      """;
  private static final String INSTANCES = "/zones/us-central1-a/instances";
  private static final String OPERATIONS = "/zones/us-central1-a/operations";

  private final HttpClient client = HttpClient.newHttpClient();
  private DemoCompute fake;

  @BeforeEach
  void start() throws Exception {
    fake = DemoCompute.start(new TestClock());
  }

  @AfterEach
  void stop() {
    fake.close();
  }

  private HttpResponse<String> ask(String method, String path, String body) throws Exception {
    URI uri = URI.create(fake.url() + "compute/v1/projects/" + DemoCompute.PROJECT + path);
    HttpRequest.BodyPublisher publisher =
        body.isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    return client.send(
        HttpRequest.newBuilder(uri).method(method, publisher).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private void refused(String method, String path, String body, int code, String... words)
      throws Exception {
    HttpResponse<String> response = ask(method, path, body);
    assertThat(response.statusCode()).isEqualTo(code);
    Map<String, Object> error = Json.object(JSON.std.mapFrom(response.body()).get("error"));
    assertThat(error).containsEntry("code", code).containsKeys("message", "errors");
    Map<String, Object> first = Json.object(Json.list(error.get("errors")).get(0));
    assertThat(first).containsOnlyKeys("message", "domain", "reason");
    assertThat(Json.text(error.get("message"))).contains(words);
    assertThat(fake.instanceCount()).isZero();
  }

  private void refusedInstance(String right, String wrong, String... words) throws Exception {
    assertThat(GOOD).contains(right);
    refused("POST", INSTANCES, GOOD.replace(right, wrong), 400, words);
  }

  @Test
  void whatIsRightIsTakenOn() throws Exception {
    HttpResponse<String> response = ask("POST", INSTANCES, GOOD);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(JSON.std.mapFrom(response.body()))
        .containsEntry("kind", "compute#operation")
        .containsEntry("operationType", "insert");
    assertThat(fake.instanceCount()).isEqualTo(1);
    assertThat(fake.ownMistakes()).isEmpty();
  }

  /** Others' waits move the clock while a request is answered. */
  @Test
  void whatHasJustBegunHasNotEnded() throws Exception {
    fake.close();
    AtomicLong nowMicros = new AtomicLong();
    fake =
        DemoCompute.start(
            new SleepClock() {
              @Override
              public long nowMicros() {
                return nowMicros.addAndGet(10_000_000);
              }

              @Override
              public void sleep(Duration time) {}
            });
    assertThat(JSON.std.mapFrom(ask("POST", INSTANCES, GOOD).body()))
        .containsEntry("status", "PENDING");
    assertThat(JSON.std.mapFrom(ask("POST", INSTANCES + "/bulkInsert", SEVERAL).body()))
        .containsEntry("status", "PENDING");
  }

  @Test
  void whatIsNullIsNotGiven() throws Exception {
    String body = GOOD.replace("\"autoDelete\"", "\"source\": null, \"autoDelete\"");
    assertThat(body).isNotEqualTo(GOOD);
    assertThat(ask("POST", INSTANCES, body).statusCode()).isEqualTo(200);
  }

  @Test
  void listsHaveWhatIsFoundOneByOne() throws Exception {
    fake.pageSize(500);
    for (String path :
        List.of(
            "/regions",
            "/global/networks",
            "/zones/us-central1-a/machineTypes",
            "/zones/us-central1-a/diskTypes")) {
      List<?> items = Json.list(JSON.std.mapFrom(ask("GET", path, "").body()).get("items"));
      assertThat(items).as(path).isNotEmpty();
      for (Object item : items) {
        Map<String, Object> one = Json.object(item);
        String link = Json.text(one.get("selfLink"));
        String alone = link.substring(link.indexOf(path));
        assertThat(JSON.std.mapFrom(ask("GET", alone, "").body())).isEqualTo(one);
      }
    }
    assertThat(fake.ownMistakes()).isEmpty();
  }

  @Test
  void fieldsThatAreNotInTheDocumentAreRefused() throws Exception {
    refusedInstance("\"autoDelete\"", "\"autodelete\"", "Unknown name \"autodelete\"", "disks[0]");
    refusedInstance("\"networkInterfaces\"", "\"networks\"", "Unknown name \"networks\"");
  }

  @Test
  void wrongTypesAreRefused() throws Exception {
    // A 64-bit number is text in JSON.
    refusedInstance("\"diskSizeGb\": \"20\"", "\"diskSizeGb\": 20", "diskSizeGb", "string");
    refusedInstance("\"diskSizeGb\": \"20\"", "\"diskSizeGb\": \"20 GB\"", "int64");
    refusedInstance("\"boot\": true", "\"boot\": \"true\"", "boot", "boolean");
    refusedInstance("{\"seconds\": \"3600\"}", "3600", "maxRunDuration", "object");
  }

  @Test
  void valuesThatAreNotListedAreRefused() throws Exception {
    refusedInstance("\"DELETE\"", "\"REMOVE\"", "instanceTerminationAction", "REMOVE");
    refusedInstance("\"PERSISTENT\"", "\"persistent\"", "disks[0].type", "persistent");
  }

  @Test
  void namesThatDoNotMatchAreRefused() throws Exception {
    refusedInstance("\"name\": \"a\"", "\"name\": \"A\"", "Instance.name", "regex");
    refused("GET", "/zones/us-central1-a/instances/A_b", "", 400, "regex");
  }

  @Test
  void parametersAndMethodsThatAreNotInTheDocumentAreRefused() throws Exception {
    refused("POST", INSTANCES + "?requestID=1", GOOD, 400, "Unknown name \"requestID\"");
    refused("PUT", INSTANCES, GOOD, 404, "No method");
    refused("POST", INSTANCES, "", 400, "resource");
    refused("POST", INSTANCES, "{", 400, "Parse Error");
    refused("POST", INSTANCES + "?requestId=1", GOOD, 400, "UUID");
    refused("GET", INSTANCES + "?maxResults=ten", "", 400, "maxResults");
  }

  @Test
  void whatTheCloudDoesNotHaveIsRefused() throws Exception {
    refused("POST", "/zones/mars-north1-a/instances", GOOD, 400, "Unknown zone");
    refusedInstance("n2-standard-4", "n2-standard-5", "machineType", "cannot be found");
    refused("POST", INSTANCES, GOOD.replace("debian-12", "debian-8"), 404, "debian-8");
    refusedInstance(", \"instanceTerminationAction\": \"DELETE\"", "", "termination action");
    refused("GET", INSTANCES + "/a", "", 404, "was not found");
  }

  private void refusedSeveral(String right, String wrong, String... words) throws Exception {
    assertThat(SEVERAL).contains(right);
    refused("POST", INSTANCES + "/bulkInsert", SEVERAL.replace(right, wrong), 400, words);
  }

  @Test
  void severalAreRefusedWhenTheyCannotBeMeant() throws Exception {
    refusedSeveral("\"count\": \"3\"", "\"count\": \"1001\"", "resource.count");
    refusedSeveral("\"minCount\": \"2\"", "\"minCount\": \"4\"", "resource.minCount");
    refusedSeveral("web-##", "web-#-#", "resource.namePattern");
    refusedSeveral(
        "\"namePattern\"", "\"perInstanceProperties\": {\"a\": {}}, \"namePattern\"", "Either it");
    refusedSeveral(
        "\"namePattern\": \"web-##\",", "\"perInstanceProperties\": {\"A\": {}},", "regex");
    refusedSeveral(
        "\"namePattern\": \"web-##\",", "\"perInstanceProperties\": {\"a\": {}},", "fewer");
    refusedSeveral("\"pd-ssd\"", "\"zones/us-central1-a/diskTypes/pd-ssd\"", "diskType");
    refusedSeveral("\"boot\"", "\"name\": \"a\", \"boot\"", "Unknown name");
    refused("GET", OPERATIONS + "?filter=status%21%3DDONE", "", 400, "filter");
  }

  @Test
  void severalAreNumberedAndTheirOperationsBelongTogether() throws Exception {
    Map<String, Object> first = begun(SEVERAL);
    assertThat(first).containsEntry("operationType", "bulkInsert");
    begun(SEVERAL);
    assertThat(fake.instances())
        .extracting(one -> one.get("name"))
        .containsExactly("web-01", "web-02", "web-03", "web-04", "web-05", "web-06");
    Object group = first.get("operationGroupId");
    Object found =
        JSON.std
            .mapFrom(ask("GET", OPERATIONS + "?filter=operationGroupId%3D" + group, "").body())
            .get("items");
    assertThat(Json.list(found))
        .extracting(one -> Json.object(one).get("operationType"))
        .containsExactly("bulkInsert", "insert", "insert", "insert");
    assertThat(fake.ownMistakes()).isEmpty();
  }

  @Test
  void someOfThemAreEnoughWhenSoManyAreWanted() throws Exception {
    // Two of 96 are all that the region's quota has room for.
    String large = SEVERAL.replace("n2-standard-4", "n2-standard-96");
    Map<String, Object> asked = begun(large);
    Map<String, Object> done =
        JSON.std.mapFrom(ask("POST", OPERATIONS + "/" + asked.get("name") + "/wait", "").body());
    assertThat(done).containsEntry("status", "DONE").doesNotContainKey("error");
    assertThat(Json.text(done.get("instancesBulkInsertOperationMetadata")))
        .contains("targetVmCount=3", "createdVmCount=2", "failedToCreateVmCount=1");
    assertThat(fake.instanceCount()).isEqualTo(2);
    assertThat(fake.ownMistakes()).isEmpty();
  }

  @Test
  void aPathOfAMachineTypeIsAnInternalErrorAsGoogleSays() throws Exception {
    Map<String, Object> asked =
        begun(SEVERAL.replace("n2-standard-4", "zones/us-central1-a/machineTypes/n2-standard-4"));
    String done = ask("POST", OPERATIONS + "/" + asked.get("name") + "/wait", "").body();
    assertThat(done).contains("INTERNAL_ERROR");
    assertThat(fake.instanceCount()).isZero();
  }

  private Map<String, Object> begun(String body) throws Exception {
    HttpResponse<String> response = ask("POST", INSTANCES + "/bulkInsert", body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.std.mapFrom(response.body());
  }
}
