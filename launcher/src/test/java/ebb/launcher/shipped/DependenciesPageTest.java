package ebb.launcher.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.launcher.shipped.RuntimeLibraries.Library;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * docs/dependencies.md says what there is: the libraries that Maven resolved for ebb.jar, and what
 * the poms name for building and testing. Licences and reasons are data (dependencies.txt). With
 * {@code -Debb.write} it writes the page.
 */
final class DependenciesPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/dependencies.md");

  @Test
  void everyLibraryHasALicenceAndAReason() throws Exception {
    assertThat(Reasons.read().of("ebb.jar").keySet()).isEqualTo(shipped().keySet());
    assertThat(Reasons.read().of("build and test").keySet()).isEqualTo(namedInPoms());
  }

  @Test
  void thePageIsMadeFromThem() throws Exception {
    String page = page();
    if (Boolean.getBoolean("ebb.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE))
        .as("write it again with -Debb.write (CONTRIBUTING.md)")
        .isEqualTo(page);
  }

  private static String page() throws IOException {
    Reasons reasons = Reasons.read();
    Map<String, String> versions = shipped();
    StringBuilder page = new StringBuilder();
    try (var head = DependenciesPageTest.class.getResourceAsStream("/dependencies-head.md")) {
      page.append(new String(head.readAllBytes(), StandardCharsets.UTF_8));
    }
    page.append("\n## In ebb.jar\n\n| Library | Version | Licence | Why |\n|---|---|---|---|\n");
    reasons
        .of("ebb.jar")
        .forEach(
            (id, reason) ->
                page.append(
                    row(
                        "`" + id + "`",
                        versions.getOrDefault(id, "?"),
                        reason.licence(),
                        reason.why())));
    page.append("\n## To build and to test\n\n| Library | Licence | Why |\n|---|---|---|\n");
    reasons
        .of("build and test")
        .forEach((id, reason) -> page.append(row("`" + id + "`", reason.licence(), reason.why())));
    return page.toString();
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  /** Versions by library. */
  private static Map<String, String> shipped() throws IOException {
    Map<String, String> versions = new TreeMap<>();
    for (Library library : RuntimeLibraries.ofOthers()) {
      versions.put(library.id(), library.version());
    }
    return versions;
  }

  /** What the poms name and ebb.jar has not: of tests, of compilers, and plugins. */
  private static Set<String> namedInPoms() throws Exception {
    Set<String> named = new TreeSet<>();
    for (Path pom : poms()) {
      NodeList names =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(pom.toFile())
              .getElementsByTagName("artifactId");
      for (int i = 0; i < names.getLength(); i++) {
        Element owner = (Element) names.item(i).getParentNode();
        boolean uses =
            switch (owner.getTagName()) {
              case "plugin", "path" -> true;
              case "dependency" -> !isBelow(owner, "dependencyManagement");
              default -> false;
            };
        String group = child(owner, "groupId", "org.apache.maven.plugins");
        if (uses && !group.equals("ebb") && !group.startsWith("$")) {
          named.add(group + ":" + names.item(i).getTextContent());
        }
      }
    }
    named.removeAll(shipped().keySet());
    return named;
  }

  private static List<Path> poms() throws IOException {
    List<Path> poms = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(ROOT, 4)) {
      walk.filter(file -> file.endsWith("pom.xml"))
          .filter(file -> !file.toString().matches(".*/(target|src|node_modules)/.*"))
          .forEach(poms::add);
    }
    assertThat(poms).hasSizeGreaterThan(20);
    return poms;
  }

  private static boolean isBelow(Node node, String tag) {
    for (Node above = node; above != null; above = above.getParentNode()) {
      if (above.getNodeName().equals(tag)) {
        return true;
      }
    }
    return false;
  }

  private static String child(Element owner, String tag, String otherwise) {
    for (Node each = owner.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each.getNodeName().equals(tag)) {
        return each.getTextContent();
      }
    }
    return otherwise;
  }
}
