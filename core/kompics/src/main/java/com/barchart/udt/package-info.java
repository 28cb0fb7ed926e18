/** Stand-ins: see {@link io.netty.channel.udt}. */
@NullMarked
package com.barchart.udt;

import org.jspecify.annotations.NullMarked;
