package org.example.paper;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.vm.port.MachineType;
import ebb.vm.port.RequestId;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmState;
import ebb.vm.port.Zone;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderCall;
import ebb.vm.provider.ProviderKind;
import ebb.vm.provider.ProviderSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A provider from outside: this class, and its line in META-INF/services, is all of it. */
public final class PaperMachines implements ProviderKind {
  /** What there is, for all commands of this process. */
  private static final Map<VmRef, Vm> MADE = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return "paper";
  }

  @Override
  public String describe() {
    return "machines on paper";
  }

  @Override
  public Provider open(ProviderSettings settings) {
    return new Paper();
  }

  private static final class Paper implements Provider {
    @Override
    public String describe() {
      return "paper";
    }

    @Override
    public Vm create(VmSpec spec, RequestId requestId, ProviderCall call) {
      Vm vm =
          new Vm(
              spec.ref(),
              VmState.RUNNING,
              spec.machineType(),
              "10.0.0.1",
              null,
              List.of(),
              spec.labels());
      MADE.put(spec.ref(), vm);
      return vm;
    }

    @Override
    public Vm describe(VmRef ref, ProviderCall call) throws RequestFailedException {
      Vm vm = MADE.get(ref);
      if (vm == null) {
        throw new RequestFailedException(FailureKind.NOT_FOUND, "there is no VM " + ref);
      }
      return vm;
    }

    @Override
    public List<Vm> list(String runId, ProviderCall call) {
      return List.copyOf(MADE.values());
    }

    @Override
    public Vm await(VmRef ref, VmState state, Duration atMost, ProviderCall call)
        throws RequestFailedException {
      return describe(ref, call);
    }

    @Override
    public void delete(VmRef ref, RequestId requestId, ProviderCall call) {
      MADE.remove(ref);
    }

    @Override
    public String serialTail(VmRef ref, int maxChars, ProviderCall call) {
      return "";
    }

    @Override
    public List<Zone> zones(ProviderCall call) {
      return List.of(new Zone("desk", "office", true));
    }

    @Override
    public MachineType machineType(String zone, String name, ProviderCall call) {
      return new MachineType(name, 1, 0, 0);
    }

    @Override
    public void close() {
      // Paper needs none.
    }
  }
}
