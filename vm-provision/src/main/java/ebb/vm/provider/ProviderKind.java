package ebb.vm.provider;

import ebb.core.attempts.RequestFailedException;

/**
 * A kind of provider, by its name. Kinds are found by {@link java.util.ServiceLoader}: a new one is
 * a package with an implementation of this, and its line in {@code
 * META-INF/services/ebb.vm.provider.ProviderKind}.
 */
public interface ProviderKind {
  /** As it is given to {@code --provider}: letters, digits and dashes. */
  String name();

  /** What it is, in a few words for help texts. */
  String describe();

  /**
   * Opens it.
   *
   * @throws RequestFailedException when that cannot be; INVALID when a setting is wrong or missing
   */
  Provider open(ProviderSettings settings) throws RequestFailedException;
}
