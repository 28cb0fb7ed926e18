package ebb.launcher.shipped;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which class names which other, of jars and directories. A class names another when its constant
 * pool does: as a class, in the descriptor of what it calls, or as a string, as for reflection. A
 * service's interface names its providers. Names have slashes.
 */
final class ClassGraph {
  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([^;<]+)[;<]");

  private final Map<String, Set<String>> names = new HashMap<>();
  private final Map<String, Set<String>> providers = new HashMap<>();

  /** Adds a jar or a directory; returns its classes. */
  Set<String> add(Path where) throws IOException {
    if (Files.isDirectory(where)) {
      return addTree(where);
    }
    try (FileSystem jar = FileSystems.newFileSystem(where)) {
      return addTree(jar.getPath("/"));
    }
  }

  private Set<String> addTree(Path root) throws IOException {
    Set<String> added = new HashSet<>();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(root)) {
      files = walk.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      String name = root.relativize(file).toString();
      if (name.startsWith("META-INF/services/")) {
        addProviders(name.substring("META-INF/services/".length()), file);
      } else if (name.endsWith(".class") && !name.startsWith("META-INF/")) {
        String type = name.substring(0, name.length() - ".class".length());
        names.put(type, named(Files.readAllBytes(file)));
        added.add(type);
      }
    }
    return added;
  }

  private void addProviders(String service, Path file) throws IOException {
    Set<String> of = providers.computeIfAbsent(slashes(service), none -> new HashSet<>());
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      of.add(slashes(line.replaceAll("#.*", "").strip()));
    }
  }

  private static String slashes(String name) {
    return name.replace('.', '/');
  }

  /** What can be reached from {@code roots}, which are among them. */
  Set<String> reachableFrom(Collection<String> roots) {
    Set<String> reached = new HashSet<>(roots);
    Deque<String> next = new ArrayDeque<>(roots);
    while (!next.isEmpty()) {
      String type = next.remove();
      Stream.concat(names.get(type).stream(), providers.getOrDefault(type, Set.of()).stream())
          .filter(names::containsKey)
          .filter(reached::add)
          .forEach(next::add);
    }
    return reached;
  }

  /** The names in a class file's constant pool (JVM specification, 4.4). */
  private static Set<String> named(byte[] classFile) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    in.skipBytes(8);
    int count = in.readUnsignedShort();
    String[] texts = new String[count];
    List<Integer> classes = new ArrayList<>();
    List<Integer> strings = new ArrayList<>();
    List<Integer> descriptors = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts[i] = in.readUTF();
        case 3, 4, 9, 10, 11, 17, 18 -> in.skipBytes(4);
        case 5, 6 -> {
          in.skipBytes(8);
          i++; // It counts as two.
        }
        case 7 -> classes.add(in.readUnsignedShort());
        case 8 -> strings.add(in.readUnsignedShort());
        case 12 -> {
          in.skipBytes(2);
          descriptors.add(in.readUnsignedShort());
        }
        case 15 -> in.skipBytes(3);
        case 16 -> descriptors.add(in.readUnsignedShort());
        case 19, 20 -> in.skipBytes(2);
        default -> throw new IOException("a constant of kind " + tag);
      }
    }
    Set<String> named = new HashSet<>();
    for (int index : classes) {
      if (texts[index].startsWith("[")) {
        descriptors.add(index);
      } else {
        named.add(texts[index]);
      }
    }
    strings.forEach(index -> named.add(slashes(texts[index])));
    for (int index : descriptors) {
      Matcher types = IN_DESCRIPTOR.matcher(texts[index]);
      while (types.find()) {
        named.add(types.group(1));
      }
    }
    return named;
  }
}
