package ebb.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is made with many values of one type has named parts: nobody counts arguments. */
final class RecordArchitectureTest {
  private static final int MOST_OF_ONE_TYPE = 8;

  @Test
  void noPublicRecordHasMoreThanEightComponentsOfOneType() {
    List<String> records = new ArrayList<>();
    List<String> tooMany = new ArrayList<>();
    for (JavaClass found : MainCode.classes()) {
      if (found.isRecord() && Modifier.isPublic(found.reflect().getModifiers())) {
        records.add(found.getSimpleName());
        if (mostOfOneType(found.reflect()) > MOST_OF_ONE_TYPE) {
          tooMany.add(found.getName());
        }
      }
    }
    // Of the engine, the driver, the components, the simulator, stores and VMs.
    assertThat(records)
        .contains(
            "ConnectionStats",
            "DriverStats",
            "MessageConfig",
            "LinkSpec",
            "LedbatFlowSpec",
            "GcsOptions",
            "VmSpec");
    assertThat(tooMany).isEmpty();
  }

  private static long mostOfOneType(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .collect(Collectors.groupingBy(RecordComponent::getGenericType, Collectors.counting()))
        .values()
        .stream()
        .mapToLong(Long::longValue)
        .max()
        .orElse(0);
  }
}
