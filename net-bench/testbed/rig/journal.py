"""Reads the log of a link and works out figures from it. Knows nothing of programs and namespaces."""

import json

BIN_SECONDS = 0.1
RECOVERY_PORTION = 0.9
RECOVERY_WINDOW_SECONDS = 0.5


class Journal:
    """What one direction of a link carried, in bins of 100 ms. Times are seconds since the link came up."""

    def __init__(self, lines, capacity):
        """lines: parsed lines of one direction; capacity: bit/s at a time in seconds."""
        self.bytes = [line["bytes"] for line in lines]
        self.queue_ms = [line["queue_ms"] for line in lines]
        self.drops = [line["drops"] for line in lines]
        self.capacity = capacity

    @classmethod
    def read(cls, path, capacity, direction="a>b"):
        with open(path, encoding="ascii") as log:
            # The last line may be half written.
            lines = [json.loads(text) for text in log if text.endswith("\n")]
        return cls([line for line in lines if line["dir"] == direction], capacity)

    @property
    def end(self):
        return len(self.bytes) * BIN_SECONDS

    def carried(self, flow, start, end):
        """Bytes of a flow: a function that takes the name of one ("udp:1>2") and says whether it counts."""
        bins = self.bytes[_bin(start) : _bin(end)]
        return sum(n for one in bins for name, n in one.items() if flow(name))

    def capacity_bytes(self, start, end):
        return sum(self.capacity(i * BIN_SECONDS) * BIN_SECONDS / 8 for i in range(_bin(start), _bin(end)))

    def use(self, flow, start, end):
        """Portion of the link's capacity, IP headers included."""
        return self.carried(flow, start, end) / self.capacity_bytes(start, end)

    def share(self, flow, start, end):
        """Portion of what the link carried."""
        total = self.carried(anything, start, end)
        return self.carried(flow, start, end) / total if total else float("nan")

    def queue(self, percent, start, end):
        """The queuing delay in ms that the link had for at most so much of the time."""
        samples = sorted(ms for one in self.queue_ms[_bin(start) : _bin(end)] for ms in one)
        return samples[min(len(samples) - 1, int(len(samples) * percent / 100))] if samples else float("nan")

    def first(self, flow, start=0.0, portion=0.02):
        """When the flow first carried data: more than 2% of the capacity in a bin; None if it did not."""
        for i in range(_bin(start), len(self.bytes)):
            if self._in_bin(flow, i) > portion * self.capacity_bytes(i * BIN_SECONDS, (i + 1) * BIN_SECONDS):
                return i * BIN_SECONDS
        return None

    def last(self, flow):
        """When the flow's last data had left the bottleneck."""
        for i in range(len(self.bytes) - 1, -1, -1):
            if self._in_bin(flow, i) > 0.02 * self.capacity_bytes(i * BIN_SECONDS, (i + 1) * BIN_SECONDS):
                return (i + 1) * BIN_SECONDS
        return None

    def recovery(self, flow, start, end):
        """Seconds until the beginning of the first half second in which the flow has 90% of the capacity;
        None if there is none."""
        window = round(RECOVERY_WINDOW_SECONDS / BIN_SECONDS)
        for i in range(_bin(start), _bin(end) - window + 1):
            at = i * BIN_SECONDS
            if self.use(flow, at, at + RECOVERY_WINDOW_SECONDS) >= RECOVERY_PORTION:
                return at - start
        return None

    def flows(self, flow, start, end):
        """One such function for each single flow of those that carried something."""
        names = {name for one in self.bytes[_bin(start) : _bin(end)] for name in one if flow(name)}
        return [lambda name, wanted=wanted: name == wanted for wanted in sorted(names)]

    def jain(self, flows, start, end):
        """Jain's index of the flows' rates."""
        rates = [self.carried(flow, start, end) for flow in flows]
        squares = sum(rate * rate for rate in rates)
        return sum(rates) ** 2 / (len(rates) * squares) if squares else float("nan")

    def _in_bin(self, flow, i):
        return sum(n for name, n in self.bytes[i].items() if flow(name))


def _bin(seconds):
    return max(0, round(seconds / BIN_SECONDS))


def anything(_name):
    return True


def udp(name):
    return name.startswith("udp:")


def tcp(name):
    return name.startswith("tcp:")


def udp_to(port):
    """The flow of UDP to that port."""
    return lambda name: name.startswith("udp:") and name.endswith(f">{port}")
