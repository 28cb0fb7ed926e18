"""Messages to `ebb peer` that no serializer would write, and frames out of every order."""

import os
import random
import struct

from attacker import messages, net, utp
from attacker.cases.slots import IN_TIME_SECONDS, trouble
from attacker.crowd import Crowd
from attacker.services import PEER
from attacker.table import wrong


def rows(world, having):
    program = having.ready(PEER)
    yield identifiers(world, having, program)
    yield frames(world, having, program)
    yield datagrams(world, having, program)
    yield impostor(world, having, program)
    yield idle(world, having, program)


def connect(world, having, place="attacker", announced=None):
    sock = world.udp(place)
    stream = utp.Connection(sock, (net.SERVICE, having.port(PEER))).connect()
    home = announced or (
        net.ATTACKER if place == "attacker" else net.HONEST,
        sock.getsockname()[1],
    )
    stream.send(messages.hello(*home, incarnation=random.getrandbits(60)))
    return stream, home


def answered(world, having, place="honest"):
    """None when a package of somebody honest is acknowledged, else what happened."""
    stream = None
    try:
        stream, home = connect(world, having, place)
        body = messages.payload(
            home, (net.SERVICE, having.port(PEER)), number=7, content=b"x" * 100
        )
        stream.send(messages.message(body))
        # A hello, and a message of at least an acknowledgement's size.
        stream.read(24 - 4 + 12 + 24, IN_TIME_SECONDS)
        return None
    except (utp.Broken, TimeoutError) as failure:
        return f"an honest package afterwards: {failure}"
    finally:
        if stream is not None:
            stream.sock.close()


def aftermath(world, having, program):
    failure = answered(world, having)
    return trouble(program) + ([failure] if failure else [])


def identifiers(world, having, program):
    """Every serializer's number before bodies of many lengths; a connection that is ended is
    opened again.
    """
    stream, sent, opened = None, 0, 0
    for number in range(256):
        for length in (0, 1, 4, 5, 9, 40, 3000):
            body = bytes((number,)) + random.choice(
                (
                    bytes(length),
                    b"\xff" * length,
                    os.urandom(length),
                    b"\x7f" + os.urandom(max(0, length - 1)),
                )
            )
            try:
                if stream is None:
                    stream, _ = connect(world, having)
                    opened += 1
                stream.send(messages.message(body, delivery=number), 10)
                sent += 1
            except (utp.Broken, TimeoutError):
                if stream is not None:
                    stream.sock.close()
                stream = None
    if stream is not None:
        stream.sock.close()
    faults = aftermath(world, having, program)
    lines = len(program.err().splitlines())
    if lines > 200:
        faults.append(f"{lines} lines of log")
    return wrong(
        PEER,
        "all 256 serializer ids, bodies of 0 to 3,000 bytes",
        faults,
        f"{sent:,} messages on {opened} connections, {lines} lines of log",
    )


BAD_FRAMES = [
    b"GET / HTTP/1.1\r\n\r\n" * 3,
    messages.hello("0.0.0.0", 0),
    struct.pack(">IBB", messages.HELLO, 1, 200) + bytes(64),
    struct.pack(">IBB", messages.HELLO, 77, 4) + bytes(64),
]
BAD_AFTER_HELLO = [
    struct.pack(">BII", messages.MESSAGE, 0xFFFFFFFF, 1),
    struct.pack(">BII", messages.MESSAGE, 0, 1),
    struct.pack(">BII", messages.MESSAGE, 33 << 20, 1),
    struct.pack(">BII", messages.MESSAGE, 100, 1) * 2,
    struct.pack(">BH", messages.SEGMENT, 10) + bytes(10),
    struct.pack(">BII", messages.MESSAGE, 10, 1) + struct.pack(">BH", messages.SEGMENT, 0),
    struct.pack(">BII", messages.MESSAGE, 10, 1)
    + struct.pack(">BH", messages.SEGMENT, 11)
    + bytes(11),
    struct.pack(">BI", messages.DELIVERED, 5) * 5000,
    struct.pack(">BI", messages.REFUSED, 0) * 5000,
    bytes((messages.BYE,)) * 5000,
    bytes((messages.BYE,)) + struct.pack(">BII", messages.MESSAGE, 10, 1),
    bytes((99,)),
    messages.message(b"\x12" + bytes(3), 1) * 500,
]


def frames(world, having, program):
    for after_hello, words in [(False, each) for each in BAD_FRAMES] + [
        (True, each) for each in BAD_AFTER_HELLO
    ]:
        sock = world.udp("attacker")
        try:
            stream = utp.Connection(sock, (net.SERVICE, having.port(PEER))).connect()
            if after_hello:
                stream.send(messages.hello(net.ATTACKER, sock.getsockname()[1]))
            stream.send(words)
            stream.fate(0.2)
        except (utp.Broken, TimeoutError):
            pass
        finally:
            sock.close()
    return wrong(
        PEER,
        f"{len(BAD_FRAMES) + len(BAD_AFTER_HELLO)} frames out of order, too long, too short",
        aftermath(world, having, program),
    )


def datagrams(world, having, program):
    """Messages by UDP, which this service does not have, and what is not uTP at all."""
    sock = world.udp("attacker")
    body = messages.payload((net.VICTIM, 40000), (net.SERVICE, having.port(PEER)), transport=1)
    before = world.arrived("victim")
    for kind in range(256):
        for more in (b"", bytes(16), bytes(16) + body, body):
            sock.sendto(bytes((0xEB, 1, kind)) + more, (net.SERVICE, having.port(PEER)))
    sock.close()
    faults = aftermath(world, having, program)
    if world.arrived("victim") != before:
        faults.append("the victim was sent something")
    return wrong(PEER, "1,024 datagrams framed as messages by UDP", faults)


def impostor(world, having, program):
    """Announces the address of somebody honest who is connected, with another incarnation; he
    must not lose his.
    """
    stream, home = connect(world, having, "honest")
    faults = []
    try:
        for _ in range(5):
            false, _ = connect(world, having, announced=home)
            false.fate(0.2)
            false.sock.close()
        body = messages.payload(home, (net.SERVICE, having.port(PEER)), number=3)
        stream.send(messages.message(body))
        stream.read(40, 10)
    except (utp.Broken, TimeoutError) as failure:
        faults.append(f"the honest one: {failure}")
    stream.sock.close()
    return wrong(
        PEER,
        "5 strangers announce the address of somebody who is connected",
        faults + trouble(program),
    )


def idle(world, having, program):
    """10,000 connections that say nothing after they opened."""
    crowd = Crowd(world, having.port(PEER), 10_000, sources=100, third=3)
    crowd.start(8)
    failure = answered(world, having)
    crowd.close()
    faults = trouble(program) + ([failure] if failure else [])
    return wrong(
        PEER,
        "10,000 idle connections from 100 addresses; another address sends a package",
        faults,
        str(crowd),
    )
