package ebb.vm.local;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.vm.port.Firewall;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.FirewallSpec.Allowed;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Firewall rules as files: they are listed and deleted, and let nobody in or out. */
final class LocalRules {
  private static final String SUFFIX = ".json";

  private final Path directory;

  LocalRules(Path directory) {
    this.directory = directory;
  }

  private Path file(String name) {
    return directory.resolve(name + SUFFIX);
  }

  void create(FirewallSpec spec, RequestId requestId) throws RequestFailedException {
    try {
      Files.createDirectories(directory);
      Path file = file(spec.name());
      if (Files.exists(file)) {
        if (requestId.toString().equals(read(file).get("request"))) {
          return;
        }
        throw new RequestFailedException(
            FailureKind.ALREADY_EXISTS, "there is a rule '" + spec.name() + "' already");
      }
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("name", spec.name());
      json.put("network", spec.network());
      json.put("labels", spec.labels().asLine());
      json.put("request", requestId.toString());
      json.put("allowed", spec.allowed().stream().map(LocalRules::text).toList());
      json.put("ranges", spec.sourceRanges());
      json.put("tags", List.copyOf(spec.sourceTags()));
      json.put("targets", List.copyOf(spec.targetTags()));
      Path part = directory.resolve("." + spec.name());
      Files.writeString(part, JSON.std.asString(json));
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw LocalProvider.failed("rule " + spec.name(), e);
    }
  }

  private static String text(Allowed one) {
    return one.protocol()
        + ":"
        + String.join(",", one.sortedPorts().stream().map(String::valueOf).toList());
  }

  private static Map<String, Object> read(Path file) throws IOException {
    return JSON.std.mapFrom(Files.readString(file));
  }

  List<Firewall> list(@Nullable String runId) throws RequestFailedException {
    List<Firewall> found = new ArrayList<>();
    if (!Files.isDirectory(directory)) {
      return found;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "[!.]*" + SUFFIX)) {
      for (Path file : files) {
        Map<String, Object> json = read(file);
        RunLabels labels = RunLabels.ofLine(String.valueOf(json.get("labels"))).orElse(null);
        if (runId == null || (labels != null && labels.runId().equals(runId))) {
          found.add(
              new Firewall(
                  String.valueOf(json.get("name")),
                  String.valueOf(json.get("network")),
                  texts(json.get("allowed")),
                  texts(json.get("ranges")),
                  texts(json.get("tags")),
                  texts(json.get("targets")),
                  labels));
        }
      }
    } catch (IOException e) {
      throw LocalProvider.failed("rules", e);
    }
    return found;
  }

  private static List<String> texts(@Nullable Object list) {
    return list instanceof List<?> all ? all.stream().map(String::valueOf).toList() : List.of();
  }

  void delete(String name) throws RequestFailedException {
    try {
      Files.delete(file(name));
    } catch (NoSuchFileException e) {
      throw new RequestFailedException(FailureKind.NOT_FOUND, "there is no rule '" + name + "'", e);
    } catch (IOException e) {
      throw LocalProvider.failed("rule " + name, e);
    }
  }
}
