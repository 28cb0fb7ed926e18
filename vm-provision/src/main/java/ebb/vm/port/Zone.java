package ebb.vm.port;

/** A place where VMs can be. */
public record Zone(String name, String region, boolean isUp) {}
