package ebb.vm.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link DemoCloud} is, which a file tells the other commands of this user.
 *
 * @param compute Compute Engine's API, a base URL that ends with a slash
 * @param storage Cloud Storage's, without one
 * @param pid the process that it is
 */
public record DemoPlace(String compute, String storage, long pid) {
  private static final String FILE = "demo.json";
  private static volatile @Nullable DemoPlace ofThisProcess;

  /** The cloud of this process, which has one at most; null for none. */
  static void ofThisProcess(@Nullable DemoPlace place) {
    ofThisProcess = place;
  }

  /**
   * The one of this process, else the one that is served for a directory of runs; empty when its
   * process is gone.
   */
  public static Optional<DemoPlace> find(Path directory) {
    DemoPlace here = ofThisProcess;
    if (here != null) {
      return Optional.of(here);
    }
    try {
      Map<String, Object> json = JSON.std.mapFrom(Files.readString(directory.resolve(FILE)));
      if (json.get("compute") instanceof String compute
          && json.get("storage") instanceof String storage
          && json.get("pid") instanceof Number pid
          && ProcessHandle.of(pid.longValue()).filter(ProcessHandle::isAlive).isPresent()) {
        return Optional.of(new DemoPlace(compute, storage, pid.longValue()));
      }
      return Optional.empty();
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  /** Tells others of it. */
  public void announce(Path directory) throws IOException {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("compute", compute);
    json.put("storage", storage);
    json.put("pid", pid);
    Files.createDirectories(directory);
    Path part = directory.resolve(FILE + "." + pid);
    Files.writeString(part, JSON.std.asString(json));
    Files.move(part, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Takes that back. */
  public void withdraw(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(FILE));
  }
}
