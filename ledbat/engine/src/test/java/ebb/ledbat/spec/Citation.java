package ebb.ledbat.spec;

/**
 * A quotation from a document in a comment of the sources.
 *
 * @param place the file from the repository's root, and the line at which the comment begins
 * @param element the class and member that the comment belongs to: {@code Pacer.update}
 * @param inTests whether the source is a test's
 * @param inEngine whether it is in a package below {@code ebb.ledbat}
 */
record Citation(
    String place,
    String element,
    boolean inTests,
    boolean inEngine,
    String document,
    String section,
    String quote) {

  @Override
  public String toString() {
    return place + ": " + document + ", " + section + ": \"" + quote + '"';
  }
}
