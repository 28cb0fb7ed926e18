package ebb.vm.local;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A TUN device of Linux: what the kernel sends through it is read here, packet by packet, and what
 * is written here arrives at the kernel. Java has no way to ask for one, hence the four functions
 * of the C library. Unlike an interface with a queue of its own it takes every packet at once, so
 * that the only queue is the link's.
 */
final class Tun {
  static {
    Native.register(Tun.class, "c");
  }

  private static final int READ_AND_WRITE = 2;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final long SET_INTERFACE = 0x400454caL;
  private static final short TUN_WITHOUT_HEADER = 0x1001;
  private static final int REQUEST_BYTES = 40;
  private static final int FLAGS_AT = 16;
  private static final int MAX_NAME = 15;

  private final int descriptor;

  private Tun(int descriptor) {
    this.descriptor = descriptor;
  }

  private static native int open(String path, int flags);

  private static native int ioctl(int descriptor, long request, byte[] argument);

  private static native long read(int descriptor, ByteBuffer into, long count);

  private static native long write(int descriptor, ByteBuffer from, long count);

  private static native int close(int descriptor);

  /** Makes one, which is gone when this process ends. */
  static Tun make(String name) throws IOException {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length > MAX_NAME) {
      throw new IOException("too long for an interface: " + name);
    }
    int descriptor = open("/dev/net/tun", READ_AND_WRITE | CLOSE_ON_EXEC);
    if (descriptor < 0) {
      throw new IOException("/dev/net/tun cannot be opened, error " + Native.getLastError());
    }
    ByteBuffer request = ByteBuffer.allocate(REQUEST_BYTES).order(ByteOrder.nativeOrder());
    request.put(bytes).putShort(FLAGS_AT, TUN_WITHOUT_HEADER);
    if (ioctl(descriptor, SET_INTERFACE, request.array()) < 0) {
      int error = Native.getLastError();
      close(descriptor);
      throw new IOException("no TUN device can be made, error " + error);
    }
    return new Tun(descriptor);
  }

  /** One packet into a direct buffer; false when the device is gone. */
  boolean read(ByteBuffer into) {
    into.clear();
    long bytes = read(descriptor, into, into.capacity());
    if (bytes < 0) {
      return false;
    }
    into.limit((int) bytes);
    return true;
  }

  /** One packet from a direct buffer; one that the kernel does not take is lost. */
  boolean write(ByteBuffer packet) {
    return write(descriptor, packet, packet.limit()) >= 0;
  }

  void close() {
    close(descriptor);
  }
}
