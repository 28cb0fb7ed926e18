package ebb.vm.startup;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One command of {@code ebb}'s that a machine runs when its turn has come.
 *
 * @param name within the machine; what its results are called
 * @param words after {@code ebb}. {@code {VM.internal}} and {@code {VM.external}} stand for the
 *     addresses of a VM of the run, {@code {dir}} for a directory whose files are kept, too, {@code
 *     {disk:NAME}} for a disk of the machine, {@code {get:KEY}} for a file with the result of that
 *     key
 * @param after keys of results that have to be there first, such as {@code b/ready} or {@code
 *     b/ping.exit}; or anything that whoever runs the plan keeps, such as {@code go}
 * @param atMost after which it is stopped, and incomplete
 * @param patience for each key and address; then the task is not run
 */
public record StartupTask(
    String name, List<String> words, List<String> after, Duration atMost, Duration patience) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[-a-z0-9]{0,60}[a-z0-9])?");
  private static final Pattern KEY =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9._-]+)*");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  public StartupTask {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("no name of a task: '" + name + "'");
    }
    words = checkedWords(words);
    after = List.copyOf(after);
    after.forEach(StartupTask::checkedKey);
    if (words.isEmpty()) {
      throw new IllegalArgumentException("task '" + name + "' has no words");
    }
    if (atMost.toSeconds() < 1 || patience.toSeconds() < 1) {
      throw new IllegalArgumentException("task '" + name + "' has no time");
    }
  }

  static List<String> checkedWords(List<String> words) {
    for (String word : words) {
      if (CONTROL.matcher(word).find()) {
        throw new IllegalArgumentException("a word with control characters");
      }
    }
    return List.copyOf(words);
  }

  static String checkedKey(String key) {
    if (!KEY.matcher(key).matches() || key.contains("..")) {
      throw new IllegalArgumentException("no key of a result: '" + key + "'");
    }
    return key;
  }
}
