package ebb.vm.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  /** Made by somebody, by their addresses. */
  private final Map<String, Map<String, Object>> accounts = new TreeMap<>();

  /** That were set, by the paths of their buckets. */
  private final Map<String, Map<String, Object>> policies = new HashMap<>();

  /** From now on requests whose path ends so get this: a status, a blank, and JSON. */
  void answer(String pathEnd, String statusAndJson) {
    others.put(pathEnd, statusAndJson);
  }

  void serve(HttpExchange exchange) throws IOException {
    byte[] asked = exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    String answer =
        others.entrySet().stream()
            .filter(one -> path.endsWith(one.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElseGet(() -> usual(method, path, asked));
    int blank = answer.indexOf(' ');
    byte[] bytes = answer.substring(blank + 1).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json; charset=UTF-8");
    exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, blank)), bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Addresses of the accounts that somebody has made and nobody removed. */
  synchronized List<String> accounts() {
    return List.copyOf(accounts.keySet());
  }

  private synchronized String usual(String method, String path, byte[] body) {
    if (path.endsWith("/serviceAccounts")) {
      return method.equals("POST") ? make(path, parsed(body)) : ok(list());
    }
    if (method.equals("DELETE")) {
      return accounts.remove(lastOf(path)) == null
          ? error(404, "Unknown service account")
          : ok(Map.of());
    }
    if (path.contains("/serviceAccounts/") && !path.contains(":")) {
      Map<String, Object> made = accounts.get(lastOf(path));
      // Those of runs are there when somebody has made them; of others a test says so.
      return made != null
          ? ok(made)
          : lastOf(path).startsWith("ebb-") && !lastOf(path).equals(ACCOUNT)
              ? error(404, "Unknown service account")
              : usual(path);
    }
    if (path.endsWith("/iam")) {
      if (method.equals("PUT")) {
        policies.put(path, parsed(body));
      }
      return policies.containsKey(path) ? ok(policies.get(path)) : usual(path);
    }
    return usual(path);
  }

  private String make(String path, Map<String, Object> asked) {
    String project = path.split("/", -1)[3];
    String email = asked.get("accountId") + "@" + project + ".iam.gserviceaccount.com";
    if (accounts.containsKey(email)) {
      return error(409, "Service account " + asked.get("accountId") + " already exists");
    }
    Map<String, Object> made = new LinkedHashMap<>(Json.object(asked.get("serviceAccount")));
    made.put("email", email);
    accounts.put(email, made);
    return ok(made);
  }

  /** The service leaves the list out when there are none. */
  private Map<String, Object> list() {
    return accounts.isEmpty() ? Map.of() : Map.of("accounts", List.copyOf(accounts.values()));
  }

  private static String lastOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String ok(Object json) {
    return "200 " + Json.write(json);
  }

  private static Map<String, Object> parsed(byte[] body) {
    try {
      return JSON.std.mapFrom(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String usual(String path) {
    Map<String, Object> json;
    if (path.contains("/services/")) {
      json = Map.of("name", path.substring(4), "state", "ENABLED");
    } else if (path.endsWith(":testIamPermissions")) {
      json =
          Map.of(
              "permissions",
              List.of(
                  "iam.serviceAccounts.create",
                  "iam.serviceAccounts.delete",
                  "iam.serviceAccounts.actAs"));
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
                  "storage.objects.delete",
                  "storage.buckets.getIamPolicy",
                  "storage.buckets.setIamPolicy"));
    } else if (path.endsWith("/iam")) {
      Map<String, Object> binding =
          Map.of("role", OBJECT_USER, "members", List.of("serviceAccount:" + ACCOUNT));
      json = Map.of("bindings", List.of(binding));
    } else {
      json = Map.of("name", path.substring(path.lastIndexOf('/') + 1), "projectNumber", "1000");
    }
    return ok(json);
  }

  static String error(int status, String message) {
    return status + " " + Json.write(Map.of("error", Map.of("code", status, "message", message)));
  }
}
