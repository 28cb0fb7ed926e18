package ebb.vm.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a run's VMs and whoever runs it exchange: the jar, results, words. Keys are such as {@code
 * vm/task.json}. An {@link IOException} has one line that says what is wrong.
 */
public interface RunStore extends AutoCloseable {
  /** Where results are, as a VM knows it: {@code gs://BUCKET/PREFIX} or an absolute path. */
  String results();

  /** Where the jar is, as a VM knows it. */
  String jar();

  void putJar(Path jar) throws IOException;

  void put(String key, String text) throws IOException;

  /** Empty when there is no such key. */
  Optional<String> get(String key) throws IOException;

  /** Of all results, in order. */
  List<String> keys() throws IOException;

  /** Copies all results into a directory that is there. */
  void copyTo(Path directory) throws IOException;

  /** Removes the jar, the results and nothing else; that there is nothing is no error. */
  void remove() throws IOException;

  @Override
  void close();
}
