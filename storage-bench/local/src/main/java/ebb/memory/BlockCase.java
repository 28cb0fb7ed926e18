package ebb.memory;

/**
 * One kind of access to memory.
 *
 * @param write into the area, otherwise out of it
 * @param random anywhere at multiples of the block, otherwise each thread through its own part
 */
record BlockCase(int blockBytes, boolean random, boolean write, int threads) {
  String access() {
    return random ? "random" : "sequential";
  }

  String operation() {
    return write ? "write" : "read";
  }
}
