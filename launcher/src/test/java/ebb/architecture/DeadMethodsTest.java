package ebb.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Outside the published API a public method is there to be called. */
final class DeadMethodsTest {
  /** Packages that are parts of programs; everything else is for programs of others too. */
  private static final String PROGRAMS =
      "ebb\\.(files|net|proxy|selfbench|disk|memory|launcher|ledbat\\.command"
          + "|storage\\.(bench|report|command)|vm\\.(command|run|plan|local|gce|startup))(\\..*)?";

  /** Called by their names: picocli, Kompics, the JVM. */
  private static final Set<String> BY_NAME = Set.of("main", "call", "run");

  /** There for the tests of their modules, which stand in no place that this one sees. */
  private static final Set<String> FOR_TESTS =
      Set.of(
          "ebb.net.server.NetServer.addressOf",
          "ebb.vm.gce.ComputeOptions.withPause",
          "ebb.vm.gce.ComputeOptions.withPolicy");

  private static final JavaClasses CLASSES = MainCode.classes();

  @Test
  void everyPublicMethodOfAProgramIsUsed() {
    List<JavaMethod> methods =
        CLASSES.stream()
            .filter(type -> type.getPackageName().matches(PROGRAMS))
            .flatMap(type -> type.getMethods().stream())
            .filter(DeadMethodsTest::isThereToBeCalled)
            .toList();
    assertThat(methods).hasSizeGreaterThan(500); // or this would pass on nothing
    assertThat(
            methods.stream()
                .filter(DeadMethodsTest::isUnused)
                .map(method -> method.getFullName().replaceFirst("\\(.*", ""))
                .sorted())
        .containsExactlyInAnyOrderElementsOf(FOR_TESTS);
  }

  private static boolean isThereToBeCalled(JavaMethod method) {
    return method.getModifiers().contains(JavaModifier.PUBLIC)
        && !method.getModifiers().contains(JavaModifier.SYNTHETIC)
        && !method.getModifiers().contains(JavaModifier.BRIDGE)
        && !BY_NAME.contains(method.getName())
        && !method.getOwner().isEnum()
        && !isOfRecord(method)
        && method.getAnnotations().isEmpty()
        && !overrides(method);
  }

  /** Components are data: they may be there for JSON, equality or the test of it. */
  private static boolean isOfRecord(JavaMethod method) {
    return method.getOwner().isRecord()
        && (method.getRawParameterTypes().isEmpty()
                && method.getOwner().tryGetField(method.getName()).isPresent()
            || Set.of("equals", "hashCode", "toString").contains(method.getName()));
  }

  private static boolean overrides(JavaMethod method) {
    JavaClass owner = method.getOwner();
    return Stream.concat(
            owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
        .flatMap(above -> above.getMethods().stream())
        .anyMatch(
            other ->
                other.getName().equals(method.getName())
                    && other.getRawParameterTypes().size() == method.getRawParameterTypes().size());
  }

  private static boolean isUnused(JavaMethod method) {
    return method.getAccessesToSelf().isEmpty() && method.getReferencesToSelf().isEmpty();
  }
}
