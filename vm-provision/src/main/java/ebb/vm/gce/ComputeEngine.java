package ebb.vm.gce;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderKind;
import ebb.vm.provider.ProviderSettings;
import java.nio.file.Path;

/** Compute Engine, as {@code gce}. */
public final class ComputeEngine implements ProviderKind {
  @Override
  public String name() {
    return "gce";
  }

  @Override
  public String describe() {
    return "Compute Engine";
  }

  @Override
  public Provider open(ProviderSettings settings) throws RequestFailedException {
    String keyFile = settings.word("key-file");
    try {
      return new ComputeEngineProvider(
          ComputeOptions.standard(
                  settings.words().getOrDefault("project", ""), settings.word("endpoint"))
              .withIdentity(keyFile == null ? null : Path.of(keyFile), settings.word("impersonate"))
              .withStorage(settings.word("storage-endpoint")));
    } catch (IllegalArgumentException e) {
      throw new RequestFailedException(FailureKind.INVALID, OneLine.of(e), e);
    }
  }
}
