package ebb.storage.gcs;

import com.google.api.client.http.HttpTransport;
import com.google.api.client.http.LowLevelHttpRequest;
import com.google.api.client.http.LowLevelHttpResponse;
import com.google.api.client.http.apache.v2.ApacheHttpTransport;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.storage.store.StoreCall;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sees every request and answer of the library, whose retries are silent: counts them into the
 * {@link StoreCall} of the thread. The plain client does an operation's requests on the thread that
 * asked for it; what uses threads of its own has a transport that is {@link #bound} to the
 * operation. It also ends what the library would go on with: tokens that are refused however often
 * they are renewed.
 *
 * <p>Apache's client is below, not the JDK's, which sends a request again by itself when a kept
 * connection breaks before the answer: nobody could count that, and a deletion whose answer was
 * lost would come out as "not found".
 */
final class TrackingTransport extends HttpTransport {
  /** More than transfers are ever under way together; the library's own choice is 20. */
  private static final int MAX_CONNECTIONS = 256;

  private static final int UNAUTHORIZED = 401;
  private static final long MAX_CLEANING_MICROS = 30_000_000;

  /** Who renews a token after a 401, and says only there why that failed. */
  private static final Logger RENEWER =
      Logger.getLogger("com.google.auth.http.HttpCredentialsAdapter");

  static {
    RENEWER.setFilter(record -> !isHeard(record.getThrown()));
  }

  /** The library copies by 8 KiB; the kernel is asked for more at once. */
  private static final int READ_BYTES = 128 * 1_024;

  private final ApacheHttpTransport net =
      new ApacheHttpTransport(
          ApacheHttpTransport.newDefaultHttpClientBuilder()
              .setMaxConnTotal(MAX_CONNECTIONS)
              .setMaxConnPerRoute(MAX_CONNECTIONS)
              .build());
  private static final ThreadLocal<@Nullable Scope> SCOPES = new ThreadLocal<>();

  /** Requests that are answered by 401 one after the other, at most. */
  private final int maxRefused;

  /** One attempt of an operation. */
  private static final class Scope {
    final StoreCall call;
    final String what;

    /** What is to be tried again, by the thread that will: a retry is its next request. */
    private final Map<Thread, Trouble> troubles = new HashMap<>();

    volatile int refused;
    volatile @Nullable String notRenewed;

    private record Trouble(String what, long atMicros) {}

    private @Nullable Thread cleaner;
    private int underWay;

    Scope(StoreCall call, String what) {
      this.call = call;
      this.what = what;
    }

    /** Before a request; refused when the operation is cancelled or only cleaned up after. */
    synchronized void enter() throws IOException {
      try {
        if (cleaner == null) {
          call.checkCancelled();
        } else if (cleaner != Thread.currentThread()) {
          throw new RequestFailedException(FailureKind.CANCELLED, what + ": given up");
        }
      } catch (RequestFailedException cancelled) {
        throw new CarriedException(cancelled);
      }
      underWay++;
    }

    synchronized void leave() {
      underWay--;
      notifyAll();
    }

    synchronized void cleanUp() {
      cleaner = Thread.currentThread();
      long end = call.nowMicros() + MAX_CLEANING_MICROS;
      try {
        for (long left = MAX_CLEANING_MICROS; underWay > 0 && left > 0; ) {
          wait(left / 1_000 + 1);
          left = end - call.nowMicros();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    synchronized void failed(String how) {
      troubles.put(Thread.currentThread(), new Trouble(how, call.nowMicros()));
    }

    synchronized void begin() {
      call.countRequest();
      Trouble trouble = troubles.remove(Thread.currentThread());
      if (trouble != null) {
        call.countRetry(trouble.what);
        call.countBackoff(call.nowMicros() - trouble.atMicros);
      }
    }

    synchronized boolean isAnswered(int status, int maxRefused) {
      refused = status == UNAUTHORIZED ? refused + 1 : 0;
      return refused < maxRefused;
    }
  }

  /**
   * A transport.
   *
   * @param maxRefused requests in a row that the service may refuse for their token, which is
   *     renewed in between
   */
  TrackingTransport(int maxRefused) {
    this.maxRefused = maxRefused;
  }

  private static boolean isHeard(@Nullable Throwable failure) {
    Scope scope = SCOPES.get();
    if (scope == null || failure == null) {
      return false;
    }
    scope.notRenewed = GcsErrors.notRenewed(failure);
    return true;
  }

  /** Whether the last request was refused for its token, and there is a new one now. */
  boolean hasRenewed() {
    Scope scope = SCOPES.get();
    return scope != null && scope.refused > 0 && scope.notRenewed == null;
  }

  /** Why a token was not renewed; null when that was not tried, or it was. */
  @Nullable String notRenewed() {
    Scope scope = SCOPES.get();
    return scope == null ? null : scope.notRenewed;
  }

  /**
   * Requests of this thread belong to {@code call}, until {@link #end()}.
   *
   * @param what they are about
   */
  void begin(StoreCall call, String what) {
    SCOPES.set(new Scope(call, what));
  }

  void end() {
    SCOPES.remove();
  }

  /** The same for one operation: its requests may come from any thread. */
  HttpTransport bound() {
    Scope scope = SCOPES.get();
    if (scope == null) {
      throw new IllegalStateException("no operation is under way");
    }
    return new HttpTransport() {
      @Override
      protected LowLevelHttpRequest buildRequest(String method, String url) throws IOException {
        return new Request(NetRequests.build(net, method, url), scope, maxRefused);
      }

      @Override
      public boolean supportsMethod(String method) {
        return net.supportsMethod(method);
      }
    };
  }

  /**
   * The operation of this thread has failed: threads of the library send nothing more for it, those
   * that do are waited for, and this one may clean up, even when the operation is cancelled.
   */
  void cleanUp() {
    Scope scope = SCOPES.get();
    if (scope != null) {
      scope.cleanUp();
    }
  }

  @Override
  protected LowLevelHttpRequest buildRequest(String method, String url) throws IOException {
    Scope scope = SCOPES.get();
    LowLevelHttpRequest request = NetRequests.build(net, method, url);
    return scope == null ? request : new Request(request, scope, maxRefused);
  }

  @Override
  public boolean supportsMethod(String method) {
    return net.supportsMethod(method);
  }

  @Override
  public void shutdown() throws IOException {
    net.shutdown();
  }

  private static final class Request extends LowLevelHttpRequest {
    private final LowLevelHttpRequest inner;
    private final Scope scope;
    private final int maxRefused;

    Request(LowLevelHttpRequest inner, Scope scope, int maxRefused) {
      this.inner = inner;
      this.scope = scope;
      this.maxRefused = maxRefused;
    }

    @Override
    public void addHeader(String name, String value) throws IOException {
      inner.addHeader(name, value);
    }

    @Override
    public void setTimeout(int connectMillis, int readMillis) throws IOException {
      inner.setTimeout(connectMillis, readMillis);
    }

    @Override
    public void setWriteTimeout(int millis) throws IOException {
      inner.setWriteTimeout(millis);
    }

    @Override
    public LowLevelHttpResponse execute() throws IOException {
      scope.enter();
      try {
        return sent();
      } finally {
        scope.leave();
      }
    }

    private LowLevelHttpResponse sent() throws IOException {
      scope.begin();
      inner.setStreamingContent(getStreamingContent());
      inner.setContentLength(getContentLength());
      inner.setContentType(getContentType());
      inner.setContentEncoding(getContentEncoding());
      try {
        LowLevelHttpResponse response = inner.execute();
        int status = response.getStatusCode();
        if (status >= 500 || status == 429 || status == 408 || status == UNAUTHORIZED) {
          scope.failed("HTTP " + status);
        }
        if (!scope.isAnswered(status, maxRefused)) {
          response.disconnect();
          throw new CarriedException(
              new RequestFailedException(
                  FailureKind.NO_CREDENTIALS,
                  GcsErrors.refused(
                      scope.what
                          + ": refused "
                          + scope.refused
                          + " times, with new tokens (HTTP 401)")));
        }
        return new Response(response, scope);
      } catch (IOException e) {
        scope.failed(OneLine.of(e));
        throw e;
      }
    }
  }

  private static final class Response extends LowLevelHttpResponse {
    private final LowLevelHttpResponse inner;
    private final Scope scope;

    Response(LowLevelHttpResponse inner, Scope scope) {
      this.inner = inner;
      this.scope = scope;
    }

    @Override
    public @Nullable InputStream getContent() throws IOException {
      InputStream content = inner.getContent();
      return content == null
          ? null
          : new Watched(new BufferedInputStream(content, READ_BYTES), scope);
    }

    @Override
    public @Nullable String getContentEncoding() throws IOException {
      return inner.getContentEncoding();
    }

    @Override
    public long getContentLength() throws IOException {
      return inner.getContentLength();
    }

    @Override
    public @Nullable String getContentType() throws IOException {
      return inner.getContentType();
    }

    @Override
    public @Nullable String getStatusLine() throws IOException {
      return inner.getStatusLine();
    }

    @Override
    public int getStatusCode() throws IOException {
      return inner.getStatusCode();
    }

    @Override
    public @Nullable String getReasonPhrase() throws IOException {
      return inner.getReasonPhrase();
    }

    @Override
    public int getHeaderCount() throws IOException {
      return inner.getHeaderCount();
    }

    @Override
    public String getHeaderName(int index) throws IOException {
      return inner.getHeaderName(index);
    }

    @Override
    public String getHeaderValue(int index) throws IOException {
      return inner.getHeaderValue(index);
    }

    @Override
    public void disconnect() throws IOException {
      inner.disconnect();
    }
  }

  /** Answers break in their middle, too. */
  private static final class Watched extends FilterInputStream {
    private final Scope scope;

    Watched(InputStream in, Scope scope) {
      super(in);
      this.scope = scope;
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException e) {
        scope.failed(OneLine.of(e));
        throw e;
      }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return super.read(into, offset, length);
      } catch (IOException e) {
        scope.failed(OneLine.of(e));
        throw e;
      }
    }
  }
}
