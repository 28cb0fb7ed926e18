package ebb.example.bittorrent;

/** A part of a piece, as it is asked for. */
public record Block(int piece, int begin, int length) {
  /** "All current implementations use 2^14 (16 kiB), and close connections which request more". */
  public static final int MAX_BYTES = 16 << 10;
}
