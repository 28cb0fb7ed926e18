package ebb.core.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** What is the same in every page: the style, the scripts, and the policy that forbids requests. */
final class PageParts {
  /** The version in the pom; the library's jar has it in its paths. */
  private static final String ECHARTS =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

  static final String STYLE = read("report.css");

  private PageParts() {}

  /** The scripts, read when a page with charts is written, which most runs never do. */
  private static final class Scripts {
    static final String LIBRARY = read(ECHARTS);
    static final String OURS = read("report.js");
    static final String POLICY = "'" + hash(LIBRARY) + "' '" + hash(OURS) + "'";
  }

  /**
   * Only these two scripts may run, and nothing may be asked for from anywhere.
   *
   * @param live but its own server, which has newer parts of the page
   */
  static String policy(boolean live) {
    return "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri"
        + " 'none'; form-action 'none'; img-src data: blob:; style-src 'unsafe-inline'; "
        + (live ? "connect-src 'self'; " : "")
        + "script-src "
        + Scripts.POLICY
        + "\">";
  }

  static String scripts() {
    return "<script>" + Scripts.LIBRARY + "</script><script>" + Scripts.OURS + "</script>";
  }

  private static String read(String name) {
    try (InputStream in = PageParts.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("not in the jar: " + name);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      if (text.contains("</script")) {
        throw new IllegalStateException("cannot stand in a page: " + name);
      }
      return text.replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String script) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }
}
