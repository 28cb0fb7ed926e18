"""Real peers of a bulk sender, `cat -l`, that say what is not so."""

import time

from attacker import net, utp
from attacker.services import CAT
from attacker.cases.slots import trouble
from attacker.table import Row


def rows(world, having):
    yield optimist(world, having)


def optimist(world, having, seconds=8.0):
    """Acknowledges what it has not received: it reads the newest seq_nr and claims 200 more each
    time.
    """
    program = having.fresh(CAT)
    sock = world.udp("attacker")
    before_in, before = world.arrived("service"), world.arrived("attacker")
    stream = utp.Connection(sock, (net.SERVICE, having.port(CAT))).connect()
    stream.acks_packets = False
    newest, ended, began = stream.ack, None, time.monotonic()
    sock.setblocking(False)
    while time.monotonic() < began + seconds and ended is None:
        try:
            for _ in range(100):
                got = utp.Packet(sock.recv(2048))
                if got.kind == utp.RESET:
                    ended = time.monotonic() - began
                if got.kind == utp.DATA and ((got.seq - newest) & 0xFFFF) < 0x8000:
                    newest = got.seq
        except BlockingIOError:
            pass
        for ahead in (0, 1, 2, 4, 8, 16, 32, 64, 128, 200):
            sock.sendto(
                utp.packet(
                    utp.STATE,
                    stream.send_id,
                    stream.seq,
                    newest + ahead,
                    window=1 << 30,
                    extensions=stream.proof,
                ),
                stream.remote,
            )
        time.sleep(0.005)
    sent, arrived = world.arrived("service") - before_in, world.arrived("attacker") - before
    sock.close()
    return Row(
        CAT,
        "a receiver that acknowledges what it has not received is sent away after",
        seconds if ended is None else ended,
        5,
        "s",
        bytes_in=sent,
        bytes_out=arrived,
        note="not within 8 s" if ended is None else "; ".join(trouble(program, ends=True)),
    )
