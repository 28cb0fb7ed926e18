package ebb.vm.demo;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What Google's other services answer to a check before a run: recorded answers in the shape of
 * their documentation, all well unless a test says otherwise.
 */
final class GoogleAnswers {
  /** An account that is there and may use any bucket. */
  static final String ACCOUNT = "ebb-vm@ebb-demo.iam.gserviceaccount.com";

  private static final String OBJECT_USER = "roles/storage.objectUser";

  private final Map<String, String> others = new ConcurrentHashMap<>();

  /** From now on requests whose path ends so get this: a status, a blank, and JSON. */
  void answer(String pathEnd, String statusAndJson) {
    others.put(pathEnd, statusAndJson);
  }

  void serve(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getPath();
    String answer =
        others.entrySet().stream()
            .filter(one -> path.endsWith(one.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElseGet(() -> usual(path));
    int blank = answer.indexOf(' ');
    byte[] bytes = answer.substring(blank + 1).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json; charset=UTF-8");
    exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, blank)), bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String usual(String path) {
    Map<String, Object> json;
    if (path.contains("/services/")) {
      json = Map.of("name", path.substring(4), "state", "ENABLED");
    } else if (path.endsWith(":testIamPermissions")) {
      json = Map.of("permissions", List.of("iam.serviceAccounts.actAs"));
    } else if (path.contains("/serviceAccounts/")) {
      json = Map.of("email", path.substring(path.lastIndexOf('/') + 1));
    } else if (path.endsWith(":getIamPolicy")) {
      json = Map.of("bindings", List.of());
    } else if (path.endsWith("/iam/testPermissions")) {
      json =
          Map.of(
              "permissions",
              List.of(
                  "storage.objects.create",
                  "storage.objects.get",
                  "storage.objects.list",
                  "storage.objects.delete"));
    } else if (path.endsWith("/iam")) {
      Map<String, Object> binding =
          Map.of("role", OBJECT_USER, "members", List.of("serviceAccount:" + ACCOUNT));
      json = Map.of("bindings", List.of(binding));
    } else {
      json = Map.of("name", path.substring(path.lastIndexOf('/') + 1), "projectNumber", "1000");
    }
    return "200 " + Json.write(json);
  }

  static String error(int status, String message) {
    return status + " " + Json.write(Map.of("error", Map.of("code", status, "message", message)));
  }
}
