package ebb.ledbat.secure;

import ebb.ledbat.endpoint.EndpointDriver;
import java.net.InetSocketAddress;

/** What {@link SecureSessions} needs of the driver that runs its endpoint. */
public interface SecureContext {
  /** The driver's clock. */
  long nowMicros();

  /** Runs a task in the endpoint's context once {@code delayMicros} have passed. */
  void schedule(long delayMicros, EndpointDriver.Task task);

  /** What this machine encrypts fast with. */
  RecordCipher recordCipher();

  /** 32 bytes that nobody can guess and nobody has been given before. */
  byte[] freshSecret();

  /** A peer that was connected to did not prove the key. */
  void notProven(InetSocketAddress remote);

  /** A peer that connected here did not prove the key and was dropped. */
  void refused(InetSocketAddress remote, SecureRefusal refusal);
}
