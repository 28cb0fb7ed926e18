package ebb.storage.store;

import ebb.core.attempts.RequestFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Directories, as {@code file:DIR}. */
public final class DirectoryStores implements StoreProvider {
  private static final String FSYNC = "fsync";

  @Override
  public String scheme() {
    return "file";
  }

  @Override
  public String usage() {
    return "file:DIR";
  }

  @Override
  public Set<String> words() {
    return Set.of(FSYNC);
  }

  @Override
  public boolean isObjectStore() {
    return false;
  }

  @Override
  public StoreTarget target(String place) {
    if (place.isEmpty()) {
      throw new IllegalArgumentException("no directory; give " + usage());
    }
    try {
      return new StoreTarget(this, Path.of(place).toString(), null);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("no directory '" + place + "'", e);
    }
  }

  @Override
  public OpenStore open(StoreTarget target, StoreSettings settings) throws RequestFailedException {
    Path directory = Path.of(target.place());
    boolean sync = "true".equals(settings.word(FSYNC));
    return OpenStore.of(
            new DirectoryStore(
                directory, sync ? DirectoryStore.Sync.EACH_OBJECT : DirectoryStore.Sync.NONE),
            target,
            "none",
            List.of(
                "reads and writes go through the page cache: these are not the device's own"
                    + " figures"))
        .withRoomBytes(usable(directory));
  }

  private static long usable(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }
}
