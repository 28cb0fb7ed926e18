package ebb.vm.port;

/** Which VM: names are unique within a zone. */
public record VmRef(String zone, String name) {
  public VmRef {
    Names.checked("zone", zone);
    Names.checked("VM", name);
  }

  @Override
  public String toString() {
    return name + " in " + zone;
  }
}
