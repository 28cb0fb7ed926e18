"""On the path of `cat` and `peer` with a key: the tamperers of path.py, once more.

What arrives is the beginning of what was sent and nothing else, at both ends; who says 0 has all of
it. `peer` sends messages, each of which is acknowledged once; it says 0 when all were.
"""

import concurrent.futures
import os
import re

from attacker import net
from attacker.cases.path import HARMLESS, TAMPERERS
from attacker.cases.slots import trouble
from attacker.relay import Relay
from attacker.services import PEER
from attacker.table import wrong

SIZE = 2 << 20
CAT_PORT, CAT_CLIENT, PEER_PORT, PEER_CLIENT = 9100, 9200, 9025, 9300
BROKEN = (3, 4, 5, None)  # None: who is on the path may hold it up for as long as he likes
SECONDS, HELD_UP_SECONDS = 60, 15


def rows(world, having):
    cat_ports = range(CAT_PORT, CAT_PORT + len(TAMPERERS))
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        yield from pool.map(
            lambda each: cat(world, having, each[0], *each[1]), zip(cat_ports, TAMPERERS)
        )
    world.lead_past_attacker()
    having.ready(PEER, True)
    clients = range(PEER_CLIENT, PEER_CLIENT + len(TAMPERERS))
    # One after the other: they have the service's port in common.
    for each in zip(clients, TAMPERERS):
        yield peer(world, having, each[0], *each[1])


def allowed(codes):
    """Who mends it by himself ends well; else it was broken, and says so or waits."""
    return codes if codes == HARMLESS else BROKEN


def patience(codes):
    return SECONDS if codes == HARMLESS else HELD_UP_SECONDS


def said(code):
    return "none, it waits" if code is None else code


def cat(world, having, port, name, tamper, codes):
    files = [os.path.join(world.directory, f"{side}-{port}") for side in ("listens", "calls")]
    # Text, so that what an end says of itself can be told from it.
    contents = [os.urandom(SIZE // 2).hex().encode() for _ in files]
    for path, content in zip(files, contents):
        with open(path, "wb") as file:
            file.write(content)
    key = ("--key-file", having.key_file)
    listening = world.ebb("ledbat", "cat", "-l", str(port), *key, stdin=files[0])
    net.await_udp(world, "service", port)
    relay = Relay(world, port, tamper)
    calling = world.ebb("ledbat", "cat", relay.address, *key, stdin=files[1], place="honest")
    ends = [calling.exit(patience(codes))]
    if ends[0] is None and not relay.done:
        ends = [calling.exit(SECONDS)]
    ends.append(listening.exit(5))
    relay.close()
    for program in (calling, listening):
        program.kill()
    faults = trouble(calling, ends=True) + trouble(listening, ends=True)
    faults += [] if relay.done else ["nothing was tampered with"]
    for who, program, code, expected in (
        ("the caller", calling, ends[0], contents[0]),
        ("the listener", listening, ends[1], contents[1]),
    ):
        with open(program.out_file, "rb") as file:
            arrived = file.read()
        if not expected.startswith(arrived):
            faults.append(f"{who} was told {len(arrived):,} bytes that were not sent so")
        if code == 0 and len(arrived) < len(expected):
            faults.append(f"{who} says 0 and has {len(arrived):,} bytes of {len(expected):,}")
        if code not in allowed(codes) + (0,) * (name.startswith("what was dropped")):
            faults.append(f"{who}: exit code {code}: {program.err().strip()[-100:]}")
    return wrong("cat --key-file", f"on the path: {name}", faults, f"exit codes {said(ends[0])} and {said(ends[1])}")


def peer(world, having, port, name, tamper, codes):
    program = having.ready(PEER, True)
    relay = Relay(world, having.port(PEER, True), tamper, client_port=port)
    service = (net.SERVICE, str(having.port(PEER, True)))
    words = ("peer", net.HONEST, str(port), *service, "2", "--key-file", having.key_file)
    calling = world.ebb(*words, place="honest")
    code = calling.exit(patience(codes))
    if code is None and not relay.done:
        code = calling.exit(SECONDS)  # A busy machine: nobody has been held up yet.
    relay.close()
    calling.kill()
    faults = trouble(calling, ends=True) + trouble(program)
    faults += [] if relay.done else ["nothing was tampered with"]
    figures = r"(\d+) packages sent, (\d+) acknowledged, (\d+) lost, (\d+) doubled"
    told = re.search(figures, calling.out())
    if told:
        sent, acknowledged, lost, doubled = map(int, told.groups())
        if doubled or acknowledged > sent or (code == 0 and lost):
            faults.append(told.group())
    elif code == 0:
        faults.append("0 and no figures")
    if code not in allowed(codes):
        faults.append(f"exit code {code}: {calling.err().strip()[-100:]}")
    return wrong("peer --key-file", f"on the path: {name}", faults, f"exit code {said(code)}")
