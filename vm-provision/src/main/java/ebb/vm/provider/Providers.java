package ebb.vm.provider;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** All kinds of providers that there are. */
public final class Providers {
  private Providers() {}

  /** By name. */
  public static List<ProviderKind> all() {
    List<ProviderKind> all = new ArrayList<>();
    ServiceLoader.load(ProviderKind.class).forEach(all::add);
    all.sort(Comparator.comparing(ProviderKind::name));
    return all;
  }

  /**
   * The kind of that name.
   *
   * @throws IllegalArgumentException with one line that names those that there are
   */
  public static ProviderKind named(String name) {
    List<ProviderKind> all = all();
    return all.stream()
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no provider '"
                        + name
                        + "'; there are "
                        + all.stream().map(ProviderKind::name).collect(Collectors.joining(", "))));
  }

  /** Each kind's name and what it is, for help texts. */
  public static final class Descriptions implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return all().stream().map(kind -> kind.name() + " (" + kind.describe() + ")").iterator();
    }
  }
}
