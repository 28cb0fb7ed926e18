package ebb.core.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One HTML file that needs nothing else and asks for nothing, readable in light, in dark, on a
 * telephone and on paper. A summary comes first: {@link #lead}, {@link #answer} and {@link
 * #figures}. All text is escaped. Not thread-safe.
 */
public final class HtmlReport {
  /** What a figure says about itself, with a mark besides the colour. */
  public enum Tone {
    PLAIN("figure"),
    GOOD("figure good"),
    BAD("figure bad");

    private final String style;

    Tone(String style) {
      this.style = style;
    }
  }

  /** A number worth a large type. */
  public record Figure(String value, String label, Tone tone) {}

  /** The script shows so many of the raw rows. */
  private static final int SHOWN_ROWS = 200;

  private final String title;
  private final StringBuilder body = new StringBuilder();

  public HtmlReport(String title) {
    this.title = title;
    body.append("<h1>").append(Html.escape(title)).append("</h1>");
  }

  /** What was measured. */
  public HtmlReport lead(String text) {
    body.append("<p class=\"lead\">").append(Html.escape(text)).append("</p>");
    return this;
  }

  /** What came out, in one sentence. */
  public HtmlReport answer(String text) {
    body.append("<p class=\"answer\">").append(Html.escape(text)).append("</p>");
    return this;
  }

  /** What a reader must know before believing the figures. */
  public HtmlReport warning(String text) {
    body.append("<p class=\"warning\">").append(Html.escape(text)).append("</p>");
    return this;
  }

  public HtmlReport heading(String text) {
    body.append("<h2>").append(Html.escape(text)).append("</h2>");
    return this;
  }

  public HtmlReport paragraph(String text) {
    body.append("<p>").append(Html.escape(text)).append("</p>");
    return this;
  }

  /** Lines of a program, such as those of a console. */
  public HtmlReport preformatted(String text) {
    body.append("<pre>").append(Html.escape(text)).append("</pre>");
    return this;
  }

  public HtmlReport figures(List<Figure> figures) {
    body.append("<div class=\"figures\">");
    for (Figure figure : figures) {
      body.append("<div class=\"").append(figure.tone.style).append("\"><b>");
      body.append(Html.escape(figure.value)).append("</b><span>");
      body.append(Html.escape(figure.label)).append("</span></div>");
    }
    body.append("</div>");
    return this;
  }

  /** A chart; without a script there is its title, and what tables say. */
  public HtmlReport chart(Chart chart) {
    String name = Html.escape(chart.title());
    body.append("<figure class=\"chart\"><figcaption><span>").append(name);
    body.append("</span><span class=\"tools\"></span></figcaption>");
    if (chart instanceof HeatMap) {
      body.append("<div class=\"scale\"><span>better</span><i></i><span>worse</span></div>");
    }
    body.append("<div class=\"legend\" role=\"group\" aria-label=\"Lines\"></div>");
    body.append("<div class=\"scroll\"><div class=\"plot\" tabindex=\"0\" role=\"img\"");
    body.append(" aria-label=\"").append(name).append("\" style=\"height:");
    body.append(chart.heightPixels()).append("px;min-width:").append(chart.minWidthPixels());
    body.append("px\"></div></div><p class=\"note hint\"></p><p class=\"hidden\"");
    body.append(" role=\"status\"></p>").append(data(chart.spec())).append("</figure>");
    return this;
  }

  /** A table. */
  public HtmlReport table(Table table) {
    body.append(table.toHtml());
    return this;
  }

  /** A table of texts; every row has as many cells as there are columns. */
  public HtmlReport table(List<String> columns, List<List<String>> rows) {
    Table table = new Table();
    columns.forEach(table::text);
    rows.forEach(cells -> table.row(cells.toArray()));
    return table(table);
  }

  /** Names and values in words, folded away; nothing when there are none. */
  public HtmlReport facts(String heading, Map<String, String> facts) {
    if (!facts.isEmpty()) {
      body.append("<details><summary>").append(Html.escape(heading)).append("</summary><dl>");
      facts.forEach(
          (name, value) -> {
            body.append("<dt>").append(Html.escape(name)).append("</dt><dd>");
            body.append(Html.escape(value)).append("</dd>");
          });
      body.append("</dl></details>");
    }
    return this;
  }

  /**
   * All rows of a run, folded away, to be looked at and to be saved as CSV or JSON.
   *
   * @param name of the files
   */
  public HtmlReport rawRows(
      String name, List<? extends Map<String, ? extends @Nullable Object>> rows) {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(row.keySet()));
    List<List<@Nullable Object>> lines = new ArrayList<>();
    for (Map<String, ? extends @Nullable Object> row : rows) {
      List<@Nullable Object> line = new ArrayList<>();
      columns.forEach(column -> line.add(row.get(column)));
      lines.add(line);
    }
    body.append("<details data-name=\"").append(Html.escape(name)).append("\"><summary>");
    body.append(
        String.format(
            Locale.ROOT, "Raw data, %,d row%s", rows.size(), rows.size() == 1 ? "" : "s"));
    body.append("</summary><p>All rows: </p><div class=\"scroll\"></div>");
    if (rows.size() > SHOWN_ROWS) {
      body.append("<p class=\"note\">The first ").append(SHOWN_ROWS).append(" rows.</p>");
    }
    body.append(data(Json.object("columns", columns, "rows", lines))).append("</details>");
    return this;
  }

  private static String data(Map<String, @Nullable Object> value) {
    return "<script type=\"application/json\">" + Json.of(value) + "</script>";
  }

  /** The page. */
  public String toHtml() {
    return toHtml(false);
  }

  /** The same to be served while its run goes on: it asks for {@code parts} every second. */
  public String toLiveHtml() {
    return toHtml(true);
  }

  /** What is on the page, without what is the same in every page. */
  public String toParts() {
    return body.toString();
  }

  private String toHtml(boolean live) {
    return "<!doctype html><html lang=\"en\""
        + (live ? " data-live=\"yes\"" : "")
        + "><head><meta charset=\"utf-8\">"
        + PageParts.policy(live)
        + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>"
        + Html.escape(title)
        + "</title><style>"
        + PageParts.STYLE
        + "</style></head><body><main>"
        + body
        + "<noscript><p class=\"warning\">The charts of this page are drawn by a script.</p>"
        + "</noscript><footer>Made by Ebb. Charts by Apache ECharts (Apache License 2.0). "
        + (live
            ? "This page asks the run that serves it and nobody else."
            : "This page is one file and asks for nothing from anywhere.")
        + "</footer></main>"
        + PageParts.scripts()
        + "</body></html>\n";
  }

  /** Writes the page, whole or not at all. */
  public void writeTo(Path file) throws IOException {
    // Not createTempFile, which makes files that only their owner can read.
    String name = "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp";
    Path temporary = file.toAbsolutePath().resolveSibling(name);
    try {
      Files.writeString(temporary, toHtml(), StandardCharsets.UTF_8);
      try {
        Files.move(
            temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
