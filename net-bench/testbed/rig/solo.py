"""Background flows without TCP, measured at the link."""

import shutil

from rig import journal, programs
from rig.link import Link

PORT = 9000
OTHER_PORT = 9001


def alone(controller, seconds, keep=None, measure=None, **options):
    """One flow. measure: a function of the log, the flow's start and the end, which returns more figures."""
    with Link(**options) as link:
        programs.start(link, controller, PORT)
        begin = link.await_flow(journal.udp, 30)
        end = begin + seconds
        link.await_time(end)
        log = link.journal()
        if keep:
            shutil.copyfile(link.path, keep)
    return measure(log, begin, end)


def settled(log, begin, end):
    """From 5 s after the start on."""
    return window(log, begin + 5, end)


def window(log, start, end):
    return {
        "alone_use": log.use(journal.udp, start, end),
        "alone_queue_median_ms": log.queue(50, start, end),
        "alone_queue_95_ms": log.queue(95, start, end),
    }


def ramp(log, begin, end):
    """When the flow first had 90% of the link for a second; its rate from 20 s on."""
    at = begin
    reached = None
    while reached is None and at + 1 <= end:
        if log.use(journal.udp, at, at + 1) >= 0.9:
            reached = at - begin
        at += journal.BIN_SECONDS
    return {
        "ramp_seconds": reached,
        "alone_use": log.use(journal.udp, begin + 20, end),
        "alone_queue_median_ms": log.queue(50, begin + 20, end),
        "alone_queue_95_ms": log.queue(95, begin + 20, end),
    }


def two(first, second, keep=None, **options):
    """The second joins at 10 s; both go on for 20 s more. The figures are of the last 5 s."""
    with Link(**options) as link:
        programs.start(link, first, PORT)
        begin = link.await_flow(journal.udp_to(PORT), 30)
        link.await_time(begin + 10)
        programs.start(link, second, OTHER_PORT)
        join = link.await_flow(journal.udp_to(OTHER_PORT), 30)
        end = join + 20
        link.await_time(end)
        log = link.journal()
        if keep:
            shutil.copyfile(link.path, keep)
    flows = [journal.udp_to(PORT), journal.udp_to(OTHER_PORT)]
    return {
        "jain": log.jain(flows, end - 5, end),
        "first_share": log.share(flows[0], end - 5, end),
        "first_share_of_20_s": log.share(flows[0], join, end),
        "together_use": log.use(journal.anything, end - 5, end),
        "together_queue_median_ms": log.queue(50, end - 5, end),
    }
