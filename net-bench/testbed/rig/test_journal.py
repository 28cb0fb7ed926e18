"""The figures of a log that was written by hand. In net-bench/testbed: python3 -m unittest discover -s . -t ."""

import unittest

from rig import cases, journal, report
from rig.journal import Journal
from rig.link import capacity_of

UDP, TCP = "udp:1>9000", "tcp:2>5201"


def lines(*bins):
    """Bins of (bytes of UDP, bytes of TCP, queue in ms)."""
    return [
        {"bytes": {UDP: udp, TCP: tcp}, "queue_ms": [queue] * 10, "drops": 0}
        for udp, tcp, queue in bins
    ]


class JournalTest(unittest.TestCase):
    # 8 Mbit/s: 100,000 bytes in a bin.
    log = Journal(
        lines(*[(100_000, 0, 5)] * 10, *[(25_000, 75_000, 80)] * 10, *[(0, 0, 0)] * 5, *[(90_000, 0, 5)] * 10),
        capacity_of("8mbit"),
    )

    def test_share_is_of_what_was_carried_and_use_of_the_capacity(self):
        self.assertEqual(self.log.share(journal.udp, 1.0, 2.0), 0.25)
        self.assertEqual(self.log.share(journal.udp, 2.5, 3.5), 1.0)
        self.assertAlmostEqual(self.log.use(journal.udp, 2.5, 3.5), 0.9)

    def test_tcp_is_seen_to_come_and_go(self):
        self.assertEqual(self.log.first(journal.tcp), 1.0)
        self.assertEqual(self.log.last(journal.tcp), 2.0)

    def test_recovery_ends_where_half_a_second_at_90_percent_begins(self):
        self.assertAlmostEqual(self.log.recovery(journal.udp, 2.0, 3.5), 0.5)
        self.assertIsNone(self.log.recovery(journal.udp, 2.0, 2.9))

    def test_queue_is_a_percentile_of_time(self):
        self.assertEqual(self.log.queue(50, 0.0, 1.0), 5)
        self.assertEqual(self.log.queue(95, 0.0, 2.0), 80)

    def test_flows_are_told_apart_by_their_names(self):
        flows = self.log.flows(journal.anything, 1.0, 2.0)
        self.assertEqual(len(flows), 2)
        self.assertAlmostEqual(
            self.log.jain(flows, 1.0, 2.0), self.log.jain([journal.udp, journal.tcp], 1.0, 2.0)
        )

    def test_jain_of_three_to_one(self):
        self.assertAlmostEqual(self.log.jain([journal.udp, journal.tcp], 1.0, 2.0), 1 / (2 * (0.0625 + 0.5625)))

    def test_capacity_follows_the_schedule(self):
        capacity = capacity_of("0:50mbit,1500ms:10mbit")
        self.assertEqual([capacity(t) for t in (0, 1.4, 1.5, 9)], [50e6, 50e6, 10e6, 10e6])


class VerdictTest(unittest.TestCase):
    def verdict(self, **figures):
        limits = (cases.at_most("share", 0.05, 0.10), cases.at_most("recovery_seconds", 2.0, 4.0))
        return report.verdict(cases.Case("", "", (), lambda: {}, limits), figures)

    def test_the_worst_figure_decides(self):
        self.assertEqual(self.verdict(share=0.05, recovery_seconds=2.0), cases.KEPT)
        self.assertEqual(self.verdict(share=0.07, recovery_seconds=2.0), cases.TWICE)
        self.assertEqual(self.verdict(share=0.07, recovery_seconds=4.1), cases.BROKEN)

    def test_what_never_happened_is_not_kept(self):
        self.assertEqual(self.verdict(share=0.0, recovery_seconds=None), cases.BROKEN)
        self.assertEqual(self.verdict(share=float("nan"), recovery_seconds=1.0), cases.BROKEN)


if __name__ == "__main__":
    unittest.main()
