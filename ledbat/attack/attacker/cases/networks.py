"""By IPv6 an attacker has as many addresses as it likes, all of one /64, which count as one source:
somebody from another /64 gets in whatever they hold.
"""

import random
import resource
import threading
import time

from attacker import files, net, netctl, spoof, utp
from attacker.cases.slots import trouble
from attacker.crowd import Crowd
from attacker.services import CAT, NET, RECEIVE
from attacker.table import Row, wrong

ADDRESSES = 80
PLACES_OF_A_SOURCE = 16  # docs/security.md
IN_TIME_SECONDS = 5.0
HALF_OPEN_RATE = 4_000


def rows(world, having):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    having.ready(RECEIVE)
    having.ready(NET)
    yield places(world, having)
    yield sessions(world, having)
    having.fresh(RECEIVE)
    yield half_open(world, having, RECEIVE, 3)
    having.ready(CAT)
    yield half_open(world, having, CAT, 4)


def places(world, having):
    """80 senders, each at an address of its own; then one of another /64."""
    program = having.ready(RECEIVE)
    crowd = Crowd(
        world,
        having.port(RECEIVE),
        ADDRESSES,
        sources=ADDRESSES,
        words=files.HELLO,
        again=files.frame(files.PING),
        network=1,
    )
    crowd.start(5)
    time.sleep(2)
    faults = []
    if crowd.opened < ADDRESSES:
        faults.append(f"only {crowd.opened} got as far as asking")
    staying = crowd.staying()
    if staying > PLACES_OF_A_SOURCE:
        faults.append(f"{staying} have places")
    # The same /64, again: told that it is busy. Another one: welcome.
    same, _ = greeted(world, having, f"{net.CROWD6}:1::ffff")
    if same != "busy":
        faults.append(f"one more of the same /64 was {same}")
    other, took = greeted(world, having, f"{net.CROWD6}:2::1")
    if other != "welcome":
        faults.append(f"another /64 was {other}")
    faults += trouble(program)
    crowd.close()
    return wrong(
        RECEIVE,
        f"by IPv6: {ADDRESSES} senders at as many addresses of one /64 hold places with pings; "
        "one of another /64 offers a file",
        faults,
        f"{staying} stayed; the other was asked for its file after {took:.2f} s",
    )


def greeted(world, having, source):
    """What becomes of a sender's first offer, and after how long."""
    began = time.monotonic()
    sock = world.udp("attacker", source)
    try:
        stream = utp.Connection(sock, (net.SERVICE6, having.port(RECEIVE))).connect()
        stream.send(files.HELLO + files.offer(0, "of-another", 10))
        reader = files.Reader(stream)
        reader.hello()
        kind, _ = reader.await_kind(files.SEND, files.LEAVE)
        fate = "welcome" if kind == files.SEND else "busy"
        stream.abort()
    except (TimeoutError, utp.Broken, OSError) as failure:
        fate = f"left alone ({failure})"
    finally:
        sock.close()
    return fate, time.monotonic() - began


def sessions(world, having):
    """1,100 sessions, each from an address of its own; then one of another /64."""
    program = having.ready(NET)
    held, port = [], having.port(NET)

    def session(source):
        sock = world.tcp("attacker", port, source, timeout=3, host=net.SERVICE6)
        return netctl.Session(sock)

    for number in range(1100):
        try:
            held.append(session(f"{net.CROWD6}:1::{number + 1:x}"))
        except (netctl.Refused, OSError):
            break
    faults, began = [], time.monotonic()
    try:
        other = session(f"{net.CROWD6}:2::1")
        if other.begin(netctl.spec("tcp", seconds=1)) == 0:
            faults.append("another /64 was given no port")
        other.close()
    except (netctl.Refused, OSError) as refusal:
        faults.append(f"another /64: {refusal}")
    took = time.monotonic() - began
    for each in held:
        each.close()
    if took > IN_TIME_SECONDS:
        faults.append("it had to wait")
    return wrong(
        NET,
        "by IPv6: 1,100 sessions from as many addresses of one /64; one of another /64 measures",
        faults + trouble(program),
        f"{len(held):,} got in; the other was served after {took:.2f} s",
    )


def half_open(world, having, kind, network):
    """SYNs that nobody goes on with, without end; then an honest one of another /64."""
    program, port = having.ready(kind), having.port(kind)
    socks = [world.udp("attacker", f"{net.CROWD6}:{network}::{n + 1:x}") for n in range(200)]
    running, pace = threading.Event(), spoof.Pace(HALF_OPEN_RATE)
    running.set()

    def flood():
        number = 0
        while running.is_set():
            number += 1
            conn, seq = 2 * (number // len(socks)), random.randrange(1 << 16)
            syn = utp.packet(utp.SYN, conn, seq, 0, extensions=utp.GREETING)
            try:
                socks[number % len(socks)].sendto(syn, (net.SERVICE6, port))
            except OSError:
                continue
            pace.one()

    thread = threading.Thread(target=flood, daemon=True)
    thread.start()
    time.sleep(1.0)  # Four times the places that there are.
    faults, began = [], time.monotonic()
    sock = world.udp("attacker", f"{net.CROWD6}:{network}1::1")
    try:
        stream = utp.Connection(sock, (net.SERVICE6, port)).connect()
        stream.send(files.HELLO if kind == RECEIVE else b"?")
        stream.read(12)
        stream.abort()
    except (TimeoutError, utp.Broken, OSError) as failure:
        faults.append(f"another /64: {failure}")
    took = time.monotonic() - began
    running.clear()
    thread.join(5)
    for each in (*socks, sock):
        each.close()
    # Whoever it served, `cat -l` has done its work.
    faults += trouble(program, ends=kind == CAT)
    what = f"by IPv6: {HALF_OPEN_RATE:,} half-open connections a second from 200 addresses of one /64"
    row = Row(kind, f"{what}; one of another /64 is answered after", took, 2, "s")
    if faults:
        return wrong(kind, row.case, faults)
    return row
