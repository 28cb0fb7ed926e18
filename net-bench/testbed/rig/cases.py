"""What the table of docs/real-link.md is made of: the runs, and the limits of their figures."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Callable

from rig import downloads, duel, solo, tool
from rig.journal import udp
from rig.programs import LIBTORRENT, LIBUTP

KEPT, TWICE, BROKEN = "kept", "kept if tolerances are doubled", "**not kept**"


@dataclasses.dataclass(frozen=True)
class Limit:
    """A figure is to be at most, or at least, so much. doubled: the same with the tolerance doubled, as it is for
    real links; None for a limit without tolerance."""

    figure: str
    most: bool
    value: float
    doubled: float | None = None

    def verdict(self, figures):
        value = figures[self.figure]
        if value is None or value != value:
            return BROKEN
        if self._holds(value, self.value):
            return KEPT
        return TWICE if self.doubled is not None and self._holds(value, self.doubled) else BROKEN

    def _holds(self, value, limit):
        return value <= limit if self.most else value >= limit


def at_most(figure, value, doubled=None):
    return Limit(figure, True, value, doubled)


def at_least(figure, value, doubled=None):
    return Limit(figure, False, value, doubled)


@dataclasses.dataclass(frozen=True)
class Case:
    section: str
    title: str
    controllers: tuple
    run: Callable
    limits: tuple = ()
    # Shown beside the limits, but no failure: what another implementation was seen to do.
    to_beat: tuple = ()
    short: bool = False  # part of the short run
    # Why it cannot be run here; None if it can.
    lacking: Callable = lambda: None


# Unused link, share and Jain's index are what has a tolerance: 3% unused may be 6, 5% taken 10.
SHARE = at_most("share", 0.05, 0.10)
RECOVERY = at_most("recovery_seconds", 2.0, 4.0)
# Who came second never had the link for itself, and does not know what it carries (docs/controllers.md).
RECOVERY_OF_SECOND = at_most("recovery_seconds", 10.0, 10.0)
ALONE = (at_least("alone_use", 0.97, 0.94), at_most("alone_queue_median_ms", 30, 60))
# Of what the tool says and what the link saw.
AGREEMENT = (at_most("share_of_all_20_s_difference", 0.03), at_most("tcp_loss_difference", 0.03))
JAIN = at_least("jain", 0.95, 0.90)

# On any path: TCP keeps 0.90 of what it has alone there, and the flow beside it has a tenth at most.
HARMLESS = (at_most("tcp_loss", 0.10, 0.20), at_most("share", 0.10, 0.20))

# picoquic's delay-based "fast" beside the same CUBIC on the same link.
PICOQUIC_FAST = (
    at_most("share", 0.006),
    at_most("tcp_loss", 0.06),
    at_most("recovery_seconds", 0.8),
    at_most("alone_queue_median_ms", 9),
)

LINK = {"rate": "50mbit", "rtt": "40ms", "buffer": "200ms"}
LONG_FAT = {"rate": "100mbit", "rtt": "250ms", "buffer": "200ms"}
CONTROLLERS = ("scavenger", "ledbat", "ledbat++", "dtl", LIBUTP)

FIRST = "CUBIC joins and leaves"
SECOND = "CUBIC first"
OTHERS = "scavenger on other links"
HARD = "scavenger where a queue says little"
NO_TCP = "scavenger without TCP"
TOOL = "`ebb net yield` on the same link"
DOWNLOADS = "downloads by TCP, kept in the background by their receiver"
UTP_DOWNLOADS = "downloads by uTP, kept in the background by an Ebb that receives"
FAR = "250 ms at 100 Mbit/s, buffer 200 ms"


def _duel(section, title, controller, limits=(), to_beat=(), short=False, **options):
    return Case(section, title, (controller,), lambda: duel.run(controller, **options), limits, to_beat, short)


def _changed(controller, at, **options):
    """The link changes 20 s after it came up; figures are of the time from `at` s after that on, for 10 s."""
    return solo.alone(
        controller, 20 + at + 10, measure=lambda log, _begin, _end: solo.window(log, 20 + at, 30 + at), **options
    )


def _slower_and_back():
    def measure(log, _begin, _end):
        return solo.window(log, 25, 35) | {"recovery_seconds": log.recovery(udp, 35, 45)}

    changing = LINK | {"rate": "50mbit,20s:10mbit,35s:50mbit"}
    return solo.alone("scavenger", 45, measure=measure, **changing)


def all_cases():
    """In the order of the table."""
    return _beside_cubic() + _other_links() + _hard_links() + _without_tcp() + _by_the_tool() + _downloads() + _utp_downloads() + _far()


def _beside_cubic():
    cases = []
    for name in CONTROLLERS:
        ours = name == "scavenger"
        limits = (SHARE, RECOVERY, *ALONE) if ours else ()
        to_beat = PICOQUIC_FAST if ours else ()
        cases.append(_duel(FIRST, name, name, limits, to_beat, short=name in ("scavenger", "ledbat"), **LINK))
    for name in CONTROLLERS:
        ours = name == "scavenger"
        limits = (SHARE, RECOVERY_OF_SECOND) if ours else ()
        cases.append(_duel(SECOND, name, name, limits, tcp_first=True, **LINK))
    return cases


def _other_links():
    joins = (SHARE, RECOVERY, *ALONE)
    first = (SHARE, RECOVERY_OF_SECOND)
    cases = []
    for buffer in ("25ms", "50ms", "150ms", "300ms"):
        options = LINK | {"buffer": buffer, "compare": False}
        title = f"buffer {buffer[:-2]} ms"
        cases.append(
            _duel(OTHERS, f"{title}, CUBIC joins", "scavenger", joins, short=buffer == "25ms", **options)
        )
        cases.append(
            _duel(
                OTHERS, f"{title}, CUBIC first", "scavenger", first, short=buffer == "50ms", tcp_first=True, **options
            )
        )
    plain = LINK | {"compare": False}
    slow = plain | {"rate": "10mbit"}
    cases.append(_duel(OTHERS, "10 Mbit/s, CUBIC joins", "scavenger", joins, **slow))
    cases.append(_duel(OTHERS, "10 Mbit/s, CUBIC first", "scavenger", first, tcp_first=True, **slow))
    cases.append(_duel(OTHERS, "Reno joins", "scavenger", joins, tcp="reno", **plain))
    cases.append(_duel(OTHERS, "BBR joins", "scavenger", ALONE, tcp="bbr", **plain))
    cases.append(_duel(OTHERS, "CoDel, CUBIC joins", "scavenger", ALONE, codel=True, **plain))
    return cases


def _hard_links():
    """Links that drop before a queue is long, or whose delay is mostly noise; CUBIC in either order."""
    links = [
        (f"CoDel, {rate} Mbit/s, 43 ms", {"rate": f"{rate}mbit", "rtt": "43ms", "buffer": "200ms", "codel": True})
        for rate in (10, 17, 50)
    ]
    links += [
        (
            "policer of 17 Mbit/s, 60 kB",
            {"rate": "100mbit", "rtt": "43ms", "buffer": "100ms", "policer": "17mbit", "bucket": 60_000},
        ),
        ("buffer 10 ms, 50 Mbit/s", {"rate": "50mbit", "rtt": "40ms", "buffer": "10ms"}),
        ("jitter 10 ms, 17 Mbit/s", {"rate": "17mbit", "rtt": "43ms", "buffer": "60ms", "jitter": "10ms"}),
        ("bursts each 2 to 8 ms, 17 Mbit/s", {"rate": "17mbit", "rtt": "43ms", "buffer": "60ms", "bursts": "2ms,8ms"}),
    ]
    cases = []
    for title, options in links:
        for first in (False, True):
            order = "CUBIC first" if first else "CUBIC joins"
            short = title.startswith("CoDel, 17") and not first
            cases.append(
                _duel(HARD, f"{title}, {order}", "scavenger", HARMLESS, short=short, tcp_first=first, **options)
            )
    return cases


def _without_tcp():
    one = ("scavenger",)
    both = ("scavenger", LIBUTP)
    longer = {"rate": "50mbit", "buffer": "200ms", "delay": "20ms,20s:120ms", "back_delay": "20ms"}
    return [
        Case(
            NO_TCP,
            "1% random loss",
            one,
            lambda: solo.alone("scavenger", 20, measure=solo.settled, loss="0.01", **LINK),
            (at_least("alone_use", 0.8, 0.6), at_most("alone_queue_median_ms", 30, 60)),
        ),
        Case(
            NO_TCP,
            "50, then 10 Mbit/s for 15 s: 5 s after the fall; time to 90% of 50 again",
            one,
            _slower_and_back,
            (*ALONE, RECOVERY),
        ),
        Case(
            NO_TCP,
            "route becomes 100 ms longer: 15 s after that",
            one,
            lambda: _changed("scavenger", 15, **longer),
            (at_least("alone_use", 0.9, 0.8), at_most("alone_queue_median_ms", 30, 60)),
        ),
        Case(
            NO_TCP,
            "another scavenger joins: 15 to 20 s later",
            one,
            lambda: solo.two("scavenger", "scavenger", **LINK),
            (JAIN,),
        ),
        Case(NO_TCP, "libutp joins", both, lambda: solo.two("scavenger", LIBUTP, **LINK)),
        Case(NO_TCP, "scavenger joins libutp", both, lambda: solo.two(LIBUTP, "scavenger", **LINK)),
    ]


def _by_the_tool():
    return [
        Case(
            TOOL, "scavenger", ("scavenger",), lambda: tool.run("scavenger", **LINK), AGREEMENT, lacking=tool.lacking
        )
    ]


def _downloads():
    """Of kernel senders that know nothing; the rival is of the same kind."""
    alone = (at_least("alone_use", 0.95, 0.90), at_most("alone_queue_median_ms", 15, 30))
    recovery = at_most("recovery_seconds", 3.0, 6.0)
    usual = {"rate": "20mbit", "rtt": "40ms", "buffer": "200ms"}
    codel = usual | {"buffer": "100ms", "codel": True}

    def case(title, limits, short=False, lacking=None, **options):
        more = {"lacking": lacking} if lacking else {}
        return Case(DOWNLOADS, title, ("receiver",), lambda: downloads.run(**options), limits, short=short, **more)

    cases = []
    for tcp in ("cubic", "reno", "bbr"):
        words = "Reno" if tcp == "reno" else tcp.upper()
        joins = (SHARE, recovery, *alone)
        cases.append(case(f"{words} joins", joins, short=tcp == "cubic", tcp=tcp, **usual))
        cases.append(case(f"{words} first", (SHARE, recovery), tcp=tcp, first="rival", **usual))
    cases.append(case("CoDel, CUBIC joins", (SHARE, recovery, at_least("alone_use", 0.9, 0.8)), short=True, **codel))
    cases.append(case("CoDel, CUBIC first", (SHARE, recovery), first="rival", **codel))
    cases.append(case("the sender pauses for 5 s, then CUBIC joins", (SHARE, recovery, *alone), short=True, pause=5, **usual))
    cases.append(case("ten connections, CUBIC joins", (SHARE, recovery, *alone), streams=10, **usual))
    for first, words in (("background", "joins"), ("rival", "first")):
        title = f"without TCP's time stamps, CUBIC {words}"
        limits = (SHARE, recovery, *alone) if first == "background" else (SHARE, recovery)
        cases.append(case(title, limits, first=first, timestamps=False, **usual))
    fair = at_least("jain", 0.9, 0.8)
    ten = {"streams": 10, "proxy": True, "lacking": downloads.lacking_proxy}
    cases.append(case("ten through ebb proxy, CUBIC joins", (SHARE, recovery, fair, *alone), **ten, **usual))
    several = case("ten through ebb proxy, of five hosts, CUBIC joins", (SHARE, recovery, *alone), hosts=5, **ten, **usual)
    cases.append(several)
    for rate, rtt, buffer in ((5, 10, 50), (100, 40, 50), (100, 150, 50)):
        title, link = _path(rate, rtt, buffer)
        cases.append(case(f"{title}: CUBIC joins", (SHARE, recovery, *alone), **link))
        cases.append(case(f"{title}: CUBIC first", (SHARE, recovery), first="rival", **link))
    for rate, rtt, buffer in itertools.product((5, 100), (10, 150), (50, 300)):
        title, link = _path(rate, rtt, buffer)
        cases.append(case(f"{title}: alone", alone, first=None, **link))
    return cases


def _utp_downloads():
    """Of senders that are as they are, to a receiver with a scavenger; and one to a receiver without, to compare."""
    link = {"rate": "20mbit", "rtt": "40ms", "buffer": "200ms"}
    alone = (at_least("alone_use", 0.95, 0.90), at_most("alone_queue_median_ms", 15, 30))
    limits = (SHARE, at_most("recovery_seconds", 3.0, 6.0))
    cases = []
    for sender, words in ((LIBTORRENT, LIBTORRENT), (LIBUTP, LIBUTP), ("dtl:4", "four flows of Ebb's")):
        flow = f"{sender}@scavenger"
        cases.append(_duel(UTP_DOWNLOADS, f"{words}, CUBIC joins", flow, (*limits, *alone), **link))
        cases.append(_duel(UTP_DOWNLOADS, f"{words}, CUBIC first", flow, limits, tcp_first=True, **link))
    behind = {"rate": "50mbit", "rtt": "40ms", "buffer": "100ms", "codel": True}
    cases.append(_duel(UTP_DOWNLOADS, "libutp, CoDel at 50 Mbit/s, CUBIC joins", f"{LIBUTP}@scavenger", limits, **behind))
    free = f"{LIBTORRENT}@"
    cases.append(_duel(UTP_DOWNLOADS, "libtorrent, receiver without control, CUBIC joins", free, **link))
    return cases


def _path(rate, rtt, buffer):
    """Its name, and the options of Link that make it."""
    link = {"rate": f"{rate}mbit", "rtt": f"{rtt}ms", "buffer": f"{buffer}ms"}
    return f"{rate} Mbit/s, {rtt} ms, buffer {buffer} ms", link


def _far():
    """For every controller that ramps; libutp beside them."""
    filled = (at_most("ramp_seconds", 20), at_least("alone_use", 0.9, 0.8))
    return [
        Case(
            FAR,
            name,
            (name,),
            lambda name=name: solo.alone(name, 25, measure=solo.ramp, **LONG_FAT),
            () if name == LIBUTP else filled,
        )
        for name in CONTROLLERS
    ]
