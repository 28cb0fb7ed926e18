package ebb.files;

import org.jspecify.annotations.Nullable;

/**
 * How a sender's session ended.
 *
 * @param sent files and directories now under their final names
 * @param alreadyThere files that needed nothing
 * @param failed files that were refused, broke or could not be read
 * @param skipped sources left out on purpose
 * @param contentBytes bytes of content that were handed to the transport
 * @param resumedBytes bytes that the receiver had from earlier transfers of the same files
 * @param worst of the files that failed; null when none did
 * @param refused one line when the receiver wants nothing of this sender; null otherwise
 * @param broken one line when the session did not come to its end; null otherwise
 */
record SendReport(
    int sent,
    int alreadyThere,
    int failed,
    int skipped,
    long contentBytes,
    long resumedBytes,
    long nanos,
    @Nullable Refusal worst,
    @Nullable String refused,
    @Nullable String broken) {}
