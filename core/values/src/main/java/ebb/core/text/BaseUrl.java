package ebb.core.text;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The address of an HTTP service, as somebody types it. */
public final class BaseUrl {
  private BaseUrl() {}

  /**
   * The URL without a slash at its end.
   *
   * @param typed such as {@code http://127.0.0.1:4443}
   * @throws IllegalArgumentException with one line, when it is no such URL
   */
  public static String of(String typed) {
    URI uri = uri(typed);
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    boolean atRoot = uri.getPath() == null || uri.getPath().isEmpty() || uri.getPath().equals("/");
    if (!(scheme.equals("http") || scheme.equals("https"))
        || uri.getHost() == null
        || !atRoot
        || uri.getQuery() != null
        || uri.getFragment() != null) {
      throw none(typed, null);
    }
    return typed.endsWith("/") ? typed.substring(0, typed.length() - 1) : typed;
  }

  private static URI uri(String typed) {
    try {
      return URI.create(typed);
    } catch (IllegalArgumentException e) {
      throw none(typed, e);
    }
  }

  private static IllegalArgumentException none(String typed, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "no endpoint '" + typed + "': give 'demo' or a URL such as http://127.0.0.1:4443", cause);
  }
}
