package ebb.ledbat.spec;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Where the classes and members of a source stand, as the compiler's parser sees them. */
final class Members {
  private record Member(long start, long end, String name, boolean isClass) {
    boolean holds(long offset) {
      return start <= offset && offset < end;
    }
  }

  private final List<Member> members = new ArrayList<>();

  static Members of(String source) throws IOException {
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, ignored -> {}, List.of(), null, List.of(new Text(source)));
    Members found = new Members();
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    for (CompilationUnitTree unit : task.parse()) {
      for (Tree type : unit.getTypeDecls()) {
        found.add(unit, positions, type, "");
      }
    }
    return found;
  }

  private void add(
      CompilationUnitTree unit, SourcePositions positions, Tree tree, String enclosing) {
    String name;
    if (tree instanceof ClassTree type) {
      name = enclosing + type.getSimpleName();
      for (Tree member : type.getMembers()) {
        add(unit, positions, member, name + ".");
      }
    } else if (tree instanceof MethodTree method) {
      name =
          method.getName().contentEquals("<init>")
              ? enclosing.substring(0, enclosing.length() - 1) + "()"
              : enclosing + method.getName();
    } else if (tree instanceof VariableTree field) {
      name = enclosing + field.getName();
    } else {
      return;
    }
    long start = positions.getStartPosition(unit, tree);
    long end = positions.getEndPosition(unit, tree);
    members.add(new Member(start, end, name, tree instanceof ClassTree));
  }

  /** The member that what stands at {@code offset} is in, or in front of. */
  String at(int offset) {
    Comparator<Member> bySize = Comparator.comparing(member -> member.end - member.start);
    Member around =
        members.stream()
            .filter(member -> member.holds(offset))
            .min(bySize)
            .orElse(new Member(0, Long.MAX_VALUE, "", true));
    if (!around.isClass) {
      return around.name;
    }
    return members.stream()
        .filter(member -> member.start > offset && member.start < around.end)
        .min(Comparator.comparing(Member::start))
        .orElse(around)
        .name;
  }

  private static final class Text extends SimpleJavaFileObject {
    private final String source;

    Text(String source) {
      super(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE);
      this.source = source;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return source;
    }
  }
}
