package ebb.ledbat.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The clauses of all documents, and where the sources of this repository quote them. */
final class Evidence {
  private final List<Document> documents = new ArrayList<>();
  private final Map<Citation, List<Clause>> citations = new LinkedHashMap<>();

  /** Reads {@code src/spec} of this module and every Java source below {@code root}. */
  Evidence(Path specs, Path root) throws IOException {
    try (Stream<Path> files = Files.list(specs)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".txt")).sorted().toList()) {
        documents.add(Document.read(file));
      }
    }
    List<String> names = documents.stream().map(Document::name).toList();
    for (Path file : sources(root)) {
      String source = Files.readString(file);
      String path = root.relativize(file).toString().replace('\\', '/');
      SourceFile sourceFile = new SourceFile(path, source, names);
      if (sourceFile.mayCite()) {
        for (Citation citation : sourceFile.citations(Members.of(source))) {
          citations.put(citation, find(citation));
        }
      }
    }
  }

  /** The directory that holds the whole project. */
  static Path root() {
    Path at = module();
    while (!Files.exists(at.resolve("CONTRIBUTING.md"))) {
      at = at.resolve("..").normalize();
    }
    return at;
  }

  /** The directory of this module. */
  static Path module() {
    return Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize();
  }

  private static List<Path> sources(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> entries = Files.list(root)) {
      for (Path entry : entries.sorted().toList()) {
        String name = entry.getFileName().toString();
        if (Files.isDirectory(entry) && !name.startsWith(".") && !name.equals("target")) {
          found.addAll(sources(entry));
        } else if (name.endsWith(".java") && entry.toString().contains("src")) {
          found.add(entry);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return found;
  }

  List<Document> documents() {
    return documents;
  }

  /** Every quotation, with the clauses of its document and section that its words stand in. */
  Map<Citation, List<Clause>> citations() {
    return citations;
  }

  private List<Clause> find(Citation citation) {
    return documents.stream()
        .filter(document -> document.name().equals(citation.document()))
        .flatMap(document -> document.clauses().stream())
        .filter(clause -> clause.section().equals(citation.section()))
        .filter(clause -> clause.contains(citation.quote()))
        .toList();
  }

  /** Where the engine's main code cites a clause, or where tests do. */
  Set<String> elements(Clause clause, boolean inTests) {
    Set<String> found = new TreeSet<>();
    citations.forEach(
        (citation, clauses) -> {
          if (citation.inTests() == inTests
              && (inTests || citation.inEngine())
              && clauses.contains(clause)) {
            found.add(citation.element());
          }
        });
    return found;
  }

  /** The clause that has most words in common with a quotation that is in none. */
  String nearest(Citation citation) {
    Set<String> words = words(citation.quote());
    return documents.stream()
        .filter(document -> document.name().equals(citation.document()))
        .flatMap(document -> document.clauses().stream())
        .max(
            Comparator.comparing(
                clause -> {
                  Set<String> common = words(clause.text());
                  common.retainAll(words);
                  return common.size() - words(clause.text()).size() / 100.0;
                }))
        .map(clause -> clause.section() + ": \"" + clause.text() + '"')
        .orElse("none");
  }

  private static Set<String> words(String text) {
    return new TreeSet<>(List.of(Clause.fold(text).split(" ")));
  }
}
