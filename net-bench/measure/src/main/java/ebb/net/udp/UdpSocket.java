package ebb.net.udp;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.net.loop.NetLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A UDP socket on the TCP loop's thread that hands over one datagram at a time, also where the
 * kernel joined several (GRO), and sends many in one call where it can (GSO). SO_REUSEADDR is never
 * set: with it another process could take the port's datagrams.
 */
final class UdpSocket {
  /** What one call can carry. */
  static final int MAX_BURST_BYTES = 65_000;

  static final int MAX_SEGMENTS = 64;

  private static final int BUFFER_BYTES = UdpMechanism.SOCKET_BUFFER_MEBIBYTES << 20;
  private static final int MAX_READS = 32;

  /** Takes datagrams, on the loop. */
  @FunctionalInterface
  interface Receiver {
    void onDatagram(ByteBuf in, int at, int length, InetSocketAddress from);
  }

  private final NetLoop loop;
  private final Channel channel;
  private boolean gso;
  private int usualTos;
  private boolean filterTried;
  private boolean filtered;

  private UdpSocket(NetLoop loop, Channel channel, boolean gso) {
    this.loop = loop;
    this.channel = channel;
    this.gso = gso;
  }

  /**
   * Binds; any thread.
   *
   * @param windowBytes socket buffers; 0 for 4 MiB or what the system grants
   * @return done on the loop; fails with an {@link EbbException}, USAGE with one line
   */
  static CompletableFuture<UdpSocket> bind(
      NetLoop loop, InetSocketAddress local, int windowBytes, Receiver receiver) {
    return bind(loop, local, windowBytes, receiver, false);
  }

  /**
   * The same for one peer, on a port that another socket of this process has and shares; only with
   * epoll.
   */
  static CompletableFuture<UdpSocket> connect(
      NetLoop loop,
      InetSocketAddress local,
      InetSocketAddress peer,
      int windowBytes,
      Receiver receiver) {
    return bind(loop, local, windowBytes, receiver, true)
        .thenCompose(
            socket -> {
              CompletableFuture<UdpSocket> connected = new CompletableFuture<>();
              var unused =
                  socket
                      .channel
                      .connect(peer)
                      .addListener(
                          done -> {
                            if (done.isSuccess()) {
                              connected.complete(socket);
                            } else {
                              socket.close();
                              connected.completeExceptionally(done.cause());
                            }
                          });
              return connected;
            });
  }

  private static CompletableFuture<UdpSocket> bind(
      NetLoop loop,
      InetSocketAddress local,
      int windowBytes,
      Receiver receiver,
      boolean sharedPort) {
    int buffer = windowBytes == 0 ? BUFFER_BYTES : windowBytes;
    InetAddress address = local.getAddress();
    boolean ipv4 = !address.isAnyLocalAddress() && address instanceof Inet4Address;
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop.group())
            .channelFactory(() -> channel(loop, ipv4))
            .option(ChannelOption.SO_RCVBUF, buffer)
            .option(ChannelOption.SO_SNDBUF, buffer)
            .option(ChannelOption.RCVBUF_ALLOCATOR, allocator())
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(1, 1 << 17))
            .handler(new Handler(receiver));
    if (loop.epoll()) {
      // Room for what GRO joins; one receive buffer a read.
      bootstrap.option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, 65_535);
    }
    if (sharedPort) {
      bootstrap.option(EpollChannelOption.SO_REUSEPORT, true);
    }
    CompletableFuture<UdpSocket> done = new CompletableFuture<>();
    ChannelFuture binding = bootstrap.bind(local);
    var unused =
        binding.addListener(
            bound -> {
              Channel channel = binding.channel();
              if (bound.isSuccess()) {
                boolean gso =
                    channel instanceof EpollDatagramChannel
                        && EpollDatagramChannel.isSegmentedDatagramPacketSupported();
                done.complete(new UdpSocket(loop, channel, gso));
              } else {
                done.completeExceptionally(
                    new EbbException(
                        ExitCode.USAGE,
                        "cannot bind "
                            + address.getHostAddress()
                            + " UDP port "
                            + local.getPort()
                            + ": "
                            + bound.cause().getMessage(),
                        bound.cause()));
              }
            });
    return done;
  }

  private static FixedRecvByteBufAllocator allocator() {
    FixedRecvByteBufAllocator allocator = new FixedRecvByteBufAllocator(65_535);
    allocator.maxMessagesPerRead(MAX_READS);
    return allocator;
  }

  private static Channel channel(NetLoop loop, boolean ipv4) {
    if (!loop.epoll()) {
      return ipv4 ? new NioDatagramChannel(InternetProtocolFamily.IPv4) : new NioDatagramChannel();
    }
    EpollDatagramChannel channel =
        ipv4 ? new EpollDatagramChannel(InternetProtocolFamily.IPv4) : new EpollDatagramChannel();
    try {
      channel.config().setOption(EpollChannelOption.UDP_GRO, true);
    } catch (ChannelException old) {
      return channel; // A kernel without it hands over one by one.
    }
    return channel;
  }

  Channel channel() {
    return channel;
  }

  InetSocketAddress localAddress() {
    return (InetSocketAddress) channel.localAddress();
  }

  /** Datagrams of this size that one call can send. */
  int segments(int datagramBytes) {
    return Math.max(1, Math.min(MAX_SEGMENTS, MAX_BURST_BYTES / datagramBytes));
  }

  /**
   * Sends the readable bytes as datagrams of one size, of which the last may be shorter. On the
   * loop.
   *
   * @param burst stays the caller's
   */
  void send(ByteBuf burst, int datagramBytes, InetSocketAddress to) {
    if (gso && burst.readableBytes() > datagramBytes) {
      writeJoined(new SegmentedDatagramPacket(burst.retainedSlice(), datagramBytes, to));
      channel.flush();
    } else {
      sendSingly(burst, datagramBytes, to);
    }
  }

  /** The same, but every datagram is one for the path too; still one call where it can be. */
  void sendSingly(ByteBuf burst, int datagramBytes, InetSocketAddress to) {
    int bytes = burst.readableBytes();
    for (int at = 0; at < bytes; at += datagramBytes) {
      int length = Math.min(datagramBytes, bytes - at);
      ByteBuf one = burst.retainedSlice(burst.readerIndex() + at, length);
      var unused = channel.write(new DatagramPacket(one, to), channel.voidPromise());
    }
    channel.flush();
  }

  private void writeJoined(SegmentedDatagramPacket joined) {
    var unused =
        channel
            .write(joined)
            .addListener(
                sent -> {
                  if (!sent.isSuccess()) {
                    gso = false; // Some devices cannot; what comes is sent singly.
                  }
                });
  }

  /** What was sent last is answered at once. On the loop. */
  void expectSoon() {
    loop.expectSoon();
  }

  /** Its datagrams have this type of service. */
  void mark(int tos) {
    usualTos = tos;
    channel.config().setOption(ChannelOption.IP_TOS, tos);
  }

  /**
   * Sends one datagram with a type of service of its own; not when others wait for the kernel, for
   * then nobody knows with which one it would go. On the loop.
   *
   * @param datagram stays the caller's
   * @return whether it went
   */
  boolean sendMarked(ByteBuf datagram, InetSocketAddress to, int tos) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    if (waiting == null || waiting.totalPendingWriteBytes() > 0) {
      return false;
    }
    channel.config().setOption(ChannelOption.IP_TOS, tos);
    sendSingly(datagram, datagram.readableBytes(), to);
    channel.config().setOption(ChannelOption.IP_TOS, usualTos);
    return true;
  }

  /**
   * From now on questions for marks and their answers tell theirs, where that can be.
   *
   * @return whether they did before
   */
  boolean lookAtMarks() {
    boolean before = filtered;
    if (!filterTried) {
      filterTried = true;
      filtered = MarkFilter.attach(channel);
    }
    return before;
  }

  boolean gso() {
    return gso;
  }

  void close() {
    var unused = channel.close();
  }

  /** Takes joined datagrams apart. */
  private static final class Handler extends ChannelInboundHandlerAdapter {
    private final Receiver receiver;

    Handler(Receiver receiver) {
      this.receiver = receiver;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      try {
        if (message instanceof DatagramPacket datagram) {
          ByteBuf in = datagram.content();
          int segment =
              datagram instanceof SegmentedDatagramPacket joined
                  ? joined.segmentSize()
                  : in.readableBytes();
          int end = in.writerIndex();
          for (int at = in.readerIndex(); at < end; at += Math.max(1, segment)) {
            receiver.onDatagram(in, at, Math.min(segment, end - at), datagram.sender());
          }
        }
      } finally {
        ReferenceCountUtil.release(message);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      // Such as ICMP's "port unreachable": the socket goes on; who is gone shows by silence.
    }
  }
}
