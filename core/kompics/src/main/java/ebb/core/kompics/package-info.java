/**
 * Addresses, headers, messages and the serializer registry that all modules' components share. No
 * Java deserialization is reachable from a socket once {@link
 * ebb.core.kompics.EbbSerializers#install} has run.
 */
@NullMarked
package ebb.core.kompics;

import org.jspecify.annotations.NullMarked;
