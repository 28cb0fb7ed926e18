package ebb.vm.port;

/**
 * What a zone calls by a name such as {@code n2-standard-4}.
 *
 * @param maxDisks that can be attached, the boot disk included; 0 when the service does not say
 */
public record MachineType(String name, int vcpus, long memoryMb, int maxDisks) {}
