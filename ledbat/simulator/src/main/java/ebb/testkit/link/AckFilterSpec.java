package ebb.testkit.link;

/**
 * Drop-tail that thins acknowledgements, as modems with a slow way up do: a small packet takes the
 * place of the newest waiting one of its flow if that is small too, for what it says is newer. What
 * the older one said alone is lost.
 */
public record AckFilterSpec() implements QueueSpec {
  /** Packets up to this length are taken for acknowledgements. */
  static final int MAX_ACK_BYTES = 120;
}
