package ebb.vm.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule as the provider has it.
 *
 * @param allowed such as {@code tcp:8080,8081}
 * @param sourceTags VMs with these come in by their internal addresses, too
 * @param labels null when it is not Ebb's
 */
public record Firewall(
    String name,
    String network,
    List<String> allowed,
    List<String> sourceRanges,
    List<String> sourceTags,
    List<String> targetTags,
    @Nullable RunLabels labels) {
  public Firewall {
    allowed = List.copyOf(allowed);
    sourceRanges = List.copyOf(sourceRanges);
    sourceTags = List.copyOf(sourceTags);
    targetTags = List.copyOf(targetTags);
  }
}
