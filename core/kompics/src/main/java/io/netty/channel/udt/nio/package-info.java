/** Stand-ins: see {@link io.netty.channel.udt}. */
@NullMarked
package io.netty.channel.udt.nio;

import org.jspecify.annotations.NullMarked;
