package ebb.net.yield;

/** The flow that is to yield. */
public enum Yielder {
  /** LEDBAT to the server; the sender's controller yields. */
  LEDBAT_SENDER("ledbat", "LEDBAT", false),
  /** LEDBAT from the server, whatever sends there; this end's controller yields. */
  LEDBAT_RECEIVER("ledbat", "LEDBAT", true),
  /** TCP from the server, which this end keeps in the background. */
  TCP_RECEIVER("tcp", "background", true);

  private final String protocol;
  private final String word;
  private final boolean download;

  Yielder(String protocol, String word, boolean download) {
    this.protocol = protocol;
    this.word = word;
    this.download = download;
  }

  /** The name of its mechanism. */
  String protocol() {
    return protocol;
  }

  /** How people call it, beside TCP. */
  String word() {
    return word;
  }

  /** Whether all bytes come from the server, the rival's too. */
  public boolean download() {
    return download;
  }
}
