package ebb.launcher.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.launcher.shipped.RuntimeLibraries.Library;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No library is in ebb.jar that nothing calls: a way leads from Ebb's classes to one of each. */
final class LibrariesAreCalledTest {
  @Test
  void aWayLeadsFromEbbToEachLibrary() throws Exception {
    ClassGraph graph = new ClassGraph();
    List<String> ours = new ArrayList<>(graph.add(java.nio.file.Path.of("target", "classes")));
    Map<String, Set<String>> classes = new LinkedHashMap<>();
    for (Library library : RuntimeLibraries.all()) {
      Set<String> added = graph.add(library.file());
      if (library.isOurs()) {
        ours.addAll(added);
      } else if (!added.isEmpty()) { // Natives only, else.
        classes.put(library.id(), added);
      }
    }
    assertThat(ours).hasSizeGreaterThan(1_000);
    assertThat(classes).hasSizeGreaterThan(50);

    Set<String> reached = graph.reachableFrom(ours);

    List<String> never =
        classes.keySet().stream()
            .filter(library -> Collections.disjoint(classes.get(library), reached))
            .toList();
    assertThat(never).as("exclude them in the pom that brings them, and ban them").isEmpty();
  }
}
