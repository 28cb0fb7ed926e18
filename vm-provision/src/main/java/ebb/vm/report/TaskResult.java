package ebb.vm.report;

import ebb.core.result.ResultRecord;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a task of a VM's found. */
public record TaskResult(String vm, String task, ResultRecord result) {
  boolean isOf(String command) {
    return result.command().equals(command);
  }

  /** For people. */
  String who() {
    return vm + ", " + task;
  }

  static String text(Map<String, @Nullable Object> row, String key) {
    return row.get(key) instanceof String text ? text : "";
  }

  /** NaN for what was not measured. */
  static double number(Map<String, @Nullable Object> row, String key) {
    return row.get(key) instanceof Number number ? number.doubleValue() : Double.NaN;
  }
}
