package ebb.proxy.server;

import ebb.core.time.MicroClock;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides when one channel is read: not while the other side has not taken what was read before,
 * and not before the time that its rates allow. It counts what is read, and passes everything on.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class ReadGate extends ChannelInboundHandlerAdapter {
  /** Why a channel is not read. */
  enum Hold {
    /** The other side has bytes to write. */
    OTHER_SIDE,
    RATE,
    /** What was read has to wait for something, such as a connection. */
    STEP
  }

  private final Channel channel;
  private final MicroClock clock;
  private @Nullable IntConsumer count;
  private int uncounted;
  private List<RateBudget> budgets = List.of();
  private final Set<Hold> holds = EnumSet.noneOf(Hold.class);

  ReadGate(Channel channel, MicroClock clock) {
    this.channel = channel;
    this.clock = clock;
  }

  /**
   * From now on, whatever is read is counted, and takes its part of the budgets. What was read
   * before is counted now, unless it was for this proxy ({@link #wasForUs}).
   */
  void account(IntConsumer counter, List<RateBudget> rates) {
    count = counter;
    budgets = rates;
    counter.accept(uncounted);
    uncounted = 0;
  }

  void wasForUs() {
    uncounted = 0;
  }

  void hold(Hold why) {
    holds.add(why);
    channel.config().setAutoRead(false);
  }

  void release(Hold why) {
    holds.remove(why);
    if (holds.isEmpty()) {
      channel.config().setAutoRead(true);
    }
  }

  /** Holds or releases by whether the other side takes more. */
  void follow(Channel otherSide) {
    if (otherSide.isWritable()) {
      release(Hold.OTHER_SIDE);
    } else {
      hold(Hold.OTHER_SIDE);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    if (message instanceof ByteBuf bytes) {
      int size = bytes.readableBytes();
      if (count == null) {
        uncounted += size;
      } else {
        count.accept(size);
      }
      if (!budgets.isEmpty()) {
        pay(size);
      }
    }
    super.channelRead(ctx, message);
  }

  private void pay(int bytes) {
    long now = clock.nowMicros();
    long again = now;
    for (RateBudget budget : budgets) {
      again = Math.max(again, budget.reserve(now, bytes));
    }
    if (again > now) {
      hold(Hold.RATE);
      channel.eventLoop().schedule(() -> release(Hold.RATE), again - now, TimeUnit.MICROSECONDS);
    }
  }
}
