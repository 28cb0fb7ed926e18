package ebb.ledbat.qlog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The records of a qlog file, each of which keeps to the schema that Ebb publishes. */
public final class QlogRecords {
  private static final char RECORD_SEPARATOR = 0x1e;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<JsonNode> events;
  private final JsonNode header;

  private QlogRecords(List<JsonNode> records) {
    header = records.get(0);
    events = records.subList(1, records.size());
  }

  /** Reads a file and fails when a record is not as the schema says, or not complete. */
  public static QlogRecords valid(Path file) {
    try {
      return valid(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static QlogRecords valid(byte[] file) {
    String text = new String(file, StandardCharsets.UTF_8);
    assertThat(text.charAt(0)).as("RFC 7464: a record begins with RS").isEqualTo(RECORD_SEPARATOR);
    JsonSchema schema = schema();
    List<JsonNode> records = new ArrayList<>();
    for (String record : text.substring(1).split(String.valueOf(RECORD_SEPARATOR), -1)) {
      assertThat(record).as("RFC 7464: a record ends with a line feed").endsWith("\n");
      JsonNode node = parse(record);
      assertThat(schema.validate(node)).as(record).isEmpty();
      records.add(node);
    }
    assertThat(records.get(0).has("file_schema")).as("the first record is the header").isTrue();
    QlogRecords all = new QlogRecords(records);
    assertThat(all.events).noneMatch(event -> event.has("file_schema"));
    return all;
  }

  private static JsonNode parse(String record) {
    try {
      return JSON.readTree(record);
    } catch (IOException e) {
      throw new UncheckedIOException(record, e);
    }
  }

  private static JsonSchema schema() {
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schemaNode());
  }

  private static JsonNode schemaNode() {
    try (InputStream in = QlogFile.class.getResourceAsStream("qlog.schema.json")) {
      return JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the events that the schema knows. */
  static Set<String> namesInSchema() {
    Set<String> names = new TreeSet<>();
    schemaNode().findValues("name").forEach(node -> names.add(node.path("const").asText()));
    names.remove("");
    return names;
  }

  public JsonNode header() {
    return header;
  }

  public List<JsonNode> events() {
    return events;
  }

  /** The data of the events of one name. */
  public List<JsonNode> data(String name) {
    return events.stream()
        .filter(event -> event.path("name").asText().equals(name))
        .map(event -> event.path("data"))
        .toList();
  }

  List<JsonNode> ofGroup(String group) {
    return events.stream().filter(e -> e.path("group_id").asText().equals(group)).toList();
  }

  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    events.forEach(event -> names.add(event.path("name").asText()));
    return names;
  }

  public Set<String> groups() {
    Set<String> groups = new TreeSet<>();
    events.forEach(event -> groups.add(event.path("group_id").asText()));
    return groups;
  }
}
