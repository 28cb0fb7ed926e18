package ebb.storage.command;

import ebb.core.cli.Cli;
import ebb.core.cli.EbbCommand;
import java.util.Map;
import java.util.ServiceLoader;

/** {@code ebb} in a process of its own, for clients. */
final class ClientMain {
  private ClientMain() {}

  public static void main(String[] args) {
    System.exit(
        Cli.run(
            new StorageRunCommandTest.Root(),
            Map.of(),
            ServiceLoader.load(EbbCommand.class),
            args));
  }
}
