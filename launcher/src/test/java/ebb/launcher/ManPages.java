package ebb.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Writes what an installed Ebb has beside its jar, from the commands themselves: the source of each
 * manual page, which asciidoctor turns into the page, and the completion of shells. Run by the
 * profile {@code dist}.
 */
public final class ManPages {
  private static final int UNBROKEN_COLUMNS = 10_000;

  private ManPages() {}

  /** With the directory for the sources, and the file for the completion. */
  public static void main(String[] args) throws IOException {
    // Whoever shows a page breaks its lines; picocli would do so amid a parameter's name.
    CommandLine tree = Main.tree().setUsageHelpWidth(UNBROKEN_COLUMNS);
    ManPageGenerator.generateManPage(
        new File(args[0]), null, new boolean[0], true, tree.getCommandSpec());
    Path completion = Path.of(args[1]);
    Files.createDirectories(completion.toAbsolutePath().getParent());
    Files.writeString(completion, AutoComplete.bash("ebb", tree), StandardCharsets.UTF_8);
  }
}
