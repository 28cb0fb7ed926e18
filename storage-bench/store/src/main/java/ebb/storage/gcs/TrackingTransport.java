package ebb.storage.gcs;

import com.google.api.client.http.HttpTransport;
import com.google.api.client.http.LowLevelHttpRequest;
import com.google.api.client.http.LowLevelHttpResponse;
import com.google.api.client.http.apache.v2.ApacheHttpTransport;
import ebb.core.attempts.Contact;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.storage.store.StoreCall;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BiConsumer;
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

  private final Contact contact = new Contact();

  /** Requests that are answered by 401 one after the other, at most. */
  private final int maxRefused;

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
    scope.notRenewed(GcsErrors.notRenewed(failure));
    return true;
  }

  /** The operation of this thread; null when there is none. */
  static @Nullable Scope scope() {
    return SCOPES.get();
  }

  /** Whether the last request was refused for its token, and there is a new one now. */
  boolean hasRenewed() {
    Scope scope = SCOPES.get();
    return scope != null && scope.hasRenewed();
  }

  /** Whether nobody is at the address of this thread's operation. */
  boolean isHopeless() {
    Scope scope = SCOPES.get();
    return scope != null && scope.isHopeless();
  }

  /** Why a token was not renewed; null when that was not tried, or it was. */
  @Nullable String notRenewed() {
    Scope scope = SCOPES.get();
    return scope == null ? null : scope.notRenewed();
  }

  /**
   * Requests of this thread belong to {@code call}, until {@link #end}.
   *
   * @param what they are about
   */
  void begin(StoreCall call, String what) {
    SCOPES.set(new Scope(call, what, contact));
  }

  /**
   * It has ended.
   *
   * @param failure null for a success
   */
  void end(@Nullable RequestFailedException failure) {
    Scope scope = SCOPES.get();
    SCOPES.remove();
    if (scope != null) {
      scope.end(failure);
    }
  }

  /** Whether a request of this thread's operation has failed, and been tried again. */
  boolean hasFailed() {
    Scope scope = SCOPES.get();
    return scope != null && scope.hasFailed();
  }

  /**
   * The same for one operation: its requests may come from any thread.
   *
   * @param onRequest hears the method and URL of each
   */
  HttpTransport bound(BiConsumer<String, String> onRequest) {
    Scope scope = SCOPES.get();
    if (scope == null) {
      throw new IllegalStateException("no operation is under way");
    }
    return new HttpTransport() {
      @Override
      protected LowLevelHttpRequest buildRequest(String method, String url) throws IOException {
        onRequest.accept(method, url);
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
    private boolean hasFailed;

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
      inner.setStreamingContent(getStreamingContent());
      inner.setContentLength(getContentLength());
      inner.setContentType(getContentType());
      inner.setContentEncoding(getContentEncoding());
      try {
        LowLevelHttpResponse response = inner.execute();
        scope.heard();
        int status = response.getStatusCode();
        if (status >= 500 || status == 429 || status == 408 || status == Scope.UNAUTHORIZED) {
          failed("HTTP " + status, status);
        }
        int refused = scope.answered(status);
        if (refused >= maxRefused) {
          response.disconnect();
          throw new CarriedException(
              new RequestFailedException(
                  FailureKind.NO_CREDENTIALS,
                  GcsErrors.refused(
                      scope.what()
                          + ": refused "
                          + refused
                          + " times, with new tokens (HTTP 401)")));
        }
        return new Response(response, this);
      } catch (CarriedException ours) {
        throw ours;
      } catch (IOException e) {
        throw failed(e);
      }
    }

    /** The answer breaks off, or there is none. */
    IOException failed(IOException how) {
      failed(OneLine.of(how), Scope.NO_ANSWER);
      if (GcsErrors.isUnconnected(how)) {
        scope.unconnected(OneLine.of(how), Scope.NO_ANSWER);
      }
      return how;
    }

    private void failed(String how, int status) {
      if (!hasFailed) {
        hasFailed = true;
        scope.failed(Thread.currentThread(), how, status);
      }
    }
  }

  private static final class Response extends LowLevelHttpResponse {
    private final LowLevelHttpResponse inner;
    private final Request request;

    Response(LowLevelHttpResponse inner, Request request) {
      this.inner = inner;
      this.request = request;
    }

    @Override
    public @Nullable InputStream getContent() throws IOException {
      InputStream content = inner.getContent();
      return content == null
          ? null
          : new Watched(new BufferedInputStream(content, READ_BYTES), request);
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
    private final Request request;

    Watched(InputStream in, Request request) {
      super(in);
      this.request = request;
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException e) {
        throw request.failed(e);
      }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return super.read(into, offset, length);
      } catch (IOException e) {
        throw request.failed(e);
      }
    }
  }
}
