package ebb.vm.client;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.vm.port.Answer;
import ebb.vm.port.ProvisionPort.CreateAccount;
import ebb.vm.port.ProvisionPort.CreateFirewall;
import ebb.vm.port.ProvisionPort.CreateVm;
import ebb.vm.port.ProvisionPort.CreateVms;
import ebb.vm.port.ProvisionPort.DeleteAccount;
import ebb.vm.port.ProvisionPort.DeleteDisk;
import ebb.vm.port.ProvisionPort.DeleteFirewall;
import ebb.vm.port.ProvisionPort.DeleteVm;
import ebb.vm.port.ProvisionPort.DescribeMachineType;
import ebb.vm.port.ProvisionPort.DescribeVm;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.ListAccounts;
import ebb.vm.port.ProvisionPort.ListDisks;
import ebb.vm.port.ProvisionPort.ListFirewalls;
import ebb.vm.port.ProvisionPort.ListQuotas;
import ebb.vm.port.ProvisionPort.ListVms;
import ebb.vm.port.ProvisionPort.ListZones;
import ebb.vm.port.ProvisionPort.Preflight;
import ebb.vm.port.ProvisionPort.Request;
import ebb.vm.port.ProvisionPort.SerialTail;
import ebb.vm.port.ProvisionPort.SettleVms;
import ebb.vm.port.ProvisionPort.WaitForVm;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderCall;

/**
 * Carries out one request on a provider, and makes the outcome a value. It knows no Kompics; its
 * thread is its caller's.
 */
public final class RequestRunner {
  private final Provider provider;

  public RequestRunner(Provider provider) {
    this.provider = provider;
  }

  /** Runs a request to its end. */
  public Done run(Request request, ProviderCall call) {
    RequestFailedException failure;
    try {
      call.checkCancelled();
      Answer answer = answer(request, call);
      return new Done(request.id(), call.outcome(null), answer);
    } catch (RequestFailedException e) {
      failure = e;
    } catch (RuntimeException e) {
      failure =
          new RequestFailedException(FailureKind.INTERNAL, "internal error: " + OneLine.of(e), e);
    }
    return new Done(request.id(), call.outcome(failure), new Answer.None());
  }

  private Answer answer(Request request, ProviderCall call) throws RequestFailedException {
    if (request instanceof CreateVm create) {
      return new Answer.OneVm(provider.create(create.spec(), create.requestId(), call));
    } else if (request instanceof CreateVms create) {
      return new Answer.Vms(provider.createAll(create.specs(), create.requestId(), call));
    } else if (request instanceof DescribeVm describe) {
      return new Answer.OneVm(provider.describe(describe.ref(), call));
    } else if (request instanceof ListVms list) {
      return new Answer.Vms(provider.list(list.runId(), call));
    } else if (request instanceof WaitForVm wait) {
      return new Answer.OneVm(provider.await(wait.ref(), wait.state(), wait.atMost(), call));
    } else if (request instanceof SerialTail tail) {
      return new Answer.SerialText(provider.serialTail(tail.ref(), tail.maxChars(), call));
    } else if (request instanceof ListDisks list) {
      return new Answer.Disks(provider.listDisks(list.runId(), call));
    } else if (request instanceof ListFirewalls list) {
      return new Answer.Firewalls(provider.listFirewalls(list.runId(), call));
    } else if (request instanceof ListZones) {
      return new Answer.Zones(provider.zones(call));
    } else if (request instanceof ListQuotas list) {
      return new Answer.Quotas(provider.quotas(list.region(), call));
    } else if (request instanceof DescribeMachineType type) {
      return new Answer.OneMachineType(provider.machineType(type.zone(), type.name(), call));
    }
    if (request instanceof Preflight ask) {
      return new Answer.Objections(
          provider.preflight(ask.vms(), ask.bucket(), ask.ownAccount(), call));
    }
    if (request instanceof ListAccounts list) {
      return new Answer.Accounts(provider.listAccounts(list.runId(), call));
    }
    change(request, call);
    return new Answer.None();
  }

  private void change(Request request, ProviderCall call) throws RequestFailedException {
    if (request instanceof SettleVms settle) {
      provider.settle(settle.zone(), settle.requestId(), call);
    } else if (request instanceof DeleteVm delete) {
      provider.delete(delete.ref(), delete.requestId(), call);
    } else if (request instanceof DeleteDisk delete) {
      provider.deleteDisk(delete.zone(), delete.name(), delete.requestId(), call);
    } else if (request instanceof CreateFirewall create) {
      provider.createFirewall(create.spec(), create.requestId(), call);
    } else if (request instanceof DeleteFirewall delete) {
      provider.deleteFirewall(delete.name(), delete.requestId(), call);
    } else if (request instanceof CreateAccount create) {
      provider.createAccount(create.spec(), call);
    } else if (request instanceof DeleteAccount delete) {
      provider.deleteAccount(delete.spec(), call);
    } else {
      throw new IllegalArgumentException("no request: " + request);
    }
  }
}
