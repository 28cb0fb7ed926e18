package ebb.files;

/**
 * The messages of the file protocol except DATA, which {@link FrameWriter} and {@link FrameReader}
 * move without making an object of it. docs/file-transfer.md is the specification.
 */
sealed interface Frame {
  int OFFER = 1;
  int PROOF = 2;
  int BEGIN = 3;
  int DATA = 4;
  int END = 5;
  int GIVE_UP = 6;
  int PING = 7;
  int BYE = 8;
  int COMPLETE = 9;
  int SEND = 16;
  int PROVE = 17;
  int HAVE = 18;
  int DONE = 19;
  int FAILED = 20;
  int LEAVE = 21;

  /** Type and length. */
  int HEADER_BYTES = 5;

  /** Largest DATA. */
  int MAX_DATA_BYTES = 1 << 20;

  /** Largest of the others. */
  int MAX_CONTROL_BYTES = 8 << 10;

  int MAX_PATH_BYTES = 4_096;
  int MAX_REASON_BYTES = 1_024;

  /**
   * Sender: this is to be transferred.
   *
   * @param id counts up from 0
   * @param mode permission bits, see {@link FileMode}
   * @param sizeBytes 0 for a directory
   * @param path relative, its parts joined by slashes
   */
  record Offer(
      int id, boolean directory, int mode, long sizeBytes, long modifiedMillis, String path)
      implements Frame {}

  /** Sender: the SHA-256 of the first {@code lengthBytes} of the file. */
  record Proof(int id, long lengthBytes, Sha256 sha256) implements Frame {}

  /** Sender: DATA that follow are this file's from {@code offsetBytes} on. */
  record Begin(int id, long offsetBytes) implements Frame {}

  /** Sender: the file is complete, and this is the SHA-256 of all of it. */
  record End(int id, Sha256 sha256) implements Frame {}

  /** Sender: the file is complete. In place of END, where the hellos agreed on it. */
  record Complete(int id) implements Frame {}

  /** Sender: no more of this file comes. */
  record GiveUp(int id, Refusal refusal, String reason) implements Frame {}

  /** Either: still there, working. */
  record Ping() implements Frame {}

  /** Sender: {@code files} were offered, all are answered. Receiver: everything is on disk. */
  record Bye(int files) implements Frame {}

  /** Receiver: send this file from {@code offsetBytes} on. */
  record Send(int id, long offsetBytes) implements Frame {}

  /** Receiver: prove that the first {@code lengthBytes} are what is here already. */
  record Prove(int id, long lengthBytes) implements Frame {}

  /** Receiver: the same file is here already. */
  record Have(int id) implements Frame {}

  /** Receiver: verified, and under its final name. */
  record Done(int id) implements Frame {}

  /** Receiver: this file will not be taken, or its transfer failed. */
  record Failed(int id, Refusal refusal, String reason) implements Frame {}

  /** Receiver: it serves this sender no further, and ends the stream. */
  record Leave(Refusal refusal, String reason) implements Frame {}
}
