package ebb.files;

import java.io.IOException;

/** The peer sent what the file protocol does not allow. The message is one line for people. */
class ProtocolException extends IOException {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message);
  }
}
