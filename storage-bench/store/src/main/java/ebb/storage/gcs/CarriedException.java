package ebb.storage.gcs;

import ebb.core.attempts.RequestFailedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Takes an exception of ours through the library, which knows only its own and I/O errors. */
final class CarriedException extends IOException {
  private static final long serialVersionUID = 1;

  private final Exception carried;

  CarriedException(Exception carried) {
    super(carried);
    this.carried = carried;
  }

  /** Throws what was carried through {@code failure}; returns when that is the library's own. */
  static void unpack(Throwable failure) throws RequestFailedException, IOException {
    CarriedException found = find(failure);
    if (found == null) {
      return;
    }
    if (found.carried instanceof RequestFailedException store) {
      throw store;
    }
    throw found.carried instanceof IOException io ? io : found;
  }

  private static @Nullable CarriedException find(Throwable failure) {
    Throwable at = failure;
    for (int depth = 0; at != null && depth < 20; depth++, at = at.getCause()) {
      if (at instanceof CarriedException found) {
        return found;
      }
    }
    return null;
  }
}
