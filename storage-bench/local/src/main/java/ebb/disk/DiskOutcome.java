package ebb.disk;

import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import java.util.List;

/**
 * What a run found out.
 *
 * @param fioVersion "" when fio was not asked for
 * @param results of the cases that were measured at least once
 * @param complete false when it was interrupted
 */
record DiskOutcome(
    DiskPlan plan, FileFacts file, String fioVersion, List<CaseResult> results, boolean complete) {

  /** For people, at most 100 columns wide. */
  List<String> lines() {
    return DiskText.lines(this);
  }

  HtmlReport page() {
    return DiskPage.of(this);
  }

  /** What a reader must know before believing the figures. */
  List<String> notes() {
    return DiskNotes.of(this);
  }

  void record(ResultRecord.Builder result) {
    DiskRecord.write(this, result);
  }
}
