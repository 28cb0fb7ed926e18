package ebb.storage.port;

/** An object as a listing shows it. */
public record ObjectEntry(String name, long bytes) {}
