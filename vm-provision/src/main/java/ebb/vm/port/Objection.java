package ebb.vm.port;

/**
 * What stands in the way of VMs that nobody has asked for yet.
 *
 * @param vm its number in the list that was asked about, from 0; {@link #ALL} for all of them
 * @param key what it is about, by the name that plans have for it, such as {@code image}
 * @param fatal whether the VMs could not do their part; else it could not be found out
 * @param words what is wrong and what to do about it, one line
 */
public record Objection(int vm, String key, boolean fatal, String words) {
  /** Not about one VM. */
  public static final int ALL = -1;
}
