package ebb.vm.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Google's own description of the service, trimmed to what is used here: which requests there are
 * and what may be in them. It says nothing about what the service does with them.
 */
final class Discovery {
  private final String servicePath;
  private final Map<String, Object> commonParameters;
  private final List<Method> methods = new ArrayList<>();
  private final SchemaCheck schemas;

  /** One method of the service. */
  private record Method(
      String id,
      String httpMethod,
      Pattern path,
      List<String> pathNames,
      Map<String, Object> json) {}

  /**
   * A request that is in order.
   *
   * @param method such as {@code instances.insert}
   */
  record Request(
      String method, Map<String, String> parameters, Map<String, Object> body, String response) {
    String parameter(String name) {
      return parameters.getOrDefault(name, "");
    }
  }

  private Discovery(Map<String, Object> document) {
    servicePath = "/" + document.get("servicePath");
    commonParameters = Json.object(document.get("parameters"));
    schemas = new SchemaCheck(Json.object(document.get("schemas")));
    Json.object(document.get("resources"))
        .forEach(
            (resource, described) ->
                Json.object(Json.object(described).get("methods"))
                    .forEach((name, method) -> add(resource + "." + name, Json.object(method))));
  }

  static Discovery load() throws IOException {
    try (InputStream in = Discovery.class.getResourceAsStream("compute.v1.json")) {
      return new Discovery(JSON.std.mapFrom(Objects.requireNonNull(in)));
    }
  }

  private void add(String id, Map<String, Object> method) {
    List<String> names = new ArrayList<>();
    StringBuilder regex = new StringBuilder();
    for (String part : Json.text(method.get("path")).split("/", -1)) {
      regex.append(regex.isEmpty() ? "" : "/");
      if (part.startsWith("{")) {
        names.add(part.substring(1, part.length() - 1));
        regex.append("([^/]+)");
      } else {
        regex.append(Pattern.quote(part));
      }
    }
    methods.add(
        new Method(
            id,
            Json.text(method.get("httpMethod")),
            Pattern.compile(regex.toString()),
            names,
            method));
  }

  /**
   * Finds the method and looks at everything that the request has.
   *
   * @param query decoded
   * @param body null when there is none
   */
  Request check(
      String httpMethod, String path, Map<String, String> query, @Nullable Map<String, Object> body)
      throws ApiError {
    if (path.startsWith(servicePath)) {
      String rest = path.substring(servicePath.length());
      for (Method method : methods) {
        Matcher match = method.path.matcher(rest);
        if (method.httpMethod.equals(httpMethod) && match.matches()) {
          return checked(method, match, query, body);
        }
      }
    }
    throw new ApiError(404, "notFound", "No method of the service is " + httpMethod + " " + path);
  }

  private Request checked(
      Method method, Matcher match, Map<String, String> query, @Nullable Map<String, Object> body)
      throws ApiError {
    Map<String, Object> described = Json.object(method.json.get("parameters"));
    Map<String, String> parameters = new LinkedHashMap<>(query);
    List<String> problems = new ArrayList<>();
    for (String name : query.keySet()) {
      Map<String, Object> schema =
          Json.object(described.getOrDefault(name, commonParameters.get(name)));
      if (schema.isEmpty() || !"query".equals(schema.get("location"))) {
        problems.add("Unknown name \"" + name + "\": Cannot bind query parameter.");
      } else {
        problems.addAll(schemas.parameterProblems(name, schema, query.get(name)));
      }
    }
    for (int i = 0; i < method.pathNames.size(); i++) {
      String name = method.pathNames.get(i);
      parameters.put(name, match.group(i + 1));
      problems.addAll(
          schemas.parameterProblems(name, Json.object(described.get(name)), match.group(i + 1)));
    }
    described.forEach(
        (name, schema) -> {
          if (Boolean.TRUE.equals(Json.object(schema).get("required"))
              && !parameters.containsKey(name)) {
            problems.add("Required parameter: " + name);
          }
        });
    Object wanted = Json.object(method.json.get("request")).get("$ref");
    if (wanted != null) {
      problems.addAll(
          body == null
              ? List.of("Required field 'resource' not specified")
              : schemas.problems(Json.text(wanted), body));
    } else if (body != null && !body.isEmpty()) {
      problems.add("this method takes no body");
    }
    if (!problems.isEmpty()) {
      throw new ApiError(
          400, "badRequest", "Invalid JSON payload received. " + problems.get(0), problems);
    }
    return new Request(
        method.id,
        parameters,
        body == null ? Map.of() : body,
        Json.text(Json.object(method.json.get("response")).get("$ref")));
  }

  /** What is wrong with an answer: the fake is held to the document as its clients are. */
  List<String> answerProblems(Request request, Map<String, Object> answer) {
    return schemas.problems(request.response, answer);
  }
}
