package ebb.ledbat;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The direction of dependencies: wire, congestion, recovery and trace at the bottom, config above
 * congestion, connection above them, endpoint above that, secure beside it, netty and kompics
 * outermost. Everything below netty and kompics is sans-IO.
 */
class ArchitectureTest {
  private static final String ROOT = "ebb.ledbat.";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("ebb.ledbat");

  private static final String[] SANS_IO = {
    ROOT + "wire..",
    ROOT + "congestion..",
    ROOT + "recovery..",
    ROOT + "config..",
    ROOT + "trace..",
    ROOT + "connection..",
    ROOT + "endpoint..",
    ROOT + "secure.."
  };

  /** What the engine may use of the JDK's dangerous corners: values, not mechanisms. */
  private static final DescribedPredicate<JavaClass> ADDRESSES =
      assignableTo(java.net.SocketAddress.class)
          .or(assignableTo(java.net.InetAddress.class))
          .as("addresses");

  @Test
  void theClassesToJudgeAreThere() {
    // Otherwise every rule below would pass on nothing.
    for (String part : List.of("wire", "congestion", "recovery", "config", "trace", "connection")) {
      assertThat(CLASSES.that(resideInAnyPackage(ROOT + part + "..")))
          .as(part)
          .hasSizeGreaterThan(1);
    }
  }

  @Test
  void wireKnowsNothingElseOfTheEngine() {
    mayUseOf("wire");
  }

  @Test
  void congestionKnowsNothingElseOfTheEngine() {
    mayUseOf("congestion");
  }

  @Test
  void recoveryKnowsNothingElseOfTheEngine() {
    mayUseOf("recovery");
  }

  @Test
  void configKnowsOnlyTheControllersThatItChoosesAndWhoWatches() {
    mayUseOf("config", "congestion", "trace");
  }

  @Test
  void traceKnowsOnlyPackets() {
    mayUseOf("trace", "wire");
  }

  @Test
  void connectionStandsOnThePartsBelowIt() {
    mayUseOf("connection", "wire", "congestion", "recovery", "config", "trace");
  }

  @Test
  void endpointStandsOnConnection() {
    mayUseOf("endpoint", "connection", "wire", "congestion", "recovery", "config", "trace");
  }

  @Test
  void secureStandsOnEndpoint() {
    mayUseOf("secure", "endpoint", "connection", "congestion", "config");
  }

  @Test
  void thePartsFormNoCycle() {
    slices().matching(ROOT + "(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theEngineKnowsNothingButTheJdkAndAnnotations() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideOutsideOfPackages("java..", "javax.crypto..", "org.jspecify..", "ebb.ledbat.."))
        .check(CLASSES);
  }

  @Test
  void theEngineOpensNothing() {
    DescribedPredicate<JavaClass> io =
        resideInAnyPackage("java.nio.channels..", "java.nio.file..", "java.net..", "javax.net..")
            .and(not(ADDRESSES))
            .or(resideInAnyPackage("java.io..").and(not(named("java\\.io\\.Serializable"))))
            .as("files, sockets or streams");
    noClasses().that().resideInAnyPackage(SANS_IO).should().dependOnClassesThat(io).check(CLASSES);
  }

  @Test
  void theEngineHasNoThreads() {
    DescribedPredicate<JavaClass> threads =
        resideInAnyPackage("java.util.concurrent..")
            .or(named("java\\.lang\\.(Thread|ThreadLocal|ThreadGroup|Process.*|Runtime)"))
            .or(named("java\\.util\\.(Timer|TimerTask)"))
            .as("threads, executors or processes");
    noClasses()
        .that()
        .resideInAnyPackage(SANS_IO)
        .should()
        .dependOnClassesThat(threads)
        .check(CLASSES);
  }

  @Test
  void theEngineReadsNoClock() {
    DescribedPredicate<JavaClass> clocks =
        resideInAnyPackage("java.time..")
            .or(named("java\\.util\\.(Date|Calendar)"))
            .or(named("ebb\\.core\\.time\\..*"))
            .as("clocks");
    noClasses()
        .that()
        .resideInAnyPackage(SANS_IO)
        .should()
        .dependOnClassesThat(clocks)
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(CLASSES);
  }

  @Test
  void theEngineDrawsNoRandomNumbersOfItsOwn() {
    DescribedPredicate<JavaClass> random =
        named("java\\.util\\.(Random|SplittableRandom|UUID)")
            .or(resideInAnyPackage("java.util.random..", "java.security.."))
            // What it is handed.
            .and(not(named("java\\.util\\.random\\.RandomGenerator")))
            // Of cryptography, what computes; not what draws.
            .and(not(named("java\\.security\\.(spec\\..*|[A-Za-z]*Exception)")))
            .and(not(named("java\\.security\\.(MessageDigest|KeyFactory|Key|P[a-z]*Key)")))
            .as("sources of randomness other than RandomGenerator");
    noClasses()
        .that()
        .resideInAnyPackage(SANS_IO)
        .should()
        .dependOnClassesThat(random)
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callMethod(StrictMath.class, "random")
        .check(CLASSES);
  }

  @Test
  void theEnginePrintsNothing() {
    noClasses()
        .that()
        .resideInAnyPackage(SANS_IO)
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> named(String regex) {
    return DescribedPredicate.describe("named " + regex, c -> c.getName().matches(regex));
  }

  /** Of the engine's packages, {@code part} may use itself and {@code others} only. */
  private static void mayUseOf(String part, String... others) {
    List<String> allowed = new ArrayList<>();
    allowed.add(ROOT + part + "..");
    for (String other : others) {
      allowed.add(ROOT + other + "..");
    }
    noClasses()
        .that()
        .resideInAPackage(ROOT + part + "..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("ebb.ledbat..")
                .and(resideOutsideOfPackages(allowed.toArray(String[]::new)))
                .as("parts of ebb.ledbat other than " + allowed))
        .check(CLASSES);
  }
}
