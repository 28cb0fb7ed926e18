package ebb.storage.gcs;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;

/**
 * Sees every request of the library's gRPC transport, as {@link TrackingTransport} sees those by
 * HTTP. What is counted are streams, not calls: a channel tries some calls again by itself.
 */
final class TrackedCalls implements ClientInterceptor {
  @Override
  public <A, B> ClientCall<A, B> interceptCall(
      MethodDescriptor<A, B> method, CallOptions options, Channel next) {
    Scope scope = TrackingTransport.scope();
    if (scope == null) {
      return next.newCall(method, options);
    }
    try {
      scope.check();
    } catch (IOException cancelled) {
      throw Status.CANCELLED.withCause(cancelled).asRuntimeException();
    }
    Thread asker = Thread.currentThread();
    return next.newCall(
        method,
        options.withStreamTracerFactory(
            new ClientStreamTracer.Factory() {
              @Override
              public ClientStreamTracer newClientStreamTracer(
                  ClientStreamTracer.StreamInfo info, Metadata headers) {
                scope.sent(asker);
                return new Stream(scope, asker);
              }
            }));
  }

  private static final class Stream extends ClientStreamTracer {
    private final Scope scope;
    private final Thread asker;

    Stream(Scope scope, Thread asker) {
      this.scope = scope;
      this.asker = asker;
    }

    @Override
    public void streamClosed(Status status) {
      int http = http(status.getCode());
      if (http != 0) {
        scope.failed(asker, GcsErrors.worded(status), http);
      }
      if (status.getCause() != null && GcsErrors.isUnconnected(status.getCause())) {
        scope.unconnected(GcsErrors.worded(status), http);
      } else {
        scope.heard();
      }
      scope.leave();
    }

    /** What Google's library makes of it; 0 for what is an answer. */
    private static int http(Status.Code code) {
      return switch (code) {
        case UNAUTHENTICATED -> Scope.UNAUTHORIZED;
        case RESOURCE_EXHAUSTED -> 429;
        case INTERNAL -> 500;
        case UNAVAILABLE -> 503;
        case DEADLINE_EXCEEDED -> 504;
        default -> 0;
      };
    }
  }
}
