package ebb.vm.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule as the provider has it.
 *
 * @param allowed such as {@code tcp:8080,8081}
 * @param labels null when it is not Ebb's
 */
public record Firewall(
    String name,
    String network,
    List<String> allowed,
    List<String> sourceRanges,
    List<String> targetTags,
    @Nullable RunLabels labels) {
  public Firewall {
    allowed = List.copyOf(allowed);
    sourceRanges = List.copyOf(sourceRanges);
    targetTags = List.copyOf(targetTags);
  }
}
