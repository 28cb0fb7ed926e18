package ebb.files;

/**
 * What a receiver accepts.
 *
 * @param overwrite whether a file with other content may be replaced
 * @param maxFileBytes largest file taken
 */
record ReceiveOptions(boolean overwrite, long maxFileBytes) {}
