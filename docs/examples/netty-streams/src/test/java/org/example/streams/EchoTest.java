package org.example.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class EchoTest {
  @Test
  void everyByteComesBack() throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      Echo.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertEquals(
        "1000000 bytes came back", out.toString(StandardCharsets.UTF_8).lines().toList().get(0));
  }
}
