package ebb.vm.demo;

import ebb.vm.demo.Discovery.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parts of lists: by a filter, by pages, by zones. Of filters it knows labels only. */
final class Listing {
  private static final Pattern FILTER =
      Pattern.compile("labels\\.([a-z0-9_-]+)(=|:)(\\*|[a-z0-9_-]+)");

  private Listing() {}

  static List<Map<String, Object>> filtered(String filter, List<Map<String, Object>> all)
      throws ApiError {
    if (filter.isEmpty()) {
      return all;
    }
    Matcher match = FILTER.matcher(filter);
    if (!match.matches() || match.group(2).equals("=") == match.group(3).equals("*")) {
      throw ApiError.invalid("filter", filter, "Invalid list filter expression.");
    }
    return all.stream()
        .filter(
            one -> {
              Object label = Json.object(one.get("labels")).get(match.group(1));
              return match.group(3).equals("*") ? label != null : match.group(3).equals(label);
            })
        .toList();
  }

  /** A part of a list, and where the next one begins. */
  static Map<String, Object> page(int pageSize, Request request, List<Map<String, Object>> all) {
    int from =
        request.parameter("pageToken").isEmpty()
            ? 0
            : Integer.parseInt(request.parameter("pageToken"));
    int to = Math.min(all.size(), from + pageSize);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("items", all.subList(Math.min(from, to), to));
    if (to < all.size()) {
      json.put("nextPageToken", Integer.toString(to));
    }
    return json;
  }

  static Map<String, Object> scoped(
      int pageSize, Request request, String what, List<Map<String, Object>> all) {
    Map<String, Object> json = page(pageSize, request, all);
    Map<String, Object> zones = new LinkedHashMap<>();
    for (String zone : Inventory.ZONES) {
      List<?> here =
          Json.list(json.get("items")).stream()
              .filter(one -> Json.text(Json.object(one).get("zone")).endsWith("/" + zone))
              .toList();
      zones.put(
          "zones/" + zone,
          here.isEmpty()
              ? Map.of(
                  "warning",
                  Map.of(
                      "code",
                      "NO_RESULTS_ON_PAGE",
                      "message",
                      "There are no results for scope 'zones/" + zone + "' on this page."))
              : Map.of(what, here));
    }
    json.put("items", zones);
    return json;
  }
}
