package ebb.vm.run;

import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.Request;
import java.util.concurrent.CompletableFuture;

/** Who carries requests to a provisioning port. */
public interface Requests {
  CompletableFuture<Done> send(Request request);

  /** Answers all that are under way with CANCELLED. */
  void cancelAll();
}
