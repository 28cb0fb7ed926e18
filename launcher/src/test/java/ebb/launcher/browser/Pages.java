package ebb.launcher.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What holds for every page that Ebb writes, in a real browser. */
public final class Pages {
  private Pages() {}

  /**
   * Opens a page and checks that it asks for nothing, that the browser complains about nothing, and
   * that each chart is visible and each of its lines has a length.
   *
   * @return how many points, boxes or squares each chart has, by its name for the blind
   */
  public static Map<String, Integer> check(Browser browser, Path page) throws Exception {
    browser.open(page);
    assertThat(browser.complaints()).as("%s", page).isEmpty();
    assertThat(browser.requests()).as("%s", page).containsExactly(page.toUri().toString());
    assertThat((String) browser.evaluate("document.title")).startsWith("Ebb");
    assertThat(browser.evaluate("document.body.scrollWidth <= window.innerWidth"))
        .as("no sideways scrolling of %s", page)
        .isEqualTo(true);
    List<?> charts =
        (List<?>)
            browser.evaluate(
                """
                [...document.querySelectorAll('svg')].map(svg => {
                  const box = svg.getBoundingClientRect();
                  const lines = [...svg.querySelectorAll('path.series')];
                  const marks = [...svg.querySelectorAll('rect.cell, rect.series')];
                  const seen = element => getComputedStyle(element).visibility === 'visible';
                  return {
                    name: svg.getAttribute('aria-label'),
                    width: box.width, height: box.height,
                    points: lines.reduce((sum, line) =>
                        sum + (line.getAttribute('d').match(/[ML]/g) || []).length, 0),
                    lengths: lines.filter(seen).filter(line => line.getAttribute('d').includes('L'))
                        .map(line => line.getTotalLength()),
                    strokes: [...lines, ...marks].map(line => getComputedStyle(line).stroke),
                    marks: marks.filter(seen)
                        .filter(mark => mark.getBoundingClientRect().width > 0).length,
                    words: svg.textContent.length};
                })\
                """);
    Map<String, Integer> points = new LinkedHashMap<>();
    for (Object each : charts) {
      Map<?, ?> chart = (Map<?, ?>) each;
      String name = "" + chart.get("name");
      assertThat(((Number) chart.get("width")).doubleValue()).as(name).isGreaterThan(300);
      assertThat(((Number) chart.get("height")).doubleValue()).as(name).isGreaterThan(30);
      assertThat(((Number) chart.get("words")).intValue()).as(name).isPositive();
      assertThat(numbers(chart.get("lengths"))).as(name).allMatch(length -> length > 0);
      assertThat(words(chart.get("strokes"))).as(name).isNotEmpty().doesNotContain("none");
      int drawn =
          ((Number) chart.get("points")).intValue() + ((Number) chart.get("marks")).intValue();
      assertThat(drawn).as(name).isPositive();
      points.merge(name, drawn, Integer::sum);
    }
    return points;
  }

  private static List<Double> numbers(Object list) {
    return ((List<?>) list).stream().map(value -> ((Number) value).doubleValue()).toList();
  }

  private static List<String> words(Object list) {
    return ((List<?>) list).stream().map(String::valueOf).toList();
  }
}
