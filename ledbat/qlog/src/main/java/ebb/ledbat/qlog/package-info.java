/**
 * The engine's events as a qlog file (draft-ietf-quic-qlog-main-schema-14): JSON text sequences
 * with an event schema of Ebb's own, {@code docs/qlog.md}.
 */
@NullMarked
package ebb.ledbat.qlog;

import org.jspecify.annotations.NullMarked;
