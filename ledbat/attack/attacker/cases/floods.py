"""Floods from forged addresses while somebody honest transfers and somebody else with the key
wants in.
"""

import os
import random
import statistics
import threading
import time

from attacker import files, net, netctl, services, spoof, utp
from attacker import keyed as noise
from attacker.cases import kompics
from attacker.cases.slots import trouble
from attacker.crowd import Crowd
from attacker.services import CAT, NET, PEER, RECEIVE
from attacker.table import Row, wrong

ROUNDS, ROUND_SECONDS, TRIES = 4, 1.7, 3  # others work on this machine too
SHARE = 0.8
HONEST_RATE = "40M"
CATS = 3  # a guess of the flood may have the first, see first_of_cat
FLOOD = "a flood of SYNs, half-open connections, RESETs, STATEs and garbage"


def rows(world, having):
    for keyed in (True, False):
        yield from flooded(world, having, keyed)
        for kind in (RECEIVE, NET):
            having.stop(kind, keyed)
    yield from others(world, having)


def flooded(world, having, keyed):
    """A transfer and newcomers at `receive` and `net server` of one kind."""
    program = having.start(RECEIVE, keyed)
    having.start(NET, keyed)
    having.ready(RECEIVE, keyed)
    having.ready(NET, keyed)
    big = os.path.join(world.directory, "big")
    with open(big, "wb") as file:
        file.truncate(400 << 20)
    sending = world.ebb(
        "ledbat",
        "send",
        "--max-rate",
        HONEST_RATE,
        *(("--key-file", having.key_file) if keyed else ()),
        big,
        f"{net.SERVICE}:{having.port(RECEIVE, keyed)}",
        place="honest",
    )
    await_start(having, keyed)
    time.sleep(1.5)
    newcomer(world, having, keyed)
    ports = [having.port(RECEIVE, keyed)] * 3 + [having.port(NET, keyed)]
    flood = Flood(world, ports).start()
    waits = []
    for _ in range(TRIES):
        before, during = [], []
        for _ in range(ROUNDS):
            before.append(speed(having, keyed, ROUND_SECONDS))
            with flood:
                time.sleep(0.3)
                during.append(speed(having, keyed, ROUND_SECONDS))
                waits.append(newcomer(world, having, keyed))
        share = statistics.median(during) / max(1.0, statistics.median(before))
        if share >= SHARE:
            break
    with flood:
        sessions = [newcomer_of_net(world, having, keyed) for _ in range(3)]
    flood.stop()
    rate = flood.rate()
    faults = trouble(program) + (
        [] if sending.alive() else [f"the transfer ended: {sending.err()[-200:]}"]
    )
    sending.kill()
    what = f"{FLOOD}, {rate:,.0f} datagrams a second"
    who = "newcomers with the key" if keyed else "newcomers"
    yield Row(
        having.name(RECEIVE, keyed),
        f"{what}: speed of an honest transfer beside that without",
        share,
        SHARE,
        at_least=True,
        note=f"{statistics.median(before) / 1e6:.1f} MB/s without, by turns",
    )
    yield Row(
        having.name(RECEIVE, keyed),
        f"{FLOOD}: the slowest of {len(waits)} {who}",
        max(waits),
        2,
        "s",
    )
    yield Row(
        having.name(NET, keyed),
        f"{FLOOD}, at two services: the slowest of 3 {who}",
        max(sessions),
        2,
        "s",
    )
    yield wrong(having.name(RECEIVE, keyed), f"{FLOOD}: what broke", faults)


def others(world, having):
    """Newcomers at the services that have no transfer here."""
    having.start(PEER)
    cat, peer = having.ready(CAT), having.ready(PEER)
    flood = Flood(world, [having.port(PEER), having.port(CAT)]).start()
    with flood:
        time.sleep(1)
        waits, faults = [], []
        for _ in range(5):
            began = time.monotonic()
            failure = kompics.answered(world, having)
            waits.append(time.monotonic() - began)
            faults += [failure] if failure else []
        first, cats, failures = first_of_cat(world, having, cat)
        faults += failures
    flood.stop()
    faults += trouble(peer)
    for cat in cats:
        faults += trouble(cat, ends=True)
    what = f"{FLOOD}, {flood.rate():,.0f} datagrams a second at two services"
    case = f"{what}: the slowest of 5 newcomers whose package is answered"
    yield Row(PEER, case, max(waits), 2, "s")
    yield Row(CAT, f"{what}: the first 1,000 bytes to a newcomer after", first, 2, "s")
    taken = len(cats) - 1
    note = f"{taken} guesses of the flood took the one place of {CAT}" if taken else ""
    yield wrong(f"{PEER}, {CAT}", f"{FLOOD}: what broke", faults, note)


def first_of_cat(world, having, cat):
    """Seconds to the first 1,000 bytes of `cat -l`, the programs that it took, and what failed.

    It serves who comes first. One in 65,536 of the flood's STATEs acknowledges an answer that the
    flood has not seen, and comes first: some 1 run of 20 has one. Three in a row are no chance.
    """
    cats, failures = [cat], []
    while True:
        began = time.monotonic()
        sock = world.udp("honest")
        try:
            stream = utp.Connection(sock, (net.SERVICE, having.port(CAT))).connect()
            stream.send(b"?")
            stream.read(1000)
            stream.abort()
        except (TimeoutError, utp.Broken) as failure:
            if isinstance(failure, utp.Broken) and len(cats) < CATS:
                cats.append(having.fresh(CAT))
                continue
            failures.append(f"{CAT}: {failure}")
        finally:
            sock.close()
        return time.monotonic() - began, cats, failures


def part_bytes(having, keyed):
    folder = os.path.join(having.directory(keyed), ".ebb-part")
    try:
        return sum(
            os.path.getsize(os.path.join(folder, name))
            for name in os.listdir(folder)
            if name.endswith(".part")
        )
    except FileNotFoundError:
        return 0


def await_start(having, keyed, seconds=30):
    deadline = time.monotonic() + seconds
    while part_bytes(having, keyed) < 1 << 20:
        if time.monotonic() > deadline:
            raise net.Trouble("the honest transfer does not begin")
        time.sleep(0.1)


def speed(having, keyed, seconds):
    """Bytes a second that reach the file."""
    first, began = part_bytes(having, keyed), time.monotonic()
    time.sleep(seconds)
    return (part_bytes(having, keyed) - first) / (time.monotonic() - began)


def newcomer(world, having, keyed, limit=10.0):
    """Seconds until one more is answered, from its first SYN on; with the key if there is one."""
    began = time.monotonic()
    sock = world.udp("honest")
    try:
        stream = utp.Connection(sock, (net.SERVICE, having.port(RECEIVE, keyed))).connect(limit)
        talk = noise.Keyed(stream, services.KEY, "files") if keyed else stream
        talk.send(files.HELLO)
        talk.read(12, limit)
        stream.abort()
        return time.monotonic() - began
    except (TimeoutError, utp.Broken):
        return limit
    finally:
        sock.close()


def newcomer_of_net(world, having, keyed, limit=10.0):
    began = time.monotonic()
    try:
        session = netctl.Session(
            world.tcp("honest", having.port(NET, keyed), timeout=limit), services.KEY
        )
        session.close()
        return time.monotonic() - began
    except (OSError, netctl.Refused):
        return limit


class Flood:
    """All kinds by turns, from a thread, at one bounded rate."""

    def __init__(self, world, ports):
        """The first port has a crowd besides, of connections that are made."""
        self.ports = ports
        self.pace = spoof.Pace()
        self.running = True
        self.on = threading.Event()
        self.began, self.seconds = 0.0, 0.0
        self.socks = [
            world.udp("attacker", f"172.16.{n // 250}.{n % 250 + 1}", 20000 + n, transparent=True)
            for n in range(500)
        ]
        # Half-open ones that are proven: they say nothing, or what a stranger says.
        self.crowd = Crowd(
            world, ports[0], 300, sources=3, words=os.urandom(48), third=9
        )
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self.thread.start()
        threading.Thread(target=self.crowd.start, args=(1,), daemon=True).start()
        return self

    def __enter__(self):
        self.began = time.monotonic()
        self.pace.next = self.began
        self.on.set()

    def __exit__(self, *_):
        self.on.clear()
        self.seconds += time.monotonic() - self.began

    def rate(self):
        """Datagrams a second, while it was on."""
        return self.pace.count / self.seconds

    def _run(self):
        junk = utp.garbage(500)
        while self.running:
            if not self.on.wait(0.1):
                continue
            for sock in self.socks:
                port = random.choice(self.ports)
                conn, number = random.randrange(65536), random.randrange(65536)
                for datagram in (
                    utp.packet(utp.SYN, conn, number, 0),
                    utp.packet(utp.STATE, conn + 1, number + 1, random.randrange(65536)),
                    utp.packet(utp.RESET, conn, number, number),
                    utp.packet(utp.STATE, number, conn, 0),
                    utp.packet(utp.SYN, number, conn, 0),
                    junk[number % len(junk)],
                ):
                    try:
                        sock.sendto(datagram, (net.SERVICE, port))
                    except OSError:
                        continue
                    self.pace.one()
                if not self.on.is_set():
                    break

    def stop(self):
        self.running = False
        self.thread.join(5)
        self.crowd.close()
        for sock in self.socks:
            sock.close()
