package ebb.launcher.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What holds for every page that Ebb writes, in a real browser. */
public final class Pages {
  /** Waits, in the page, until a tooltip says something; the browser's own limit ends it. */
  private static final String SAID =
      """
      new Promise(done => {
        const look = () => {
          const tips = [...document.querySelectorAll('.plot')[%d].children].slice(1);
          const words = tips.map(tip => tip.style.visibility === 'hidden' ? '' : tip.textContent);
          words.join('') ? done(words.join('')) : requestAnimationFrame(look);
        };
        look();
      })\
      """;

  /** Of A4 and Letter, less margins, a title and a legend. */
  private static final int SHEET_PIXELS = 880;

  /** Of A4, less margins. */
  private static final int SHEET_WIDTH_PIXELS = 718;

  private Pages() {}

  /**
   * Opens a page on a telephone's width and on a desk's, and checks that it asks for nothing, that
   * the browser complains about nothing, that nothing is wider than the window, that each chart is
   * drawn, and that each says its values where the mouse is.
   *
   * @return how many points, boxes or squares each chart has, by its title
   */
  public static Map<String, Integer> check(Browser browser, Path page) throws Exception {
    for (int width : new int[] {390, 1_280}) {
      browser.width(width);
      browser.open(page);
      assertThat(browser.complaints()).as("%s", page).isEmpty();
      assertThat(browser.requests()).as("%s", page).containsExactly(page.toUri().toString());
      assertThat((String) browser.evaluate("document.title")).startsWith("Ebb");
      assertThat(
              browser.evaluate(
                  "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
          .as("no sideways scrolling of %s at %d", page, width)
          .isEqualTo(0);
    }
    List<?> charts =
        (List<?>)
            browser.evaluate(
                """
                ebbCharts.map(({chart, spec}) => {
                  const svg = chart.getDom().querySelector('svg');
                  const count = list => list.filter(one => one !== null).length;
                  return {
                    title: spec.title, width: chart.getWidth(), height: chart.getHeight(),
                    drawn: svg.querySelectorAll('path').length,
                    words: svg.textContent.length,
                    points: spec.type === 'line'
                        ? spec.panels.flatMap(p => p.series).reduce((n, s) => n + count(s.y), 0)
                        : spec.type === 'heat' ? count(spec.cells.map(cell => cell.value))
                        : spec.type === 'box' ? spec.boxes.length
                        : spec.series.reduce((n, s) => n + count(s.values), 0)};
                })\
                """);
    Map<String, Integer> points = new LinkedHashMap<>();
    for (int i = 0; i < charts.size(); i++) {
      Map<?, ?> chart = (Map<?, ?>) charts.get(i);
      String name = "" + chart.get("title");
      assertThat(number(chart, "width")).as(name).isGreaterThan(300);
      assertThat(number(chart, "height")).as(name).isGreaterThan(30);
      assertThat(number(chart, "words")).as(name).isPositive();
      assertThat(number(chart, "drawn")).as(name).isPositive();
      assertThat(number(chart, "points")).as(name).isPositive();
      hover(browser, i);
      assertThat((String) browser.evaluate(SAID.formatted(i))).as(name).containsPattern("\\d");
      points.merge(name, number(chart, "points"), Integer::sum);
    }
    onPaper(browser, page);
    assertThat(browser.complaints()).as("%s, after it was used", page).isEmpty();
    assertThat(browser.requests()).as("%s, after it was used", page).hasSize(1);
    return points;
  }

  /**
   * A chart that is higher than a sheet would be cut through, and what is wider than one cut off; a
   * table is a table. Afterwards all is as before.
   */
  private static void onPaper(Browser browser, Path page) throws Exception {
    browser.width(SHEET_WIDTH_PIXELS);
    browser.media("print");
    assertThat(
            (List<?>)
                browser.evaluate(
                    """
                    [...document.querySelectorAll('table')]
                        .filter(table => getComputedStyle(table).display !== 'table'
                            || table.getBoundingClientRect().right > innerWidth
                                && !table.closest('details'))
                        .map(table => table.textContent)\
                    """))
        .as("tables of %s that are none on paper, or wider", page)
        .isEmpty();
    browser.media("screen");
    browser.width(1_280);
    String heights = "ebbCharts.map(({chart}) => chart.getHeight())";
    Object before = browser.evaluate(heights);
    browser.evaluate("void dispatchEvent(new Event('beforeprint'))");
    for (Object height : (List<?>) browser.evaluate(heights)) {
      assertThat(((Number) height).intValue()).as("%s on paper", page).isBetween(30, SHEET_PIXELS);
    }
    browser.evaluate("void dispatchEvent(new Event('afterprint'))");
    assertThat(browser.evaluate(heights)).as("%s", page).isEqualTo(before);
  }

  /** Puts the mouse on a value: a line's, a square's, a box's or a bar's. */
  private static void hover(Browser browser, int chart) throws Exception {
    List<?> place =
        (List<?>)
            browser.evaluate(
                """
                (() => {
                  const {chart, spec} = ebbCharts[%d], dom = chart.getDom();
                  dom.scrollIntoView({block: 'start', behavior: 'instant'});
                  const first = {line: () => {
                      const line = spec.panels[0].series[0];
                      const k = line.y.findIndex(value => value !== null);
                      return [spec.xs[line.x][k], line.y[k]];
                    },
                    heat: () => [spec.cells.find(cell => cell.value !== null).column,
                      spec.cells.find(cell => cell.value !== null).row],
                    box: () => [spec.boxes[0].five[2], 0], bar: () => [0, 0]}[spec.type]();
                  const at = chart.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, first);
                  const box = dom.getBoundingClientRect();
                  const up = spec.type === 'bar' ? 20 : 0;
                  return [box.left + at[0] + (spec.type === 'line' ? 1 : 0), box.top + at[1] - up];
                })()\
                """
                    .formatted(chart));
    double x = ((Number) place.get(0)).doubleValue();
    double y = ((Number) place.get(1)).doubleValue();
    // The last chart may have been under the same place.
    browser.mouse(x - 3, y - 2);
    browser.mouse(x, y);
  }

  private static int number(Map<?, ?> of, String name) {
    return ((Number) of.get(name)).intValue();
  }
}
