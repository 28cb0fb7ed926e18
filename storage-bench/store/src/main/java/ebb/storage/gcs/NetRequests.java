package ebb.storage.gcs;

import com.google.api.client.http.HttpTransport;
import com.google.api.client.http.LowLevelHttpRequest;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;

/**
 * Opens the one method of a transport that only transports may call: the library has no other place
 * for a transport around its own.
 */
final class NetRequests {
  private static final MethodHandle BUILD = find();

  private NetRequests() {}

  private static MethodHandle find() {
    try {
      Method method =
          HttpTransport.class.getDeclaredMethod("buildRequest", String.class, String.class);
      method.setAccessible(true);
      return MethodHandles.lookup().unreflect(method);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("another google-http-client than Ebb was built with", e);
    }
  }

  static LowLevelHttpRequest build(HttpTransport transport, String method, String url)
      throws IOException {
    try {
      return (LowLevelHttpRequest) BUILD.invokeExact(transport, method, url);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }
}
