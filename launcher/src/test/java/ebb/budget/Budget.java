package ebb.budget;

/**
 * What strangers may take of one thing, as a row of docs/security.md.
 *
 * @param what they take
 * @param perSource the bound on one source, an IPv4 address or the first 64 bits of an IPv6 one
 * @param inAll the bound on all sources together
 * @param where the setting or constant is
 * @param tests that hold it, as {@code Class.method}
 */
record Budget(String what, String perSource, String inAll, String where, String... tests) {
  String row() {
    return "| "
        + String.join(
            " | ",
            what,
            perSource,
            inAll,
            "`" + where + "`",
            "`" + String.join("`, `", tests) + "`")
        + " |";
  }
}
