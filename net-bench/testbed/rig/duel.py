"""One background flow beside one TCP flow, measured at the link."""

import json
import os
import platform
import shutil

from rig import journal, programs
from rig.link import HERE, Link

ALONE_SECONDS = 10
TOGETHER_SECONDS = 20
AFTER_SECONDS = 10
# After the start, and after a newcomer, before shares and queues are taken.
SETTLING_SECONDS = 5
PORT = 9000


def tcp_alone(options, algorithm):
    """Bytes of a TCP flow that has the link to itself, in the seconds 0-20 and 10-30 of its life. Measured once
    for a kind of link, as it hardly differs from time to time, and then kept in target/."""
    path = os.path.join(HERE, "..", "target", "testbed", "tcp-alone.json")
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
    key = json.dumps([platform.release(), algorithm, options], sort_keys=True)
    if key not in known:
        known[key] = _measure_tcp_alone(options, algorithm)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(known, file, indent=1)
        os.replace(path + ".new", path)
    return known[key]


def _measure_tcp_alone(options, algorithm):
    with Link(**options) as link:
        programs.start_tcp_server(link)
        programs.start_tcp(link, algorithm, ALONE_SECONDS + TOGETHER_SECONDS)
        begin = link.await_flow(journal.tcp, 20)
        link.await_time(begin + ALONE_SECONDS + TOGETHER_SECONDS)
        log = link.journal()
        late = begin + ALONE_SECONDS
        return {
            "first": log.carried(journal.tcp, begin, begin + TOGETHER_SECONDS),
            "second": log.carried(journal.tcp, late, late + TOGETHER_SECONDS),
        }


def run(controller, tcp="cubic", tcp_first=False, compare=True, keep=None, **options):
    """The background flow first, TCP joins at 10 s and leaves at 30 s, the end is at 40 s; or TCP first, the
    background flow joins at 10 s, and TCP leaves at 30 s.

    compare: with TCP's run alone; keep: where to copy the link's log; options: those of Link.
    """
    alone = tcp_alone(options, tcp) if compare else None
    with Link(**options) as link:
        programs.start_tcp_server(link)
        if tcp_first:
            programs.start_tcp(link, tcp, ALONE_SECONDS + TOGETHER_SECONDS)
            begin = link.await_flow(journal.tcp, 20)
            link.await_time(begin + ALONE_SECONDS)
            programs.start(link, controller, PORT)
        else:
            programs.start(link, controller, PORT)
            begin = link.await_flow(journal.udp, 30)
            link.await_time(begin + ALONE_SECONDS)
            programs.start_tcp(link, tcp, TOGETHER_SECONDS)
            link.await_flow(journal.tcp, 20)
        end = begin + ALONE_SECONDS + TOGETHER_SECONDS + AFTER_SECONDS
        link.await_time(end)
        log = link.journal()
        if keep:
            shutil.copyfile(link.path, keep)
    return figures(log, begin, end, tcp_first, alone)


def figures(log, begin, end, tcp_first, alone, tcp_joins=None):
    """What the table shows, from the link's log. tcp_joins: where TCP was there before, too."""
    leave = log.last(journal.tcp)
    if tcp_first:
        # From its first packet on: beside TCP it may never carry more than a few.
        join = log.first(journal.udp, begin + ALONE_SECONDS, portion=0) or begin + ALONE_SECONDS
        until = begin + ALONE_SECONDS + TOGETHER_SECONDS
    else:
        join = tcp_joins or log.first(journal.tcp)
        until = join + TOGETHER_SECONDS
    settled = join + SETTLING_SECONDS
    found = {
        "share": log.share(journal.udp, settled, until),
        "share_of_all_20_s": log.share(journal.udp, join, until),
        "recovery_seconds": log.recovery(journal.udp, leave, end),
        "together_use": log.use(journal.anything, settled, until),
        "after_use": log.use(journal.udp, leave, end),
    }
    if alone:
        since = until - TOGETHER_SECONDS
        found["tcp_loss"] = 1 - log.carried(journal.tcp, since, until) / alone["second" if tcp_first else "first"]
    if not tcp_first:
        found["alone_use"] = log.use(journal.udp, begin + SETTLING_SECONDS, join)
        found["alone_queue_median_ms"] = log.queue(50, begin + SETTLING_SECONDS, join)
        found["alone_queue_95_ms"] = log.queue(95, begin + SETTLING_SECONDS, join)
    return found
