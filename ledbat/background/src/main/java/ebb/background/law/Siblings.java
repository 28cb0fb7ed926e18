package ebb.background.law;

/**
 * Flows of the same owner with windows of their own.
 *
 * @param bytesPerSecond what they carry
 * @param connections how many carry it
 */
public record Siblings(double bytesPerSecond, int connections) {
  public static final Siblings NONE = new Siblings(0, 0);
}
