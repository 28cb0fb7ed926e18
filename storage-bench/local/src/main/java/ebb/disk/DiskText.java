package ebb.disk;

import ebb.core.units.Human;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An outcome in words, at most 100 columns wide. It computes no figures. */
final class DiskText {
  private static final String ROW = "%-8s %-10s %-5s %7s %-6s %10s %11s %8s %8s %8s %8s";
  private static final String FIO = "%-8s %-10s %-5s %7s %-6s %10s %10s %6s %10s %6s";

  private DiskText() {}

  static List<String> lines(DiskOutcome outcome) {
    List<String> lines = new ArrayList<>();
    setUp(outcome).forEach(sentence -> Columns.wrap(lines, "", sentence));
    lines.add("");
    lines.add(
        String.format(
            ROW,
            "block",
            "access",
            "op",
            "threads",
            "way",
            "requests/s",
            "bandwidth",
            "median",
            "99%",
            "99.9%",
            "longest"));
    for (CaseResult result : outcome.results()) {
      lines.add(row(result));
    }
    if (!outcome.fioVersion().isEmpty()) {
      fio(outcome, lines);
    }
    List<String> notes = outcome.notes();
    if (!notes.isEmpty()) {
      lines.add("");
      notes.forEach(note -> Columns.wrap(lines, "note: ", note));
    }
    return lines;
  }

  static List<String> setUp(DiskOutcome outcome) {
    DiskPlan plan = outcome.plan();
    FileFacts file = outcome.file();
    List<String> sentences = new ArrayList<>();
    sentences.add(
        String.format(
            Locale.ROOT,
            "file of %s, written in full, in %s (%s, %s)",
            Human.bytes((double) plan.fileBytes()),
            plan.directory(),
            file.fileSystem(),
            file.direct()
                ? "direct I/O in multiples of " + DiskCase.block(file.alignment())
                : "no direct I/O: page cache"));
    sentences.add(
        String.format(
            Locale.ROOT,
            "each case: warm-up %s, measured %s, %d round%s; %s; seed %d; %s",
            Human.micros(plan.warmUpMicros()),
            Human.micros(plan.measureMicros()),
            plan.rounds(),
            plan.rounds() == 1 ? "" : "s, medians",
            plan.fsync().words,
            plan.seed(),
            latency(plan)));
    return sentences;
  }

  static String latency(DiskPlan plan) {
    return plan.ratePerSecond() > 0
        ? String.format(
            Locale.ROOT,
            "%.0f requests a second, latency from when each was due",
            plan.ratePerSecond())
        : "each thread sends when it has its answer (latency of service)";
  }

  private static String row(CaseResult result) {
    return String.format(
        Locale.ROOT,
        ROW,
        DiskCase.block(result.what.blockBytes()),
        result.what.access().word(),
        result.what.operation().word(),
        result.what.threads(),
        way(result),
        count(result.median(CaseFigures::perSecond)) + (result.isSteady() ? "" : "~"),
        Human.byteRate(result.median(CaseFigures::bytesPerSecond)),
        nanos(result.median(f -> f.percentileNanos(50))),
        nanos(result.median(f -> f.percentileNanos(99))),
        nanos(result.median(f -> f.percentileNanos(99.9))),
        nanos(result.median(CaseFigures::maxNanos)));
  }

  private static void fio(DiskOutcome outcome, List<String> lines) {
    lines.add("");
    lines.add(
        String.format(
            FIO,
            "block",
            "access",
            "op",
            "threads",
            "way",
            "ebb, 1/s",
            "psync, 1/s",
            "ratio",
            "aio, 1/s",
            "ratio"));
    for (CaseResult result : outcome.results()) {
      lines.add(
          String.format(
              Locale.ROOT,
              FIO,
              DiskCase.block(result.what.blockBytes()),
              result.what.access().word(),
              result.what.operation().word(),
              result.what.threads(),
              way(result),
              count(result.median(CaseFigures::perSecond)),
              count(result.psyncPerSecond()),
              ratio(result.psyncRatio()),
              count(result.libaioPerSecond()),
              ratio(result.libaioRatio())));
    }
    Columns.wrap(
        lines,
        "",
        outcome.fioVersion()
            + " on the same file, in turn with Ebb, each first as often; psync with as many threads,"
            + " libaio with as many requests outstanding from one; ratios (efficiency) are the medians of the"
            + " rounds' own");
  }

  private static String way(CaseResult result) {
    return result.what.direct() ? "direct" : "cache";
  }

  static String ratio(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "-";
  }

  static String count(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }

  static String nanos(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    if (value < 999.5) {
      return String.format(Locale.ROOT, "%.0f ns", value);
    }
    if (value < 99_950) {
      return String.format(Locale.ROOT, value < 9_995 ? "%.2f us" : "%.1f us", value / 1e3);
    }
    return Human.micros(Math.round(value / 1e3));
  }
}
