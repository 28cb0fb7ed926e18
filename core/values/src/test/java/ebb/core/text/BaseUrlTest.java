package ebb.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BaseUrlTest {
  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:4443, http://127.0.0.1:4443",
    "https://storage.example/, https://storage.example",
    "http://[::1]:80/, http://[::1]:80",
  })
  void namesAServiceWithoutASlash(String typed, String url) {
    assertThat(BaseUrl.of(typed)).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "foo",
        "http://[x",
        "ftp://a",
        "http://",
        "http://a/b",
        "http://a?b",
        "http://a#b"
      })
  void whatIsNoSuchUrlIsNamed(String typed) {
    assertThatThrownBy(() -> BaseUrl.of(typed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no endpoint '" + typed + "': give 'demo' or a URL such as http://127.0.0.1:4443");
  }
}
