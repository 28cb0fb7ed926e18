package ebb.vm.port;

/** How much of something a project may have. */
public record Quota(String metric, double limit, double usage) {
  public double left() {
    return Math.max(0, limit - usage);
  }
}
