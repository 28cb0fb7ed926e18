"""Takes places and keeps them: many connections that do next to nothing. Somebody honest wants in
as well.
"""

import os
import resource
import time

from attacker import files, net, netctl
from attacker.crowd import Crowd
from attacker.services import NET, RECEIVE
from attacker.table import wrong

BUSY_WORDS = r"busy"
IN_TIME_SECONDS = 30  # a program's start included, on a machine with other work


def rows(world, having):
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2
    )
    having.start(RECEIVE)
    having.start(NET)
    having.ready(RECEIVE)
    having.ready(NET)
    yield pings_to_receive(world, having)
    yield sessions_of_net(world, having)
    yield reservation(world, having)
    yield from idle(world, having)


def sender(world, having, name):
    """An honest `send`, started."""
    path = os.path.join(world.directory, name)
    with open(path, "wb") as file:
        file.write(os.urandom(100_000))
    return world.ebb(
        "ledbat", "send", path, f"{net.SERVICE}:{having.port(RECEIVE)}", place="honest"
    )


def served(program, began):
    """What is wrong with how an honest program was served."""
    code = program.exit(IN_TIME_SECONDS)
    said = program.err().strip().splitlines()[-1:] or [""]
    if code == 0:
        return [], f"served after {time.monotonic() - began:.1f} s"
    if code == 4 and BUSY_WORDS in said[0]:
        return [], f"told that it is busy after {time.monotonic() - began:.1f} s"
    return [f"exit code {code}: {said[0]}"], ""


def pings_to_receive(world, having):
    """80 senders at one address, each with a PING every 1.5 s."""
    crowd = Crowd(
        world, having.port(RECEIVE), 80, words=files.HELLO, again=files.frame(files.PING)
    )
    crowd.start(5)
    time.sleep(2)
    began = time.monotonic()
    faults, note = served(sender(world, having, "second"), began)
    crowd.close()
    return wrong(
        RECEIVE,
        "80 senders at one address hold places with pings; another address sends",
        faults,
        note,
    )


def client(world, having):
    return world.ebb(
        "net",
        "client",
        net.SERVICE,
        "-p",
        str(having.port(NET)),
        "-t",
        "1",
        "-b",
        "10M",
        place="honest",
    )


def sessions_of_net(world, having):
    """1,100 sessions from one address with a ping each second."""
    sessions = []
    for _ in range(1100):
        try:
            sessions.append(netctl.Session(world.tcp("attacker", having.port(NET), timeout=3)))
        except (netctl.Refused, OSError):
            break
    began = time.monotonic()
    program = client(world, having)
    while program.alive() and time.monotonic() < began + IN_TIME_SECONDS:
        for session in sessions:
            try:
                session.say(netctl.PING, bytes(8))
            except OSError:
                continue
        time.sleep(1)
    faults, note = served(program, began)
    for session in sessions:
        session.close()
    case = "1,100 sessions asked for by one address, each pinging; another address measures"
    return wrong(NET, case, faults, f"{len(sessions)} got in; {note}")


def reservation(world, having):
    """One stranger reserves the server and pings. That is what a reservation is for, but not for
    ever.
    """
    session = None
    until = time.monotonic() + 20  # until the sessions before are over
    while session is None:
        try:
            session = netctl.Session(
                world.tcp("attacker", having.port(NET)), purpose=netctl.RESERVATION
            )
        except netctl.Refused:
            if time.monotonic() > until:
                return wrong(
                    NET, "one address reserves the server and pings", [], "it may not reserve"
                )
            time.sleep(1)
    session.watch()
    began = time.monotonic()
    faults, note = served(client(world, having), began)
    session.close()
    return wrong(
        NET, "one address reserves the server and pings; another address measures", faults, note
    )


def idle(world, having):
    """10,000 connections that say nothing: over uTP to `receive`, over TCP to `net server`."""
    program = having.fresh(RECEIVE)
    crowd = Crowd(world, having.port(RECEIVE), 10_000, sources=100)
    crowd.start(8)
    began = time.monotonic()
    faults, note = served(sender(world, having, "beside-idle"), began)
    faults += trouble(program)
    crowd.close()
    yield wrong(
        RECEIVE,
        "10,000 idle connections from 100 addresses; another address sends",
        faults,
        f"{crowd}; {note}",
    )
    program = having.fresh(NET)
    socks = []
    for number in range(10_000):
        try:
            source = f"{net.CROWD}.2.{number % 100 + 1}"
            socks.append(world.tcp("attacker", having.port(NET), source, timeout=2))
        except OSError:
            break
    began = time.monotonic()
    faults, note = served(client(world, having), began)
    faults += trouble(program)
    for sock in socks:
        sock.close()
    yield wrong(
        NET,
        "10,000 idle connections of TCP from 100 addresses; another address measures",
        faults,
        f"{len(socks):,} connected; {note}",
    )


def trouble(program, ends=False):
    """What a program must not do, whatever comes. A service must not end either."""
    found = []
    if not ends and not program.alive():
        found.append(f"ended with {program.process.returncode}")
    said = program.err() + program.out()
    for word in ("Exception", "\tat ", "OutOfMemoryError"):
        if word in said:
            line = next(line for line in said.splitlines() if word in line)
            found.append(f"said {line.strip()[:120]!r}")
            break
    for line in said.split("\n"):
        if any(
            ord(char) < 32 or ord(char) == 127 or 0x80 <= ord(char) < 0xA0
            for char in line
            if char != "\t"
        ):
            found.append(f"wrote control characters: {line[:120]!r}")
            break
    return found
