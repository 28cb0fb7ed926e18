"""Floods from forged addresses while somebody honest transfers and somebody else with the key
wants in.
"""

import os
import random
import statistics
import threading
import time

from attacker import files, keyed, net, netctl, services, spoof, utp
from attacker.cases.slots import trouble
from attacker.crowd import Crowd
from attacker.services import NET, RECEIVE
from attacker.table import Row, wrong

ROUNDS, ROUND_SECONDS, TRIES = 4, 1.7, 3  # others work on this machine too
SHARE = 0.8
HONEST_RATE = "40M"


def rows(world, having):
    program = having.start(RECEIVE, True)
    having.start(NET, True)
    having.ready(RECEIVE, True)
    having.ready(NET, True)
    big = os.path.join(world.directory, "big")
    with open(big, "wb") as file:
        file.truncate(400 << 20)
    sending = world.ebb(
        "ledbat",
        "send",
        "--max-rate",
        HONEST_RATE,
        "--key-file",
        having.key_file,
        big,
        f"{net.SERVICE}:{having.port(RECEIVE, True)}",
        place="honest",
    )
    await_start(having)
    time.sleep(1.5)
    newcomer(world, having)
    flood = Flood(world, having).start()
    waits = []
    for _ in range(TRIES):
        before, during = [], []
        for _ in range(ROUNDS):
            before.append(speed(having, ROUND_SECONDS))
            with flood:
                time.sleep(0.3)
                during.append(speed(having, ROUND_SECONDS))
                waits.append(newcomer(world, having))
        share = statistics.median(during) / max(1.0, statistics.median(before))
        if share >= SHARE:
            break
    with flood:
        sessions = [newcomer_of_net(world, having) for _ in range(3)]
    flood.stop()
    rate = flood.rate()
    faults = trouble(program) + (
        [] if sending.alive() else [f"the transfer ended: {sending.err()[-200:]}"]
    )
    sending.kill()
    what = "SYNs, half-open connections, RESETs, STATEs and garbage at once, "
    what += f"{rate:,.0f} datagrams a second"
    yield Row(
        RECEIVE + " --key-file",
        f"{what}: speed of an honest transfer beside that without",
        share,
        SHARE,
        at_least=True,
        note=f"{statistics.median(before) / 1e6:.1f} MB/s without, by turns",
    )
    yield Row(
        RECEIVE + " --key-file",
        f"the same: the slowest of {len(waits)} newcomers with the key",
        max(waits),
        2,
        "s",
    )
    yield Row(
        NET + " --key-file",
        "the same, at both ports: the slowest of 3 newcomers with the key",
        max(sessions),
        2,
        "s",
    )
    yield wrong(RECEIVE + " --key-file", "the same: what broke", faults)


def part_bytes(having):
    folder = os.path.join(having.directory(True), ".ebb-part")
    try:
        return sum(
            os.path.getsize(os.path.join(folder, name))
            for name in os.listdir(folder)
            if name.endswith(".part")
        )
    except FileNotFoundError:
        return 0


def await_start(having, seconds=30):
    deadline = time.monotonic() + seconds
    while part_bytes(having) < 1 << 20:
        if time.monotonic() > deadline:
            raise net.Trouble("the honest transfer does not begin")
        time.sleep(0.1)


def speed(having, seconds):
    """Bytes a second that reach the file."""
    first, began = part_bytes(having), time.monotonic()
    time.sleep(seconds)
    return (part_bytes(having) - first) / (time.monotonic() - began)


def newcomer(world, having, limit=10.0):
    """Seconds until one more with the key is answered, from its first SYN on."""
    began = time.monotonic()
    sock = world.udp("honest")
    try:
        stream = utp.Connection(sock, (net.SERVICE, having.port(RECEIVE, True))).connect(limit)
        talk = keyed.Keyed(stream, services.KEY, "files")
        talk.send(files.HELLO)
        talk.read(12, limit)
        stream.abort()
        return time.monotonic() - began
    except (TimeoutError, utp.Broken):
        return limit
    finally:
        sock.close()


def newcomer_of_net(world, having, limit=10.0):
    began = time.monotonic()
    try:
        session = netctl.Session(
            world.tcp("honest", having.port(NET, True), timeout=limit), services.KEY
        )
        session.close()
        return time.monotonic() - began
    except (OSError, netctl.Refused):
        return limit


class Flood:
    """All kinds by turns, from a thread, at one bounded rate."""

    def __init__(self, world, having):
        self.world = world
        self.ports = [having.port(RECEIVE, True)] * 3 + [having.port(NET, True)]
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
            world, having.port(RECEIVE, True), 300, sources=3, words=os.urandom(48), third=9
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
                port = self.ports[random.randrange(4)]
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
