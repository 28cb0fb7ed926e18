package ebb.ledbat.kompics;

import io.netty.buffer.ByteBuf;

/** Objects to bytes and back; both throw a {@link RuntimeException} for what they cannot do. */
interface MessageCodec {
  void encode(Object message, ByteBuf out);

  Object decode(ByteBuf in);
}
