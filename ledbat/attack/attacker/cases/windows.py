"""Peers with a window of nothing, for ever: what they ask for cannot be sent, and must neither pile
up nor hold a place that somebody else wants.
"""

import random
import threading
import time

from attacker import files, messages, net, utp
from attacker.cases.kompics import answered
from attacker.cases.slots import sender, served, trouble
from attacker.crowd import Crowd
from attacker.services import CAT, PEER, RECEIVE
from attacker.table import ratio, wrong

LIMIT = 3  # bytes out for each byte in, as in any case without the other's answer
LEAST_IN = 1000  # Who says nothing at all counts as one who said this much.
SENTENCE = "a window of nothing for ever"


def rows(world, having):
    yield bulk(world, having)
    yield refused_files(world, having)
    yield unread_answers(world, having)
    yield places(world, having)


class Blocked:
    """A connection with no window, and what came and went since it was made."""

    def __init__(self, world, port):
        self.world = world
        self.sock = world.udp("attacker")
        self.stream = utp.Connection(self.sock, (net.SERVICE, port))
        self.stream.window = 0
        self.stream.connect()
        self.stream._answer()
        self.fate = None
        self.count()

    def count(self):
        self.before_in = self.world.arrived("service")
        self.before = self.world.arrived("attacker")

    def say(self, words, seconds):
        try:
            self.stream.send(words, seconds)
        except TimeoutError:
            self.fate = "the service takes no more"
        except utp.Broken:
            self.fate = "reset"

    def wait(self, seconds):
        self.fate = self.fate or self.stream.fate(seconds)

    def row(self, kind, what, program, more=()):
        """Closes it."""
        sent = self.world.arrived("service") - self.before_in
        arrived = self.world.arrived("attacker") - self.before
        self.sock.close()
        faults = trouble(program) + list(more)
        if faults:
            return wrong(kind, f"{SENTENCE}: {what}", faults)
        notes = [self.fate or "still open"]
        if sent < LEAST_IN:
            notes.append(f"counted as {LEAST_IN:,} bytes in")
        row = ratio(kind, f"{SENTENCE}: {what}", max(sent, LEAST_IN), arrived, LIMIT)
        row.note = "; ".join(notes)
        return row


def bulk(world, having):
    """Of one who has much to send and may not."""
    program = having.fresh(CAT)
    blocked = Blocked(world, having.port(CAT))
    time.sleep(0.5)
    blocked.count()
    blocked.wait(7)
    return blocked.row(CAT, "probes", program)


def refused_files(world, having):
    """5 x 800 offers that are refused with reasons, which nobody lets come."""
    program = having.fresh(RECEIVE)
    blocked = Blocked(world, having.port(RECEIVE))
    blocked.say(files.HELLO, 5)
    for part in range(5):
        offers = (files.offer(800 * part + n, "../" + "x" * 100, 1) for n in range(800))
        blocked.say(b"".join(offers), 5)
    blocked.wait(5)
    return blocked.row(RECEIVE, "a sender whose 4,000 offers are refused", program)


def unread_answers(world, having, seconds=10, count=4):
    """Messages on several connections as fast as they are taken, and no answer to any is."""
    program = having.fresh(PEER)
    service, until = (net.SERVICE, having.port(PEER)), time.monotonic() + seconds
    made = [Blocked(world, having.port(PEER)) for _ in range(count)]
    for each in made:
        each.count()
    sent = [0] * count

    def flood(index):
        blocked = made[index]
        home = (net.ATTACKER, blocked.sock.getsockname()[1])
        blocked.say(messages.hello(*home, incarnation=random.getrandbits(60)), 5)
        words = b"".join(
            messages.message(messages.payload(home, service, n), delivery=n + 1)
            for n in range(1000)
        )
        while blocked.fate is None and time.monotonic() < until:
            blocked.say(words, 5)
            sent[index] += 1000

    threads = [threading.Thread(target=flood, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 20)
    failure = answered(world, having)
    for each in made[1:]:
        each.sock.close()
    what = f"{sum(sent):,} messages on {count} connections, of which none may be answered; "
    what += "another address sends a package"
    return made[0].row(PEER, what, program, [failure] if failure else [])


def places(world, having):
    """80 such senders with an offer each; somebody honest wants in."""
    program = having.fresh(RECEIVE)
    words = files.HELLO + b"".join(files.offer(n, "..", 1) for n in range(8))
    crowd = Crowd(world, having.port(RECEIVE), 80, sources=5, words=words, third=5, window=0)
    crowd.start(5)
    time.sleep(1)
    began = time.monotonic()
    faults, note = served(sender(world, having, "beside-no-windows"), began)
    crowd.close()
    return wrong(
        RECEIVE,
        f"{SENTENCE}: 80 senders at 5 addresses; another address sends",
        faults + trouble(program),
        note,
    )
