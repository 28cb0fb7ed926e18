package ebb.disk;

import ebb.core.units.Human;
import ebb.disk.FioReference.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An outcome in words, at most 100 columns wide. It computes no figures. */
final class DiskText {
  private static final String ROW = "%-8s %-10s %-5s %7s %-6s %10s %11s %8s %8s %8s %8s";
  private static final int PART_WIDTH = 38;
  private static final String FIO = "%-8s %-10s %-5s %7s %-6s %8s %8s %5s %8s %5s %8s %5s";

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
      for (Part part : result.parts()) {
        if (!part.isWhole()) {
          lines.add(part(result, part));
        }
      }
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
    boolean existing = BenchFiles.isExisting(plan.places());
    FileFacts file = outcome.file();
    List<String> sentences = new ArrayList<>();
    sentences.add(
        String.format(
            Locale.ROOT,
            "%s of %s, %s %s (%s, %s)",
            plan.files() == 1 ? "file" : plan.files() + " files at once, each",
            Human.bytes((double) plan.fileBytes()),
            existing ? "there before and only read:" : "written in full, in",
            String.join(", ", plan.places().stream().map(Path::toString).toList()),
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
    if (plan.operations().contains(DiskCase.Operation.MIXED)) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "mixed: each request is a read with a chance of %d%%, else a write",
              plan.readPercent()));
    }
    if (plan.files() > 1) {
      sentences.add(
          "a case's line is what all files did together in the time that they share; threads are"
              + " for each file");
    }
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

  private static String part(CaseResult result, Part part) {
    return String.format(
        Locale.ROOT,
        "  %-38s %10s %11s %8s %8s %8s %8s",
        words(part),
        count(result.median(part, CaseFigures::perSecond)) + (result.isSteady(part) ? "" : "~"),
        Human.byteRate(result.median(part, CaseFigures::bytesPerSecond)),
        nanos(result.median(part, f -> f.percentileNanos(50))),
        nanos(result.median(part, f -> f.percentileNanos(99))),
        nanos(result.median(part, f -> f.percentileNanos(99.9))),
        nanos(result.median(part, CaseFigures::maxNanos)));
  }

  /** The end of a long name tells more than its begin. */
  private static String words(Part part) {
    String words = part.words();
    return words.length() <= PART_WIDTH
        ? words
        : "..." + words.substring(words.length() - PART_WIDTH + 3);
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
            "psync",
            "ratio",
            "libaio",
            "ratio",
            "io_uring",
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
              beside(result, Engine.PSYNC, Part.WHOLE, false),
              beside(result, Engine.PSYNC, Part.WHOLE, true),
              beside(result, Engine.LIBAIO, Part.WHOLE, false),
              beside(result, Engine.LIBAIO, Part.WHOLE, true),
              beside(result, Engine.IO_URING, Part.WHOLE, false),
              beside(result, Engine.IO_URING, Part.WHOLE, true)));
      for (Part part : result.parts()) {
        if (part.isSide()) {
          lines.add(
              String.format(
                  Locale.ROOT,
                  "  %-38s %8s %8s %5s %8s %5s %8s %5s",
                  words(part),
                  count(result.median(part, CaseFigures::perSecond)),
                  beside(result, Engine.PSYNC, part, false),
                  beside(result, Engine.PSYNC, part, true),
                  beside(result, Engine.LIBAIO, part, false),
                  beside(result, Engine.LIBAIO, part, true),
                  beside(result, Engine.IO_URING, part, false),
                  beside(result, Engine.IO_URING, part, true)));
        }
      }
    }
    Columns.wrap(
        lines,
        "",
        outcome.fioVersion()
            + " on the same files, in turn with Ebb, each first as often; psync with as many threads,"
            + " libaio and io_uring with as many requests outstanding from one for each file; ratios"
            + " (efficiency) are the medians of the rounds' own");
  }

  private static String beside(CaseResult result, Engine engine, Part part, boolean ratio) {
    return ratio ? ratio(result.ratio(engine, part)) : count(result.perSecond(engine, part));
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
