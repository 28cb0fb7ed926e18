package ebb.storage.gcs;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A {@link GrpcFake} on loopback that keeps a ledger of calls, and fails some as it is told. */
final class GrpcServer implements ServerInterceptor, AutoCloseable {
  /** It tells of each answer that a client no longer wants, with a trace. */
  private static final Logger NETTY =
      Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerHandler");

  static {
    NETTY.setLevel(Level.OFF);
  }

  final GrpcFake fake = new GrpcFake();
  private final List<String> calls = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private final Server server;

  /**
   * What is to go wrong once.
   *
   * @param isDone whether the work is done first and only the answer is lost
   */
  record Fault(String method, Status.Code code, boolean isDone) {}

  GrpcServer() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(fake)
            .intercept(this)
            .maxInboundMessageSize(8 << 20)
            .build()
            .start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getPort();
  }

  synchronized void add(Fault fault) {
    faults.add(fault);
  }

  /** The methods that were called since this was asked before. */
  synchronized List<String> calls() {
    List<String> all = List.copyOf(calls);
    calls.clear();
    return all;
  }

  private synchronized Fault next(String method) {
    calls.add(method);
    for (Fault fault : faults) {
      if (fault.method.equals(method)) {
        faults.remove(fault);
        return fault;
      }
    }
    return null;
  }

  @Override
  public <A, B> ServerCall.Listener<A> interceptCall(
      ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
    Fault fault = next(call.getMethodDescriptor().getBareMethodName());
    if (fault == null) {
      return next.startCall(call, headers);
    }
    Status status = Status.fromCode(fault.code).withDescription("as asked");
    if (!fault.isDone) {
      call.close(status, new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return next.startCall(
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void sendMessage(B message) {}

          @Override
          public void close(Status done, Metadata trailers) {
            super.close(status, trailers);
          }
        },
        headers);
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
