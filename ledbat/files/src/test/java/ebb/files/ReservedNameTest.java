package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReservedNameTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        ".ebb-part",
        ".EBB-Part",
        ".ebb-part. .",
        // HFS+ ignores these.
        ".ebb\u200c-part",
        "\ufeff.ebb-part",
        ".e\u202ab\u206fb-part",
        ".ebb-part\u200d",
        // Compatibility forms, and letters whose other case is plain.
        ".\uff45bb-part",
        ".ebb\uff0dpart",
        "\u2024ebb-part",
        // 8.3 names.
        "EBB-PA~1",
        "ebb-pa~4",
        "EBB-P~10",
        "EB3F5A~1",
        "EBB-PA~1.",
        // A stream of NTFS.
        ".ebb-part::$INDEX_ALLOCATION",
        ".ebb-part:x"
      })
  void namesThatAFileSystemMayTakeForTheDirectory(String name) {
    assertThat(ReservedName.mayDenote(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".ebb-parts",
        "ebb-part",
        ".ebb",
        ".ebb-part.txt",
        "x.ebb-part",
        "ebb~",
        "EBB-PA~",
        "backup~1",
        ".\u0435bb-part",
        ""
      })
  void namesThatNoneTakesForIt(String name) {
    assertThat(ReservedName.mayDenote(name)).isFalse();
  }
}
