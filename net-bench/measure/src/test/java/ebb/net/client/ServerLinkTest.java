package ebb.net.client;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import org.junit.jupiter.api.Test;

/** What a server says, on its way to people. */
class ServerLinkTest {
  @Test
  void aServersReasonMovesNoCursorAndMakesNoLines() {
    Refused refused =
        new Refused(ControlMessage.VERSION, Refusal.NOT_ALLOWED, "\u001b[31mno\r\n+1\u202e");
    assertThat(ServerLink.words(refused))
        .isEqualTo("the server refused: \\u001b[31mno\\u000d\\u000a+1\\u202e");
  }
}
