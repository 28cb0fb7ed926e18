package ebb.ledbat.endpoint;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * Which of the loops of one port a connection belongs to: the ids that its packets come with say
 * so. Blocks of {@value #BLOCK} ids are dealt to the loops in turn. So no loop has to ask another,
 * nothing is remembered, and many connections with one peer are spread as well as those with many.
 */
public final class Steering {
  /** Log2 of {@link #BLOCK}, for who computes the same elsewhere. */
  public static final int BLOCK_BITS = 4;

  /** The two ids of a connection are mostly in one block. */
  static final int BLOCK = 1 << BLOCK_BITS;

  /** No uTP, so it is anybody's. */
  public static final int NOBODY = -1;

  private static final int IDS = 0x10000;
  private static final int BLOCKS = IDS >> BLOCK_BITS;
  private static final int ID_AT = 2;

  private Steering() {}

  /** Which of {@code loops} has the connections whose packets come with this id. */
  public static int owner(int receiveId, int loops) {
    return (receiveId >>> BLOCK_BITS) % loops;
  }

  /** Whose the datagram at {@code at} is; {@link #NOBODY} when it is too short or no uTP. */
  public static int ownerOf(ByteBuffer bytes, int at, int lengthBytes, int loops) {
    if (lengthBytes < Packet.HEADER_BYTES || !LedbatEndpoint.looksLikeUtp(bytes.get(at))) {
      return NOBODY;
    }
    // A SYN has the id of the answers to it; what follows it has one more.
    int id = id(bytes, at);
    return owner(is(PacketType.ST_SYN, bytes, at) ? id + 1 & IDS - 1 : id, loops);
  }

  /**
   * Who else may have the connection that a reset ends, for it carries the id of either direction;
   * {@link #NOBODY} for all other datagrams, and for most resets. The datagram is one that {@link
   * #ownerOf} names a loop for.
   */
  public static int secondOwnerOf(ByteBuffer bytes, int at, int loops) {
    if (!is(PacketType.ST_RESET, bytes, at)) {
      return NOBODY;
    }
    int id = id(bytes, at);
    int inBlock = id & BLOCK - 1;
    int other = inBlock == 0 ? id - 1 : inBlock == BLOCK - 1 ? id + 1 : id;
    int second = owner(other & IDS - 1, loops);
    return second == owner(id, loops) ? NOBODY : second;
  }

  private static boolean is(PacketType type, ByteBuffer bytes, int at) {
    return (bytes.get(at) >>> 4 & 0xf) == type.wireValue();
  }

  private static int id(ByteBuffer bytes, int at) {
    return (bytes.get(at + ID_AT) & 0xff) << Byte.SIZE | (bytes.get(at + ID_AT + 1) & 0xff);
  }

  /**
   * An id for a connection that the loop opens; any of them with the same chance. The peer's
   * packets come with it, and those of this side carry the next, which is in the same block: where
   * the peer has as many loops, connections of one loop are those of one loop there.
   */
  static int drawId(RandomGenerator random, int loop, int loops) {
    if (loops == 1) {
      return random.nextInt(IDS);
    }
    int blocks = (BLOCKS - loop + loops - 1) / loops;
    return (random.nextInt(blocks) * loops + loop) * BLOCK + random.nextInt(BLOCK - 1);
  }

  /** Whether {@link #drawId} may give this id. */
  static boolean mayDraw(int id, int loop, int loops) {
    return loops == 1 || (owner(id, loops) == loop && (id & BLOCK - 1) != BLOCK - 1);
  }
}
