package ebb.vm.local;

import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderKind;
import ebb.vm.provider.ProviderSettings;

/** This machine, as {@code local}: what runs have made here. Only a run can make more. */
public final class ThisMachine implements ProviderKind {
  public static final String NAME = "local";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String describe() {
    return "this machine: network namespaces for root, else processes on loopback";
  }

  @Override
  public Provider open(ProviderSettings settings) {
    return new LocalProvider(settings.directory(), LocalNetwork.none());
  }
}
