package ebb.storage.gcs;

import com.google.cloud.storage.StorageException;
import ebb.core.attempts.Contact;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.store.StoreCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of an operation: its requests, which may come from several threads, and each that
 * failed. Every failure is told once: as a retry, or as that of the attempt itself when it was what
 * ended it. It does not know what a request is about.
 */
final class Scope {
  /** The status of a request without a whole answer. */
  static final int NO_ANSWER = 0;

  /** The status of a request whose token was refused. */
  static final int UNAUTHORIZED = 401;

  private static final long MAX_CLEANING_MICROS = 30_000_000;

  private final StoreCall call;
  private final String what;
  private final Contact contact;
  private final List<Trouble> troubles = new ArrayList<>();

  /** Since when a thread waits to try again. */
  private final Map<Thread, Long> waitingSinceMicros = new HashMap<>();

  private @Nullable Thread cleaner;
  private int underWay;
  private int refused;
  private @Nullable String notRenewed;
  private int unconnected;
  private String whyUnconnected = "";
  private int statusUnconnected;

  private record Trouble(String what, int status) {}

  /**
   * An attempt that begins now.
   *
   * @param what it is about
   * @param contact with the service
   */
  Scope(StoreCall call, String what, Contact contact) {
    this.call = call;
    this.what = what;
    this.contact = contact;
  }

  String what() {
    return what;
  }

  /** Before a request; refused when the operation is cancelled or only cleaned up after. */
  synchronized void enter() throws IOException {
    check();
    sent(Thread.currentThread());
  }

  /** Refuses requests when the operation is hopeless, cancelled or only cleaned up after. */
  synchronized void check() throws IOException {
    try {
      if (isHopeless()) {
        // Its status says which of the requests that failed tells itself by this.
        throw new RequestFailedException(
                FailureKind.CANNOT_CONNECT,
                what + ": " + whyUnconnected,
                new StorageException(statusUnconnected, whyUnconnected))
            .lasting();
      }
      if (cleaner == null) {
        call.checkCancelled();
      } else if (cleaner != Thread.currentThread()) {
        throw new RequestFailedException(FailureKind.CANCELLED, what + ": given up");
      }
    } catch (RequestFailedException ended) {
      throw new CarriedException(ended);
    }
  }

  /** A request begins that {@code asker} wants. */
  synchronized void sent(Thread asker) {
    underWay++;
    call.countRequest();
    Long since = waitingSinceMicros.remove(asker);
    if (since != null) {
      call.countBackoff(call.nowMicros() - since);
    }
  }

  synchronized void leave() {
    underWay--;
    notifyAll();
  }

  /** A request has failed, by its status or without an answer; called once for each. */
  synchronized void failed(Thread asker, String how, int status) {
    troubles.add(new Trouble(how, status));
    waitingSinceMicros.put(asker, call.nowMicros());
  }

  /** There was no connection for a request that has {@link #failed}. */
  synchronized void unconnected(String how, int status) {
    unconnected++;
    whyUnconnected = how;
    statusUnconnected = status;
  }

  /** Whether nobody is at the address: nothing ever came from there. */
  synchronized boolean isHopeless() {
    return contact.isHopeless(unconnected);
  }

  /** Something came back, whatever it was. */
  void heard() {
    contact.answered();
  }

  /** Whether a request of this attempt has failed, so that another may have met its work. */
  synchronized boolean hasFailed() {
    return !troubles.isEmpty();
  }

  /** Counts an answer; returns how many in a row refused the token by now. */
  synchronized int answered(int status) {
    refused = status == UNAUTHORIZED ? refused + 1 : 0;
    return refused;
  }

  synchronized void notRenewed(String why) {
    notRenewed = why;
  }

  /** Why a token was not renewed; null when that was not tried, or it was. */
  synchronized @Nullable String notRenewed() {
    return notRenewed;
  }

  /** Whether the last request was refused for its token, and there is a new one now. */
  synchronized boolean hasRenewed() {
    return refused > 0 && notRenewed == null;
  }

  /** From now on only this thread sends requests; returns when no other is under way. */
  synchronized void cleanUp() {
    cleaner = Thread.currentThread();
    long end = call.nowMicros() + MAX_CLEANING_MICROS;
    try {
      for (long left = MAX_CLEANING_MICROS; underWay > 0 && left > 0; ) {
        wait(left / 1_000 + 1);
        left = end - call.nowMicros();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The attempt has ended: what failed in it is told, but for the failure that tells itself. */
  synchronized void end(@Nullable RequestFailedException failure) {
    if (failure != null) {
      remove(GcsErrors.status(failure));
    }
    troubles.forEach(trouble -> call.countRetry(trouble.what));
    troubles.clear();
  }

  private void remove(int status) {
    for (int i = troubles.size() - 1; i >= 0; i--) {
      if (troubles.get(i).status == status) {
        troubles.remove(i);
        return;
      }
    }
  }
}
