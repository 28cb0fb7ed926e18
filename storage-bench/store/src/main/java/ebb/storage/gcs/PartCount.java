package ebb.storage.gcs;

import com.google.api.client.http.HttpMethods;
import java.util.HashSet;
import java.util.Set;

/**
 * Counts what a composite upload makes and removes beside its object, by its requests. The library
 * removes the parts that it has noted by then, and notes each on a thread of its own: one of many
 * stays when that thread is late. Any thread.
 */
final class PartCount {
  private final Set<String> removed = new HashSet<>();
  private final Set<String> joined = new HashSet<>();

  /** A request is made, perhaps again. */
  synchronized void onRequest(String method, String url) {
    int query = url.indexOf('?');
    String path = query < 0 ? url : url.substring(0, query);
    if (method.equals(HttpMethods.DELETE)) {
      removed.add(path);
    } else if (path.endsWith("/compose")) {
      joined.add(path);
    }
  }

  /**
   * Whether all parts of an object that was put together are gone: those that were sent, and those
   * into which many are joined before.
   */
  synchronized boolean areRemoved(long objectBytes, int partBytes) {
    long sent = (objectBytes + partBytes - 1) / partBytes;
    return removed.size() >= sent + Math.max(0, joined.size() - 1);
  }
}
