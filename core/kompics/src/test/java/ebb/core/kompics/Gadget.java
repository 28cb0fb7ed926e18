package ebb.core.kompics;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.serialization.ClassResolvers;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.concurrent.CountDownLatch;
import se.sics.kompics.network.netty.serialization.JavaSerializer;

/** A class whose deserialization has an effect, as an attacker would look for one. */
final class Gadget implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  static final CountDownLatch RAN = new CountDownLatch(1);

  @Serial
  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    RAN.countDown();
  }

  /** What Kompics' Java serializer reads: its identifier and a serialised gadget. */
  @SuppressWarnings("deprecation")
  static byte[] serialised() {
    ByteBuf out = Unpooled.buffer();
    JavaSerializer serializer =
        new JavaSerializer(ClassResolvers.cacheDisabled(Gadget.class.getClassLoader()));
    out.writeByte(serializer.identifier());
    serializer.toBinary(new Gadget(), out);
    return bytesOf(out);
  }

  static byte[] bytesOf(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    buffer.release();
    return bytes;
  }
}
