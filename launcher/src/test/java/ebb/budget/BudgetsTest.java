package ebb.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of budgets in docs/security.md is made from the code; {@code -Debb.write} writes it.
 */
class BudgetsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Path PAGE = ROOT.resolve("docs/security.md");
  private static final String BEGIN =
      "<!-- Made from the code by BudgetsTest (-Debb.write); do not edit. -->\n\n";
  private static final String END = "\n<!-- End of what BudgetsTest made. -->\n";

  @Test
  void theTableInTheDocumentationIsTheCodes() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    assertThat(begin).isPositive();
    assertThat(end).isGreaterThan(begin);
    String made = page.substring(0, begin) + BEGIN + table() + page.substring(end);
    if (System.getProperty("ebb.write") != null) {
      Files.writeString(PAGE, made);
    } else {
      assertThat(page).as("renew it with -Debb.write").isEqualTo(made);
    }
  }

  private static String table() {
    return Budgets.all().stream()
        .map(Budget::row)
        .collect(
            Collectors.joining(
                "\n",
                "| what | of one source | of all | where | held by |\n|---|---|---|---|---|\n",
                "\n"));
  }

  @Test
  void everyBudgetNamesTestsThatThereAre() throws IOException {
    Map<String, String> tests = new HashMap<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file :
          files
              .filter(each -> each.toString().replace('\\', '/').contains("/src/test/"))
              .toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith("Test.java")) {
          String text = Files.readString(file);
          // Modules may have tests of one name.
          tests.merge(name.substring(0, name.length() - ".java".length()), text, String::concat);
        }
      }
    }
    for (Budget budget : Budgets.all()) {
      assertThat(budget.tests()).as(budget.what()).isNotEmpty();
      for (String test : budget.tests()) {
        String[] parts = test.split("\\.", 2);
        assertThat(tests).as(budget.what()).containsKey(parts[0]);
        assertThat(tests.get(parts[0])).as(test).contains("void " + parts[1] + "(");
      }
    }
  }
}
