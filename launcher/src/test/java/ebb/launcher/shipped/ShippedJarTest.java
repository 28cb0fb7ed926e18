package ebb.launcher.shipped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import ebb.launcher.shipped.RuntimeLibraries.Library;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is in ebb.jar; run when it has been made ({@code mvn verify}). */
final class ShippedJarTest {
  private JarFile jar;

  @BeforeEach
  void open() throws IOException {
    jar = new JarFile("target/ebb.jar");
  }

  @AfterEach
  void close() throws IOException {
    jar.close();
  }

  private static Set<String> entries(JarFile of, String pattern) {
    return of.stream()
        .map(ZipEntry::getName)
        .filter(name -> name.matches(pattern))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyLibrarySaysWhatItIs() throws IOException {
    Set<String> expected = new TreeSet<>();
    for (Library library : RuntimeLibraries.all()) {
      // Ebb's own are directories where only tests are run.
      if (Files.isRegularFile(library.file())) {
        try (JarFile each = new JarFile(library.file().toFile())) {
          expected.addAll(entries(each, "META-INF/maven/.*/pom\\.(properties|xml)"));
        }
      }
    }
    expected.add("META-INF/maven/ebb/ebb-ledbat-engine/pom.properties");
    assertThat(entries(jar, "META-INF/maven/.*/pom\\.(properties|xml)")).containsAll(expected);
  }

  private JsonNode sbom() throws IOException {
    ZipEntry entry = jar.getEntry("META-INF/sbom/bom.json");
    if (entry == null && "offline=true".equals(System.getProperty("ebb.maven"))) {
      String skipped = "skipped: the SBOM because Maven is offline, and its plugin is not then";
      System.out.println(skipped);
      assumeThat(entry).as(skipped).isNotNull();
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return new ObjectMapper().readTree(in);
    }
  }

  private static String id(JsonNode part) {
    return part.path("group").asText() + ":" + part.path("name").asText();
  }

  @Test
  void theSbomListsWhatIsInside() throws IOException {
    JsonNode sbom = sbom();

    assertThat(sbom.path("bomFormat").asText()).isEqualTo("CycloneDX");
    Set<String> listed = new TreeSet<>();
    sbom.path("components")
        .forEach(part -> listed.add(id(part) + ":" + part.path("version").asText()));
    assertThat(listed)
        .isEqualTo(
            RuntimeLibraries.all().stream()
                .map(library -> library.id() + ":" + library.version())
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void theLicencesInTheDocsAreThoseOfTheSbom() throws IOException {
    Map<String, String> licences = new TreeMap<>();
    for (JsonNode part : sbom().path("components")) {
      List<String> names = new ArrayList<>();
      for (JsonNode licence : part.path("licenses")) {
        String spdx = licence.path("license").path("id").asText();
        names.add(spdx.isEmpty() ? licence.path("license").path("name").asText() : spdx);
      }
      if (!part.path("group").asText().equals("ebb")) {
        licences.put(id(part), String.join(" or ", names));
      }
    }
    // Kompics' sources say more than its poms: "or (at your option) any later version".
    licences.replaceAll(
        (id, name) -> name.replace("GNU General Public License Version 2", "GPL-2.0-or-later"));

    Map<String, String> said = new TreeMap<>();
    Reasons.read().of("ebb.jar").forEach((id, reason) -> said.put(id, reason.licence()));
    assertThat(said).isEqualTo(licences);
  }

  @Test
  void nativeCodeIsThatOfEpollOfCiphersAndOfLinux() {
    assertThat(entries(jar, ".*\\.(so|dll|dylib|jnilib|a)"))
        .isNotEmpty()
        .allMatch(
            name ->
                name.matches("META-INF/native/libnetty_transport_native_epoll_\\w+\\.so")
                    || name.matches("META-INF/native/libconscrypt_openjdk_jni-linux-\\w+\\.so")
                    || name.matches("com/sun/jna/linux-[^/]+/libjnidispatch\\.so"));
  }

  @Test
  void ofUdtThereIsWhatKompicsMustFindAndNoMore() {
    // Kompics names these types; core/kompics has them, empty.
    assertThat(entries(jar, "(com/barchart/|.*/udt/).*\\.class"))
        .isEqualTo(
            new TreeSet<>(
                List.of(
                    "com/barchart/udt/ExceptionUDT.class",
                    "com/barchart/udt/package-info.class",
                    "io/netty/channel/udt/UdtChannel.class",
                    "io/netty/channel/udt/UdtChannelOption.class",
                    "io/netty/channel/udt/nio/NioUdtProvider.class",
                    "io/netty/channel/udt/nio/package-info.class",
                    "io/netty/channel/udt/package-info.class")));
  }
}
