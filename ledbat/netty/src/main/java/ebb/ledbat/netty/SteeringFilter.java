package ebb.ledbat.netty;

import ebb.ledbat.endpoint.Steering;
import ebb.ledbat.wire.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Has the kernel give each datagram to the socket of its loop: {@link Steering} as a socket filter
 * (classic BPF, which needs no rights) for sockets that share a port. The kernel's own choice would
 * be by address and port, one loop for all connections with a peer. Only for {@link NativeEpoll}.
 */
final class SteeringFilter {
  private static final int SOL_SOCKET = 1;
  private static final int SO_ATTACH_REUSEPORT_CBPF = 51;
  private static final int PROGRAM_BYTES = 16;
  private static final RawUnixChannelOption ATTACH =
      new RawUnixChannelOption(
          "EBB_ATTACH_REUSEPORT_CBPF", SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, PROGRAM_BYTES);

  private static final int LOAD_BYTE = 0x30;
  private static final int LOAD_HALF = 0x28;
  private static final int IF_EQUAL = 0x15;
  private static final int JUMP = 0x05;
  private static final int ADD = 0x04;
  private static final int AND = 0x54;
  private static final int SHIFT_RIGHT = 0x74;
  private static final int MODULO = 0x94;
  private static final int ANSWER_COMPUTED = 0x16;

  private SteeringFilter() {}

  /**
   * From now on datagrams of the port go by it. The sockets are numbered as they were bound.
   *
   * @param channel one of the sockets that share the port
   * @return false where there is no such thing
   */
  static boolean attach(Channel channel, int loops) {
    int[][] program = program(loops);
    ByteBuf code = Unpooled.directBuffer(program.length * Long.BYTES);
    try {
      if (!code.hasMemoryAddress()) {
        return false;
      }
      ByteBuffer to =
          code.internalNioBuffer(0, program.length * Long.BYTES).order(ByteOrder.nativeOrder());
      for (int[] step : program) {
        to.putShort((short) step[0]).put((byte) step[1]).put((byte) step[2]).putInt(step[3]);
      }
      ByteBuffer where = ByteBuffer.allocateDirect(PROGRAM_BYTES).order(ByteOrder.nativeOrder());
      where.putShort(0, (short) program.length).putLong(Long.BYTES, code.memoryAddress());
      return channel.config().setOption(ATTACH, where);
    } catch (ChannelException refused) {
      return false;
    } finally {
      code.release();
    }
  }

  /** Code, how many to skip if so, how many if not, number. The payload begins at 0. */
  private static int[][] program(int loops) {
    return new int[][] {
      {LOAD_BYTE, 0, 0, 0},
      {SHIFT_RIGHT, 0, 0, 4},
      {IF_EQUAL, 0, 3, PacketType.ST_SYN.wireValue()},
      {LOAD_HALF, 0, 0, 2},
      {ADD, 0, 0, 1},
      {JUMP, 0, 0, 1},
      {LOAD_HALF, 0, 0, 2},
      {AND, 0, 0, 0xFFFF},
      {SHIFT_RIGHT, 0, 0, Steering.BLOCK_BITS},
      {MODULO, 0, 0, loops},
      {ANSWER_COMPUTED, 0, 0, 0},
    };
  }
}
