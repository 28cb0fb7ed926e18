package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CourseTest {
  @Test
  void whatMovedAndEndedIsInItsWindow() {
    Course course = new Course();
    course.moved(10_000, 100);
    course.moved(130_000, 300);
    course.ended(130_000, true, 7_000);
    course.ended(140_000, true, 9_000);
    course.ended(150_000, false, 1);
    List<Course.Window> windows = course.windows(200_000);
    assertThat(windows)
        .containsExactly(
            new Course.Window(0, 125_000, 0, 0, 100, 0, 0),
            new Course.Window(125_000, 200_000, 2, 1, 300, 16_000, 9_000));
    // An hour has as few, and nothing is lost.
    course.moved(3_600_000_000L, 5);
    List<Course.Window> joined = course.windows(3_600_000_001L);
    assertThat(joined).hasSizeBetween(20, Course.MOST);
    assertThat(joined.stream().mapToLong(Course.Window::bytes).sum()).isEqualTo(405);
    assertThat(joined.get(0).operations()).isEqualTo(2);
    assertThat(joined.get(0).longestMicros()).isEqualTo(9_000);
    for (int i = 1; i < joined.size(); i++) {
      assertThat(joined.get(i).fromMicros()).isEqualTo(joined.get(i - 1).toMicros());
    }
    assertThat(joined.get(joined.size() - 1).toMicros()).isEqualTo(3_600_000_001L);
  }

  @Test
  void withoutAnythingThereIsNone() {
    assertThat(new Course().windows(1_000_000)).isEmpty();
  }
}
