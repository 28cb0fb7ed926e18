package ebb.files;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Whom a sender's address belongs to: one IPv4 address, or one IPv6 network of 64 bits. */
record SourceNetwork(ByteBuffer prefix) {
  private static final int IPV6_PREFIX_BYTES = 8;

  static SourceNetwork of(InetAddress address) {
    byte[] bytes = address.getAddress();
    return new SourceNetwork(
        ByteBuffer.wrap(
                address instanceof Inet6Address ? Arrays.copyOf(bytes, IPV6_PREFIX_BYTES) : bytes)
            .asReadOnlyBuffer());
  }
}
