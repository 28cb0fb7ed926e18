"""A link as a resource of this process: made by ./link, removed in the end with all that ran on it."""

import os
import re
import signal
import subprocess
import sys
import time

from rig.journal import Journal

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEFT = "10.99.0.1"
RIGHT = "10.99.0.2"
POLL_SECONDS = 0.05
# A sender or receiver that waits for a processor looks like a queue, so whoever else works on this machine has to
# yield. Niceness alone would not do: with autogroups it counts among the processes of one session only, and each
# program here has a session of its own. Nor does real-time priority: one that computes, such as a compiler of Java's,
# then keeps a processor for 100 ms from all others that have it (kernel.sched_rr_timeslice_ms).
URGENT = ["sh", "-c", 'echo -15 2>/dev/null >/proc/self/autogroup; exec nice -n -15 "$@"', "urgent"]
_count = 0


class Trouble(Exception):
    """Something that this machine lacks, or a program that did not do its part."""


def capacity_of(rate):
    """The capacity in bit/s as a function of time, from the words of wan's --rate."""
    steps = []
    for part in rate.split(","):
        at, _, value = part.rpartition(":")
        steps.append((_seconds(at) if at and at != "0" else 0.0, _bits(value)))
    steps.sort()

    def capacity(t):
        # A bin belongs to the step that holds when it begins; 1 ms forgives rounding.
        return [bits for at, bits in steps if at <= t + 0.001][-1]

    return capacity


def _bits(text):
    for unit, bits in (("kbit", 1e3), ("mbit", 1e6), ("gbit", 1e9)):
        if text.endswith(unit):
            return float(text[: -len(unit)]) * bits
    return float(text)


def _seconds(text):
    number, unit = re.fullmatch(r"([0-9.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1.0}[unit]


class Link:
    """Two namespaces and the link between them. Programs are started by run; all end with it."""

    def __init__(self, rate="50mbit", rtt="40ms", buffer="200ms", **more):
        """more: other options of wan, dashes as underscores; True for a flag."""
        global _count
        _count += 1
        self.name = f"{os.getpid()}-{_count}"
        delay = more.pop("delay", None) or f"{_seconds(rtt) / 2 * 1e6:g}us"
        self.options = [f"--rate={rate}", f"--delay={delay}", f"--buffer={buffer}"]
        for key, value in more.items():
            self.options.append("--" + key.replace("_", "-") + ("" if value is True else f"={value}"))
        self.capacity = capacity_of(more.get("policer", rate))
        self.children = []
        self.path = None

    def __enter__(self):
        made = _link("up", self.name, *self.options)
        if made.returncode != 0:
            _link("down", self.name)
            raise Trouble(made.stderr.strip())
        self.path = _link("log", self.name).stdout.strip()
        return self

    def __exit__(self, *failure):
        for child in self.children:
            stop(child)
        _link("down", self.name)

    def run(self, side, command, name, stdin="/dev/null", stdout="/dev/null"):
        """Starts a program on the left or right."""
        log = open(os.path.join(os.path.dirname(self.path), name + ".err"), "wb")
        with log, open(stdin, "rb") as words, open(stdout, "wb") as answer:
            child = subprocess.Popen(
                URGENT + [os.path.join(HERE, "link"), "exec", self.name, side] + command,
                stdin=words, stdout=answer, stderr=log, start_new_session=True,
            )
        child.log_name = log.name
        self.children.append(child)
        return child

    def journal(self):
        return Journal.read(self.path, self.capacity)

    def await_flow(self, flow, seconds, start=0.0):
        """Waits until the flow carries data, and returns since when."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            at = self.journal().first(flow, start)
            if at is not None:
                return at
            for child in self.children:
                if child.poll() not in (None, 0):
                    raise Trouble(complaint(child))
            time.sleep(POLL_SECONDS)
        raise Trouble(f"nothing crossed the link for {seconds} s: " + "; ".join(map(complaint, self.children)))

    def await_time(self, at):
        """Waits until the link's log has come that far."""
        while True:
            left = at - self.journal().end
            if left <= 0:
                return
            time.sleep(min(left + POLL_SECONDS, 5))

    def listening(self, side, protocol, port, seconds=20):
        """Waits until somebody on that side has the port."""
        deadline = time.monotonic() + seconds
        flag = {"udp": "-Hlun", "tcp": "-Hltn"}[protocol]
        while time.monotonic() < deadline:
            seen = _link("exec", self.name, side, "ss", flag, f"sport = :{port}")
            if seen.stdout.strip():
                return
            for child in self.children:
                if child.poll() not in (None, 0):
                    raise Trouble(complaint(child))
            time.sleep(POLL_SECONDS)
        raise Trouble(f"nobody listened on {protocol} port {port}")


def complaint(child):
    with open(child.log_name, encoding="utf-8", errors="replace") as log:
        return f"{os.path.basename(child.log_name)[:-4]}: {log.read().strip()[-300:]} (exit {child.poll()})"


def end_tidily_when_told():
    """SIGTERM and Ctrl-C end a run once; told again, it goes on tidying up: programs left behind would spin."""

    def end(number, _frame):
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)
        sys.exit(128 + number)

    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, end)


def stop(child):
    """Ends a program and what it started."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        if child.poll() is not None:
            return
        os.killpg(child.pid, how)
        try:
            child.wait(3)
        except subprocess.TimeoutExpired:
            pass


def _link(*words):
    return subprocess.run(
        [os.path.join(HERE, "link"), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
