"""Makes each service send to a victim that never answers, and measures what it gains by that.

Off the path the attacker sees nothing of what goes to the victim. It guesses: an acceptor's
seq_nr has 16 bits,
and who acknowledges it blindly counts as proven where nothing better is asked for.
"""

import itertools
import os
import random
import time

from attacker import messages, net, netctl, services, spoof, utp
from attacker.services import CAT, NET, PEER, RECEIVE
from attacker.table import ratio

BEFORE_PROOF = 1.0
WITHOUT_ANSWER = 3.0
RING = 1 << 16
GUESSES = 40_000  # a second
MUTE_PORTS = itertools.count(42_000)
REPORT = 6_000  # guesses, as many as go between two reports of a server, and some


def rows(world, having):
    """Every service, with a key and without."""
    kernel = TcpSyns(world, having)
    for keyed in (False, True):
        for kind in (RECEIVE, CAT, PEER, NET):
            having.start(kind, keyed)
    for keyed in (False, True):
        for kind in (RECEIVE, CAT, PEER, NET):
            having.ready(kind, keyed)
    kernel.send()
    for keyed in (False, True):
        for kind in (RECEIVE, CAT, PEER, NET):
            yield syns(world, having, kind, keyed, "victim")
            yield syns(world, having, kind, keyed, "ricochet")
            yield from guesses(world, having, kind, keyed)
        for kind in (RECEIVE, CAT, PEER, NET):
            yield from mute(world, having, kind, keyed)
        if not keyed:
            yield spread(world, having)
        yield plain_udp(world, having, keyed)
    yield named(world, having)
    yield kernel.row()


def syns(world, having, kind, keyed, victim):
    """Half-open connections: a SYN with one greeting and again with another; and packets of no
    connection.
    """
    having.ready(kind, keyed)
    attack = spoof.Reflection(world, having.port(kind, keyed), victim)
    none, bits, all_of_it, proof = (), (utp.EBB,), utp.GREETING, (utp.GREETING[1],)
    pairs = ((none, bits), (none, all_of_it), (bits, none), (all_of_it, none), (all_of_it, proof))
    with spoof.Sniffer(world, victim) as sniffer:
        sent = {}

        def send(name, port, datagram):
            attack.send(datagram, port)
            sent[port] = (name, sent.get(port, (name, 0))[1] + spoof.IP_AND_UDP + len(datagram))

        for number in range(500):
            first, second = pairs[number % 5]
            name = f"SYNs with {len(first)} extensions, then with {len(second)}"
            for greeting in (first, second, second):
                send(
                    name,
                    40001 + number % 5,
                    utp.packet(utp.SYN, 2 * number, number, 0, extensions=greeting),
                )
        for kind_of_packet in (utp.DATA, utp.FIN, utp.STATE, utp.RESET):
            for number in range(100):
                send(
                    "packets of no connection",
                    40010,
                    utp.packet(kind_of_packet, 20001 + 2 * number, 1, 1),
                )
        for datagram in utp.garbage(200):
            send("garbage", 40011, datagram)
        attack.phase("all", quiet=1.0)
        arrived = sniffer.by_port()
    attack.close()
    attack.phases = [(name, count, arrived.get(port, 0)) for port, (name, count) in sent.items()]
    what = "SYNs, packets of no connection and garbage in the victim's name"
    if victim == "ricochet":
        what += ", whose kernel answers with ICMP"
    return _worst(having.name(kind, keyed), what, attack, BEFORE_PROOF)


def guesses(world, having, kind, keyed):
    """All 65,536 acknowledgements of one connection, then acknowledgements of what may be on its
    way.
    """
    having.ready(kind, keyed)
    port = having.port(kind, keyed)
    session = None
    token = None
    if kind == NET and not keyed:
        honest_flow(world, port)
        session = netctl.Session(world.tcp("attacker", port))
        session.begin(netctl.spec("ledbat", seconds=30))
        session.go()
        session.watch()
        token = session.token
    attack = spoof.Reflection(world, port, pace=GUESSES)
    words = services.first_words(kind, keyed, net.VICTIM, token)
    conn, seq = 2 * random.randrange(1 << 14), random.randrange(RING)
    # An Ebb's greeting where nothing else is served; its 64 bits are guessed as well as may be.
    greeting, proof = ((), ()) if kind == CAT else (utp.GREETING, ((utp.PROOF, os.urandom(8)),))
    attack.send(utp.packet(utp.SYN, conn, seq, 0, extensions=greeting))
    hit = None
    for guess in range(RING):
        attack.send(
            utp.packet(
                utp.DATA if words else utp.STATE,
                conn + 1,
                seq + 1,
                guess,
                words,
                window=1 << 30,
                extensions=proof if guess % 2 else (),
            )
        )
        if session is not None and guess % 250 == 0 and session.sent:
            hit = guess
            break
    attack.phase("guesses", wait=False)
    if hit is not None:
        drive_told(attack, conn, seq + 2, hit, session)
    elif session is None:
        drive_blind(attack, conn, seq + 2, 9.0 if kind == CAT and not keyed else 2.0)
    if session is not None:
        session.close()
    attack.close()
    service = having.name(kind, keyed) + (" (LEDBAT)" if kind == NET else "")
    note = "" if hit is None else "its own session told the attacker when one hit"
    yield _worst(
        service,
        "all 65,536 acknowledgements guessed, then optimistic ones",
        attack,
        WITHOUT_ANSWER,
        note,
    )


def mute(world, having, kind, keyed, seconds=8.0):
    """The luckiest guess of all: a foreign peer's handshake, with BEP 29's 16 bits and no more, for
    an address that never answers. The guess is read from the victim's link; what the connection
    gives to the victim is told beside what finding it costs as a rule.
    """
    having.fresh(kind, keyed) if kind == CAT else having.ready(kind, keyed)
    for driven in (False, True):
        attack = spoof.Reflection(world, having.port(kind, keyed), pace=GUESSES)
        # A port that no case before has named: what still comes for those is not of this one.
        port = next(MUTE_PORTS)

        def send(datagram, attack=attack, port=port):
            attack.send(datagram, port)

        with spoof.Sniffer(world, "victim") as sniffer:
            conn, seq = 2 * random.randrange(1 << 14), random.randrange(RING)
            send(utp.packet(utp.SYN, conn, seq, 0))
            answer = sniffer.first_utp(port, 3.0)
            words = services.first_words(kind, keyed, net.VICTIM)
            if answer is not None and answer.kind == utp.STATE:
                ack = answer.seq - 1
                send(utp.packet(utp.DATA, conn + 1, seq + 1, ack, words or b"?"))
            until = time.monotonic() + seconds
            while time.monotonic() < until and answer is not None and driven:
                for ahead in range(200):
                    send(utp.packet(utp.STATE, conn + 1, seq + 2, ack + ahead, window=1 << 30))
            if not driven:
                time.sleep(seconds if answer is not None else 0)
            attack.phase("all")
            attack.close()
            # Of a few bytes, ARP's would be a large part.
            arrived = sniffer.looked_at + sniffer.by_port().get(port, 0)
        what = "a foreign peer's handshake whose 16 bits were guessed, for one who is mute"
        if answer is None or answer.kind != utp.STATE:
            # Refused: nothing was opened, and the refusal is no larger than the question.
            yield ratio(
                having.name(kind, keyed), f"{what}: refused", attack.sent, arrived, BEFORE_PROOF
            )
            return
        what += ", and optimistic acknowledgements" if driven else ""
        guessing = (RING // 3) * (3 * (spoof.IP_AND_UDP + 20) + spoof.IP_AND_UDP + 20)
        yield ratio(
            having.name(kind, keyed),
            f"{what}: bytes in with those of the guesses that it takes",
            attack.sent + guessing,
            arrived,
            WITHOUT_ANSWER,
        )
        having.fresh(kind, keyed) if kind == CAT else None


def honest_flow(world, port, count=3_000_000):
    """A test as a client makes it, so that Ebb is not busy with compiling itself when it counts."""
    session = netctl.Session(world.tcp("attacker", port))
    session.begin(netctl.spec("ledbat", seconds=30))
    sock = world.udp("attacker")
    flow = utp.Connection(sock, (net.SERVICE, port)).connect()
    flow.send(netctl.preamble(session.token, True))
    session.go()
    flow.read(count)
    flow.abort()
    session.close()
    sock.close()


def drive_told(attack, conn, seq, hit, session, seconds=6.0):
    """Optimistic acknowledgements where the server's counts tell about how far it has come."""
    first, began, reached = session.sent, time.monotonic(), False
    while time.monotonic() < began + seconds:
        # A packet has 1,100 to 1,460 bytes, and up to a megabyte is counted before it is sent.
        gone = session.sent - first
        step = 1 + min(63, gone // 200_000)
        for ack in range(hit - REPORT + gone // 1460, hit + 1000 + gone // 1100, step):
            attack.send(utp.packet(utp.STATE, conn + 1, seq, ack, window=1 << 30))
        if not reached and gone > 1 << 20:
            reached = True
            attack.phase("optimistic, as it grows", wait=False)
    attack.phase("optimistic, later")


def drive_blind(attack, conn, seq, seconds):
    """Optimistic acknowledgements of whatever may be on its way, in larger steps as more may be."""
    step, began, reached = 1, time.monotonic(), False
    while time.monotonic() < began + seconds:
        for ack in range(0, RING, step):
            attack.send(utp.packet(utp.STATE, conn + 1, seq, ack, window=1 << 30))
        step = min(64, 2 * step)
        if not reached and step == 64:
            reached = True
            attack.phase("optimistic, as it grows", wait=False)
    attack.phase("optimistic, later")


def spread(world, having):
    """Three guesses on each of thousands of connections, as where a few wrong ones end a
    connection.
    """
    having.fresh(CAT)
    attack = spoof.Reflection(world, having.port(CAT), pace=GUESSES)
    until = time.monotonic() + 5
    number = 0
    while time.monotonic() < until:
        conn, seq = number * 2 & 0xFFFF, number & 0xFFFF
        port = 40000 + (number >> 15)
        attack.send(utp.packet(utp.SYN, conn, seq, 0), port)
        first = random.randrange(RING)
        for guess in range(3):
            attack.send(
                utp.packet(utp.STATE, conn + 1, seq + 1, first + guess, window=1 << 30), port
            )
        number += 1
    attack.phase("spread")
    until = time.monotonic() + 2
    while time.monotonic() < until:
        # Whichever it was: acknowledgements on all of the last thousand.
        back = random.randrange(min(1000, number))
        conn = (number - 1 - back) * 2 & 0xFFFF
        attack.send(
            utp.packet(utp.STATE, conn + 1, 1, random.randrange(RING), window=1 << 30),
            40000 + ((number - 1 - back) >> 15),
        )
    attack.phase("blind")
    attack.close()
    return _worst(
        CAT,
        f"3 guesses on each of {number:,} connections, then optimistic acknowledgements",
        attack,
        WITHOUT_ANSWER,
    )


def _worst(service, what, attack, limit, note=""):
    phases = [("all", attack.sent, attack.bytes_out())]
    # What arrived in a phase in which nothing was sent is of an earlier one: it is in "all".
    phases += [phase for phase in attack.phases if phase[1]]
    name, sent, arrived = max(phases, key=lambda phase: phase[2] / phase[1])
    return ratio(service, f"{what}: phase '{name}'", sent, arrived, limit, note)


def plain_udp(world, having, keyed):
    """Joins, guessed cookies, messages and acknowledgements by plain UDP."""
    having.ready(NET, keyed)
    port, token, session = having.port(NET, keyed), os.urandom(16), None
    udp_port = port + 1
    if not keyed:
        session = netctl.Session(world.tcp("attacker", port))
        udp_port = session.begin(netctl.spec("udp", seconds=30, streams=4))
        token = session.token
        session.go()
        session.watch()
    attack = spoof.Reflection(world, udp_port)
    for number in range(4000):
        attack.send(netctl.udp_handshake(netctl.UDP_JOIN, token, stream=number % 4))
        for _ in range(4):
            guess = random.getrandbits(64)
            attack.send(netctl.udp_handshake(netctl.UDP_PROVE, token, guess, stream=number % 4))
        attack.send(netctl.udp_message(netctl.UDP_ACK, number, random.getrandbits(64)))
        attack.send(netctl.udp_message(netctl.UDP_MESSAGE, number, random.getrandbits(64), 100))
    attack.phase("joins", quiet=1.0)
    attack.close()
    if session is not None:
        session.close()
    return ratio(
        having.name(NET, keyed) + " (UDP)",
        "joins, guessed cookies and messages in the victim's name",
        attack.sent,
        attack.bytes_out(),
        BEFORE_PROOF,
    )


def named(world, having):
    """Messages on an honest connection whose headers say that the victim wants the answers."""
    having.ready(PEER)
    sock = world.udp("attacker")
    before_in, before = world.arrived("service"), world.arrived("victim")
    peer = utp.Connection(sock, (net.SERVICE, having.port(PEER))).connect()
    words = [messages.hello(net.ATTACKER, sock.getsockname()[1])]
    for number in range(500):
        source = (net.VICTIM, 1024 + number)
        words.append(messages.message(messages.payload(source, (net.SERVICE, having.port(PEER)))))
    peer.send(b"".join(words))
    peer.fate(10)
    sent, arrived = world.arrived("service") - before_in, world.arrived("victim") - before
    sock.close()
    return ratio(
        PEER,
        "messages on the attacker's own connection that name the victim as their source",
        sent,
        arrived,
        WITHOUT_ANSWER,
    )


class TcpSyns:
    """What the kernel does for `net server` before Ebb hears of it."""

    def __init__(self, world, having):
        self.world, self.having = world, having
        self.sent = 0
        self.before = world.arrived("bystander")

    def send(self):
        raw = self.world.raw("attacker")
        for number in range(100):
            packet = spoof.tcp_syn(
                net.BYSTANDER, 20000 + number, net.SERVICE, self.having.port(NET), number
            )
            raw.sendto(packet, (net.SERVICE, 0))
            self.sent += len(packet)
        raw.close()

    def row(self):
        arrived = self.world.arrived("bystander") - self.before
        return ratio(
            NET + " (TCP)",
            "SYNs of TCP in a victim's name, for as long as the other rows took",
            self.sent,
            arrived,
            WITHOUT_ANSWER,
            "Linux repeats its answer by itself",
        )
