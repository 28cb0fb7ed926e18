package ebb.proxy.server;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpStatusClass;
import org.jspecify.annotations.Nullable;

/** Writes responses; the answer to HEAD has a length and no content. */
final class HttpResponses extends HttpResponseEncoder {
  private @Nullable HttpMethod answered;

  /** Whose response comes next. */
  void answers(HttpMethod method) {
    answered = method;
  }

  @Override
  protected boolean isContentAlwaysEmpty(HttpResponse response) {
    boolean last = response.status().codeClass() != HttpStatusClass.INFORMATIONAL;
    return (last && HttpMethod.HEAD.equals(answered)) || super.isContentAlwaysEmpty(response);
  }
}
