package ebb.net.udp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Lets a process see with which type of service datagrams came, which Java's sockets and Netty's do
 * not tell: a socket filter of Linux (classic BPF, which needs no rights) reads it in the IP
 * header, and cuts a datagram that asks for it by so many bytes and one. All others stay as they
 * came.
 *
 * <p>A datagram that is still whole has not been through such a filter, or was joined with another:
 * its mark is not known. One that is too short to be a question is dropped by the filter.
 */
final class MarkFilter {
  /** Not known. */
  static final int UNSEEN = -1;

  private static final int SOL_SOCKET = 1;
  private static final int SO_ATTACH_FILTER = 26;
  private static final int PROGRAM_BYTES = 16;
  private static final RawUnixChannelOption ATTACH =
      new RawUnixChannelOption("EBB_ATTACH_FILTER", SOL_SOCKET, SO_ATTACH_FILTER, PROGRAM_BYTES);

  private static final int UDP_HEADER_BYTES = 8;
  private static final int WHOLE = UDP_HEADER_BYTES + UdpWire.MARK_BYTES;

  /** Where a filter finds the IP header: SKF_NET_OFF. */
  private static final int IP = -0x10_0000;

  private static final int LOAD_BYTE = 0x30;
  private static final int LOAD_HALF = 0x28;
  private static final int LOAD_LENGTH = 0x80;
  private static final int LOAD_NUMBER = 0x00;
  private static final int IF_EQUAL = 0x15;
  private static final int IF_GREATER = 0x25;
  private static final int JUMP = 0x05;
  private static final int SHIFT_RIGHT = 0x74;
  private static final int AND = 0x54;
  private static final int TO_X = 0x07;
  private static final int MINUS_X = 0x1c;
  private static final int KEEP = 0x06;
  private static final int KEEP_COMPUTED = 0x16;

  /** Code, how many to skip if so, how many if not, number. */
  private static final int[][] PROGRAM = {
    {LOAD_BYTE, 0, 0, UDP_HEADER_BYTES},
    {IF_EQUAL, 1, 0, UdpWire.MARK},
    {IF_EQUAL, 0, 15, UdpWire.MARKED},
    {LOAD_LENGTH, 0, 0, 0},
    {IF_GREATER, 13, 0, WHOLE},
    {IF_EQUAL, 0, 13, WHOLE},
    {LOAD_BYTE, 0, 0, IP},
    {SHIFT_RIGHT, 0, 0, 4},
    {IF_EQUAL, 0, 2, 4},
    {LOAD_BYTE, 0, 0, IP + 1},
    {JUMP, 0, 0, 3},
    {LOAD_HALF, 0, 0, IP},
    {SHIFT_RIGHT, 0, 0, 4},
    {AND, 0, 0, 0xFF},
    {TO_X, 0, 0, 0},
    {LOAD_NUMBER, 0, 0, WHOLE - 1},
    {MINUS_X, 0, 0, 0},
    {KEEP_COMPUTED, 0, 0, 0},
    {KEEP, 0, 0, -1},
    {KEEP, 0, 0, 0},
  };

  private MarkFilter() {}

  /**
   * From now on this socket's datagrams go through it.
   *
   * @return false where there is no such thing
   */
  static boolean attach(Channel channel) {
    ByteBuf program = Unpooled.directBuffer(PROGRAM.length * Long.BYTES);
    try {
      if (!program.hasMemoryAddress()) {
        return false;
      }
      ByteBuffer to =
          program.internalNioBuffer(0, PROGRAM.length * Long.BYTES).order(ByteOrder.nativeOrder());
      for (int[] step : PROGRAM) {
        to.putShort((short) step[0]).put((byte) step[1]).put((byte) step[2]).putInt(step[3]);
      }
      ByteBuffer where = ByteBuffer.allocateDirect(PROGRAM_BYTES).order(ByteOrder.nativeOrder());
      where.putShort(0, (short) PROGRAM.length).putLong(Long.BYTES, program.memoryAddress());
      return channel.config().setOption(ATTACH, where);
    } catch (ChannelException refused) {
      return false;
    } finally {
      program.release();
    }
  }

  /** The type of service that the length of a question or answer tells; {@link #UNSEEN}. */
  static int seen(int length) {
    int cut = UdpWire.MARK_BYTES - length;
    return cut >= 1 && cut <= 256 ? cut - 1 : UNSEEN;
  }
}
