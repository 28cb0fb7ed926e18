/**
 * AES-GCM, ChaCha20-Poly1305 and SHA-256 from a native library, by the ways of Java's own security
 * providers.
 */
@NullMarked
package ebb.ledbat.crypto;

import org.jspecify.annotations.NullMarked;
