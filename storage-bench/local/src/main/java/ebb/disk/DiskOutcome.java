package ebb.disk;

import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import ebb.machine.MachineCommand;
import java.util.List;

/**
 * What a run found out.
 *
 * @param fioVersion "" when fio was not asked for
 * @param ioUringRefusal why fio has no io_uring here; "" when it has or was not asked
 * @param results of the cases that were measured at least once
 * @param complete false when it was interrupted
 */
record DiskOutcome(
    DiskPlan plan,
    FileFacts file,
    String fioVersion,
    String ioUringRefusal,
    List<CaseResult> results,
    boolean complete)
    implements MachineCommand.Findings {

  @Override
  public List<String> lines() {
    return DiskText.lines(this);
  }

  @Override
  public HtmlReport page() {
    return DiskPage.of(this);
  }

  /** What a reader must know before believing the figures. */
  List<String> notes() {
    return DiskNotes.of(this);
  }

  @Override
  public void record(ResultRecord.Builder result) {
    DiskRecord.write(this, result);
  }
}
