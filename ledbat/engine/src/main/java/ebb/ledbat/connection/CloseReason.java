package ebb.ledbat.connection;

/** Why a connection ended. Expected ends are values, not exceptions. */
public enum CloseReason {
  /** Both directions finished and everything was acknowledged. */
  FINISHED,
  /** This side called abort. */
  ABORTED,
  /** The peer sent ST_RESET. */
  RESET_BY_PEER,
  /** The connection attempt was answered with ST_RESET. */
  REFUSED,
  /** The connection attempt was never answered. */
  CONNECT_TIMEOUT,
  /** An established peer stopped answering. */
  TIMED_OUT,
  /** ICMP said that the peer's port or host cannot be reached. */
  UNREACHABLE,
  /** The endpoint was closed. */
  ENDPOINT_CLOSED,
  /** A cap of the endpoint was reached. */
  NO_RESOURCES,
  /** With a pre-shared key: the peer did not prove it, or dropped the connection before it did. */
  KEY_REFUSED,
  /** With a pre-shared key: what came is not what the peer sent. */
  FORGED,
  /** With a pre-shared key: the stream was cut off before its authentic end. */
  TRUNCATED,
  /** The peer acknowledged what it cannot have received. */
  FALSE_ACK,
  /** Something inside of this program failed while it served the connection. */
  FAULT,
  /** The application broke its interface's rules, for example wrote beyond its credit. */
  MISUSED
}
