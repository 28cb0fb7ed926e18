"""On the path of a transfer with a key, which the attacker has not: he changes, repeats, drops
and inserts.

Not one wrong byte may arrive, and the exit code has to be right: 0 where a network could have
done it by itself and uTP mends it, 5 where the transfer was broken, 4 where the key was refused.
"""

import concurrent.futures
import os
import random

from attacker import net, utp
from attacker.cases.slots import trouble
from attacker.relay import Relay
from attacker.services import RECEIVE
from attacker.table import wrong

SIZE = 3 << 20
TAMPER_AFTER = 200  # packets with payload, when the transfer is well under way
HARMLESS, BREAKS = (0,), (4, 5)
STALLS = (5, None)  # who is on the path may hold a transfer up; for a minute, unless he goes away


def rows(world, having):
    program = having.ready(RECEIVE, True)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        yield from pool.map(lambda each: one(world, having, program, *each), TAMPERERS)
    yield replays(world, having, program)


def one(world, having, program, name, tamper, codes):
    """A transfer through the relay, and the same command again without."""
    label = "path-" + tamper.__name__
    path = os.path.join(world.directory, label)
    content = os.urandom(SIZE)
    with open(path, "wb") as file:
        file.write(content)
    relay = Relay(world, having.port(RECEIVE, True), tamper)
    sending = world.ebb(
        "ledbat", "send", "--key-file", having.key_file, path, relay.address, place="honest"
    )
    code = sending.exit(12 if None in codes else 60)
    relay.close()
    sending.kill()
    faults = trouble(sending, ends=True) + trouble(program)
    arrived = os.path.join(having.directory(True), label)
    if code not in codes:
        faults.append(f"exit code {code}: {sending.err().strip().splitlines()[-1:]}")
    if not relay.done:
        faults.append("nothing was tampered with")
    faults += differs(arrived, content, complete=code == 0)
    if code != 0:
        again = world.ebb(
            "ledbat",
            "send",
            "--key-file",
            having.key_file,
            path,
            f"{net.SERVICE}:{having.port(RECEIVE, True)}",
            place="honest",
        )
        if again.exit(60) != 0:
            faults.append(
                f"the same command again ended with {again.process.poll()}: "
                f"{again.err().strip()[-200:]}"
            )
        again.kill()
        faults += differs(arrived, content, complete=True)
    return wrong("send, receive --key-file", f"on the path: {name}", faults, f"exit code {code}")


def differs(path, content, complete):
    if not os.path.exists(path):
        return ["exit code 0 and no file"] if complete else []
    with open(path, "rb") as file:
        return [] if file.read() == content else ["the file that arrived differs"]


def rebuilt(parsed, payload, kind=None, seq=None):
    return utp.packet(
        parsed.kind if kind is None else kind,
        parsed.conn,
        parsed.seq if seq is None else seq,
        parsed.ack,
        payload,
        parsed.window,
        parsed.extensions,
    )


def data_late(towards, parsed, relay):
    return towards and parsed.kind == utp.DATA and relay.seen[True] > TAMPER_AFTER


def flip_one(towards, datagram, parsed, relay):
    if data_late(towards, parsed, relay) and not relay.done and parsed.payload:
        relay.done += 1
        changed = bytearray(parsed.payload)
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
        return [rebuilt(parsed, bytes(changed))]
    return [datagram]


def flip_answer(towards, datagram, parsed, relay):
    if (
        not towards
        and parsed.kind == utp.DATA
        and relay.seen[False] > 1
        and not relay.done
        and parsed.payload
    ):
        relay.done += 1
        return [rebuilt(parsed, parsed.payload[:-1] + bytes((parsed.payload[-1] ^ 1,)))]
    return [datagram]


def flip_handshake(towards, datagram, parsed, relay):
    if towards and parsed.kind == utp.DATA and relay.seen[True] == 1 and parsed.payload:
        relay.done += 1
        return [rebuilt(parsed, parsed.payload[:-1] + bytes((parsed.payload[-1] ^ 1,)))]
    return [datagram]


def repeat_all(towards, datagram, parsed, relay):
    relay.done += 1
    return [datagram, datagram]


def drop_some(towards, datagram, parsed, relay):
    if random.random() < 0.02 and relay.seen[True] > 20:
        relay.done += 1
        return []
    return [datagram]


def swap_some(towards, datagram, parsed, relay):
    held = relay.held
    if held is not None and held[0] == towards:
        relay.held = None
        return [datagram, held[1]]
    if held is None and random.random() < 0.05 and relay.seen[True] > 20:
        relay.held = (towards, datagram)
        relay.done += 1
        return []
    return [datagram]


def insert_next(towards, datagram, parsed, relay):
    """Forged data for the seq_nr that comes next, before the real packet."""
    if data_late(towards, parsed, relay) and not relay.done:
        relay.done += 1
        return [datagram, rebuilt(parsed, os.urandom(900), seq=parsed.seq + 1)]
    return [datagram]


def insert_record(towards, datagram, parsed, relay):
    """A whole record of an earlier time, in the place of another packet."""
    if towards and parsed.kind == utp.DATA and len(parsed.payload) > 1000:
        recorded = relay.recorded
        if (
            data_late(towards, parsed, relay)
            and not relay.done
            and len(parsed.payload) in recorded
        ):
            relay.done += 1
            return [rebuilt(parsed, recorded[len(parsed.payload)])]
        recorded.setdefault(len(parsed.payload), parsed.payload)
    return [datagram]


def cut(towards, datagram, parsed, relay):
    """A FIN in the place of data."""
    if data_late(towards, parsed, relay) and not relay.done:
        relay.done += 1
        return [rebuilt(parsed, b"", kind=utp.FIN)]
    return [datagram]


def reset(towards, datagram, parsed, relay):
    if data_late(towards, parsed, relay) and not relay.done:
        relay.done += 1
        return [rebuilt(parsed, b"", kind=utp.RESET)]
    return [datagram]


def acknowledge_all(towards, datagram, parsed, relay):
    """Tells the sender that all has come, and drops some of it."""
    if data_late(towards, parsed, relay):
        relay.done += 1
        relay.forward(False, utp.packet(utp.STATE, parsed.conn - 1, relay.answer_seq, parsed.seq))
        return [] if relay.done % 20 == 0 else [datagram]
    if not towards and parsed.kind is not None:
        relay.answer_seq = parsed.seq
    return [datagram]


TAMPERERS = [
    ("a bit of the data is flipped", flip_one, (5,)),
    ("a bit of the receiver's answers is flipped", flip_answer, (5,)),
    ("a bit of the first message of the handshake is flipped", flip_handshake, BREAKS),
    ("every datagram comes twice", repeat_all, HARMLESS),
    ("2% of all datagrams are dropped", drop_some, HARMLESS),
    ("5% of all datagrams are overtaken by the next", swap_some, HARMLESS),
    ("forged data come before the real ones", insert_next, (5,)),
    ("an earlier packet's payload stands in a later one's place", insert_record, (5,)),
    ("a forged FIN ends the stream", cut, (5,)),
    ("a forged RESET ends the connection", reset, (5,)),
    ("what was dropped is acknowledged", acknowledge_all, STALLS),
]


def replays(world, having, program):
    """The bytes that an honest sender sent, again and again from elsewhere."""
    recorded = {}

    def record(towards, datagram, parsed, relay):
        if towards and parsed.kind == utp.DATA:
            relay.done += 1
            recorded[parsed.seq] = parsed.payload
        return [datagram]

    first = one(world, having, program, "it is recorded", record, HARMLESS)
    start = min(
        recorded, key=lambda seq: sum(((other - seq) & 0xFFFF) >= 0x8000 for other in recorded)
    )
    stream = b"".join(recorded.get((start + n) & 0xFFFF, b"") for n in range(40))
    faults = [] if first.kept() else [first.note]
    before = len(os.listdir(having.directory(True)))
    told = program.err().count("\n") + program.out().count("\n")
    gained = 0
    for length in [48, 49, 68, 100, 1000, len(stream)] * 5:
        sock = world.udp("attacker")
        try:
            connection = utp.Connection(sock, (net.SERVICE, having.port(RECEIVE, True))).connect()
            try:
                connection.send(stream[:length], 5)
                fate = connection.fate(1.0 if length <= 49 else 12)
            except utp.Broken:
                fate = "reset"
            gained = max(gained, len(connection.inbox))
            if length >= 68 and fate != "reset":
                faults.append(f"{length} recorded bytes ended in {fate}")
            connection.abort()
        finally:
            sock.close()
    if gained > 48:
        faults.append(f"a replay got {gained} bytes")
    if len(os.listdir(having.directory(True))) != before:
        faults.append("a replay made a file")
    said = program.err().count("\n") + program.out().count("\n") - told
    if said > 3:
        faults.append(f"30 replays made {said} lines")
    faults += trouble(program)
    return wrong(
        "receive --key-file",
        "30 replays of a recorded transfer, cut at six places",
        faults,
        f"at most {gained} bytes of answer each",
    )
