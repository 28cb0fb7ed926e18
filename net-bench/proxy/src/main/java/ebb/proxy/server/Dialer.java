package ebb.proxy.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to connect to a server: looks its name up, tries its addresses, IPv6 and IPv4 in
 * turns, each a little after the one before or as soon as that has failed, and keeps the first
 * connection (RFC 8305). It answers once, on the event loop, unless it is cancelled.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class Dialer {
  /** Hears how it went. */
  interface Answer {
    void connected(Channel upstream);

    void refused(Refusal why);
  }

  /** As RFC 8305 recommends. */
  private static final long NEXT_ATTEMPT_MILLIS = 250;

  private static final int MAX_ADDRESSES = 8;

  private final Target target;
  private final EventLoop loop;
  private final Bootstrap bootstrap;
  private final OwnAddresses own;
  private final Answer answer;
  private final Deque<InetAddress> addresses = new ArrayDeque<>();
  private final List<Channel> attempts = new ArrayList<>();
  private @Nullable Refusal firstFailure;
  private int underway;
  private boolean answered;

  private Dialer(
      Target target, EventLoop loop, Bootstrap bootstrap, OwnAddresses own, Answer answer) {
    this.target = target;
    this.loop = loop;
    this.bootstrap = bootstrap;
    this.own = own;
    this.answer = answer;
  }

  /**
   * Starts an attempt.
   *
   * @param bootstrap makes channels on the loop
   * @param maxMicros for all of it
   */
  static Dialer dial(
      Target target,
      EventLoop loop,
      Bootstrap bootstrap,
      Lookups lookups,
      OwnAddresses own,
      long maxMicros,
      Answer answer) {
    Dialer dialer = new Dialer(target, loop, bootstrap, own, answer);
    lookups.lookup(target.host(), loop).addListener(dialer::resolved);
    loop.schedule(() -> dialer.refuse(Refusal.NO_ANSWER), maxMicros, TimeUnit.MICROSECONDS);
    return dialer;
  }

  /** Nobody waits for the answer any more. */
  void cancel() {
    answered = true;
    closeAttempts(null);
  }

  @SuppressWarnings("unchecked")
  private void resolved(io.netty.util.concurrent.Future<?> lookup) {
    if (answered) {
      return;
    }
    if (!lookup.isSuccess()) {
      refuse(
          lookup.cause() instanceof RejectedExecutionException
              ? Refusal.BUSY
              : lookup.cause() instanceof UnknownHostException
                  ? Refusal.NAME_UNKNOWN
                  : Refusal.FAILED);
      return;
    }
    List<InetAddress> found = (List<InetAddress>) lookup.getNow();
    // One that is refused is enough: names that lead here and elsewhere are made to deceive.
    if (found.stream().anyMatch(address -> own.refuses(address, target.port()))) {
      refuse(Refusal.OWN_ADDRESS);
      return;
    }
    inTurns(found);
    next();
  }

  private void inTurns(List<InetAddress> found) {
    Deque<InetAddress> same = new ArrayDeque<>();
    Deque<InetAddress> different = new ArrayDeque<>();
    for (InetAddress address : found) {
      (address.getClass() == found.get(0).getClass() ? same : different).add(address);
    }
    while (addresses.size() < MAX_ADDRESSES && !(same.isEmpty() && different.isEmpty())) {
      if (!same.isEmpty()) {
        addresses.add(same.remove());
      }
      if (!different.isEmpty()) {
        addresses.add(different.remove());
      }
    }
  }

  private void next() {
    if (answered) {
      return;
    }
    InetAddress address = addresses.poll();
    if (address == null) {
      if (underway == 0) {
        refuse(firstFailure == null ? Refusal.FAILED : firstFailure);
      }
      return;
    }
    underway++;
    ChannelFuture attempt = bootstrap.connect(new InetSocketAddress(address, target.port()));
    attempts.add(attempt.channel());
    // A channel that could not be made tells so on a thread of Netty's own.
    attempt.addListener(
        done -> {
          if (loop.inEventLoop()) {
            ended(attempt);
          } else {
            loop.execute(() -> ended(attempt));
          }
        });
    if (!addresses.isEmpty()) {
      loop.schedule(this::next, NEXT_ATTEMPT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void ended(ChannelFuture attempt) {
    underway--;
    if (attempt.isSuccess()) {
      if (answered) {
        attempt.channel().close();
        return;
      }
      answered = true;
      closeAttempts(attempt.channel());
      answer.connected(attempt.channel());
      return;
    }
    if (firstFailure == null) {
      firstFailure = reason(attempt.cause());
    }
    next();
  }

  private void refuse(Refusal why) {
    if (!answered) {
      answered = true;
      closeAttempts(null);
      answer.refused(why);
    }
  }

  private void closeAttempts(@Nullable Channel but) {
    for (Channel attempt : attempts) {
      // One that never was is not registered, and cannot be closed either.
      if (attempt != but && attempt.isRegistered()) {
        attempt.close();
      }
    }
  }

  static Refusal reason(@Nullable Throwable failure) {
    String words =
        failure == null ? "" : String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    if (failure instanceof ConnectTimeoutException) {
      return Refusal.NO_ANSWER;
    }
    if (failure instanceof NoRouteToHostException) {
      return Refusal.HOST_UNREACHABLE;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      // A channel that could not be made says only so itself.
      if (String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("too many open")) {
        return Refusal.NO_DESCRIPTORS;
      }
    }
    if (words.contains("network is unreachable")) {
      return Refusal.NETWORK_UNREACHABLE;
    }
    return failure instanceof ConnectException && words.contains("refused")
        ? Refusal.CONNECTION_REFUSED
        : Refusal.FAILED;
  }
}
