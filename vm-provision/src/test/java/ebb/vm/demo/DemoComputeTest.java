package ebb.vm.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
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
  private static final String INSTANCES = "/zones/us-central1-a/instances";

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
}
