package ebb.ledbat.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Holds together the clauses of the documents that Ebb follows ({@code src/spec}), the quotations
 * in the sources, and docs/deviations.md. With {@code -Debb.write} it writes that page.
 */
class EvidenceTest {
  private static final Path SPECS = Evidence.module().resolve("src/spec");
  private static final Path PAGE = Evidence.root().resolve("docs/deviations.md");
  private static Evidence evidence;

  @BeforeAll
  static void readTheSources() throws IOException {
    evidence = new Evidence(SPECS, Evidence.root());
  }

  @Test
  void everyQuotationStandsInOneClauseOfItsSection() {
    List<String> wrong = new ArrayList<>();
    evidence
        .citations()
        .forEach(
            (citation, clauses) -> {
              if (clauses.isEmpty()) {
                wrong.add(citation + "\n  is in no clause; nearest: " + evidence.nearest(citation));
              } else if (clauses.size() > 1) {
                List<String> ids = clauses.stream().map(Clause::id).toList();
                wrong.add(citation + "\n  is in several clauses: " + ids);
              }
            });
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyClauseIsQuotedInMainCodeAndInATestOrSaysWhyNot() {
    List<String> wrong = new ArrayList<>();
    for (Document document : evidence.documents()) {
      for (Clause clause : document.clauses()) {
        boolean inCode = !evidence.elements(clause, false).isEmpty();
        boolean inTests = !evidence.elements(clause, true).isEmpty();
        check(wrong, clause, "main code", inCode, clause.exception() != null);
        check(
            wrong,
            clause,
            "a test",
            inTests,
            clause.exception() != null || clause.untested() != null);
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static void check(
      List<String> wrong, Clause clause, String where, boolean quoted, boolean excused) {
    if (quoted == excused) {
      String problem = quoted ? " is quoted in " + where + " all the same" : " is not quoted in ";
      wrong.add(clause.document() + ", " + clause.id() + (quoted ? problem : problem + where));
    }
  }

  @Test
  void everyClauseHasANumberOfItsOwnAndEveryDeviationAText() throws IOException {
    Set<String> ids = new HashSet<>();
    Set<String> named = new TreeSet<>();
    for (Document document : evidence.documents()) {
      for (Clause clause : document.clauses()) {
        assertThat(ids.add(clause.id())).as(clause.id()).isTrue();
        String remarks = clause.deviation() + " " + clause.exception();
        Pattern.compile("\\bD\\d+\\b")
            .matcher(remarks)
            .results()
            .forEach(d -> named.add(d.group()));
      }
    }
    Set<String> told = new TreeSet<>();
    Pattern.compile("\\*\\*(D\\d+),")
        .matcher(template())
        .results()
        .forEach(d -> told.add(d.group(1)));
    assertThat(named).isNotEmpty().isEqualTo(told);
  }

  @Test
  void thePageOfDeviationsIsWhatTheClausesAndTheSourcesMakeIt() throws IOException {
    String page = DeviationsPage.render(template(), evidence);
    if (System.getProperty("ebb.write") != null) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE))
        .as(
            "mvn -q -pl ledbat/engine -am test -Dtest=EvidenceTest -Dsurefire.failIfNoSpecifiedTests=false -Debb.write")
        .isEqualTo(page);
  }

  private static String template() throws IOException {
    return Files.readString(SPECS.resolve("deviations.md"));
  }
}
