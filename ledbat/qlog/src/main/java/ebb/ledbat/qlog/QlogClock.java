package ebb.ledbat.qlog;

/** The clock that a file's times are from. They count from its first event. */
public enum QlogClock {
  /** A live driver's; the file says at what time of day it begins. */
  MONOTONIC("monotonic"),
  /** A simulation's. */
  VIRTUAL("virtual");

  final String type;

  QlogClock(String type) {
    this.type = type;
  }
}
