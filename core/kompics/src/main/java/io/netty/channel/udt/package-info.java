/**
 * Stand-ins for Netty's UDT transport, which Kompics' NettyNetwork names and cannot be loaded
 * without. The real one needs a native library that does not exist for every machine, unpacks it
 * into the working directory, and is deprecated. With these NettyNetwork runs everywhere, and a UDT
 * connection fails. Whoever wants UDT leaves this artifact out.
 */
@NullMarked
package io.netty.channel.udt;

import org.jspecify.annotations.NullMarked;
