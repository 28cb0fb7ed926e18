"""What a peer says that reaches a terminal, JSON, CSV or HTML of ours: as a server for clients,
and as a client.
"""

import base64
import concurrent.futures
import csv
import hashlib
import html.parser
import json
import os
import struct
import threading

from attacker import net, netctl
from attacker.cases.slots import trouble
from attacker.services import NET
from attacker.table import wrong

EVIL = (
    "=cmd|' /C calc'!A0\x1b]0;owned\x07\x1b[31m\r\n+1\u202e\x85"
    '"><script>alert(1)</script>,@SUM(1)'
)
FORMULAS = ("=cmd|' /C calc'!A0", "+1+cmd", "-1+cmd", "@SUM(1)", "\t=1", "\r=1")
HUGE = (1 << 63) - 1


def rows(world, having):
    yield refusals(world)
    yield formulas(world)
    yield false_counts(world)
    yield client_of_net(world, having)


class FalseServer:
    """A server for `ebb net` that answers a HELLO as it likes, for as many connections as come."""

    def __init__(self, world, act):
        self.listener = world.tcp_listener("attacker")
        self.port = self.listener.getsockname()[1]
        self.act = act
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            sock.settimeout(20)
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock):
        try:
            self.act(netctl.Frames(sock))
        except (OSError, struct.error, netctl.Refused):
            pass
        finally:
            sock.close()

    def close(self):
        self.listener.close()


def refusing(reason, version=netctl.VERSION):
    def act(frames):
        frames.hear()
        frames.say(netctl.REFUSED, struct.pack(">HB", version, 6) + reason.encode()[:1200])

    return act


def counting(frames):
    """A test in which everything is counted as nobody can count."""
    _, fields = frames.hear()
    if fields[10] != netctl.SESSION:
        while frames.sock.recv(1 << 16):
            pass
        return
    frames.say(netctl.WELCOME, bytes(range(16)))
    port = frames.sock.getsockname()[1]
    counts = struct.pack(">QQQQQQQQqqq", *(HUGE,) * 8, -HUGE, 0, HUGE)
    while True:
        kind, fields = frames.hear()
        if kind == netctl.PING:
            frames.say(netctl.PONG, fields + struct.pack(">q", HUGE))
        elif kind == netctl.BEGIN:
            frames.say(netctl.READY, struct.pack(">H", port))
        elif kind in (netctl.GO, netctl.MARK):
            frames.say(netctl.COUNTS, struct.pack(">Bqqq", 0, -HUGE, HUGE, HUGE) + counts * 4)
        elif kind == netctl.STOP:
            frames.say(netctl.COUNTS, struct.pack(">Bqqq", 1, HUGE, HUGE, HUGE) + counts * 4)
        elif kind == netctl.END:
            return


class Page(html.parser.HTMLParser):
    """Finds scripts and attributes that run something. A page's own scripts are those whose hash its policy names,
    before anything else; what is JSON does not run."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.policy = ""
        self.script = None

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        if tag == "meta" and (known.get("http-equiv") or "").lower() == "content-security-policy":
            directives = (known.get("content") or "").split(";")
            self.policy = self.policy or next((d for d in directives if d.split()[:1] == ["script-src"]), "")
        if any(name.startswith("on") for name, _ in attrs) or (tag == "script" and "src" in known):
            self.found.append(tag)
        elif tag == "script" and known.get("type") != "application/json":
            self.script = ""

    def handle_data(self, data):
        if self.script is not None:
            self.script += data

    def handle_endtag(self, tag):
        if tag == "script" and self.script is not None:
            digest = base64.b64encode(hashlib.sha256(self.script.encode()).digest()).decode()
            if f"'sha256-{digest}'" not in self.policy or "unsafe" in self.policy:
                self.found.append(tag)
            self.script = None


def faults_of(program, directory, label, codes):
    """What is wrong with a program's exit code, output and the files that it wrote."""
    code = program.exit(40)
    faults = trouble(program, ends=True)
    if code not in codes:
        faults.append(f"exit code {code}: {program.err().strip()[-160:]!r}")
    for suffix in ("csv", "html", "json"):
        path = os.path.join(directory, f"{label}.{suffix}")
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8", newline="") as file:
            content = file.read()
        faults += globals()["check_" + suffix](content)
    return faults


def check_csv(content):
    found = []
    for row in csv.reader(content.splitlines()):
        for cell in row:
            if cell[:1] in "=+-@\t\r" and cell and not number(cell):
                found.append(f"a CSV cell begins a formula: {cell[:60]!r}")
            if any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in cell):
                found.append(f"a CSV cell has control characters: {cell[:60]!r}")
    return found[:3]


def number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def check_html(content):
    page = Page()
    page.feed(content)
    found = [f"a page has <{tag}> of the peer's" for tag in page.found[:2]]
    if any(ord(char) < 32 and char not in "\n\t" or 0x7F <= ord(char) < 0xA0 for char in content):
        found.append("a page has control characters")
    return found


def check_json(content):
    try:
        json.loads(content)
    except ValueError as broken:
        return [f"JSON: {broken}"]
    return (
        ["JSON has raw control characters"]
        if any(ord(char) < 32 and char not in "\n\t" for char in content)
        else []
    )


def refusals(world):
    """A server that refuses with escapes, by a version of its own, or with a body that is none."""
    nonsense = b"\x00\x05\xffHTTP/1.1 200 OK\r\n\x1b[31m" * 50
    acts = [
        refusing(EVIL),
        refusing("\x1b[2J" * 300),
        refusing(EVIL, 999),
        lambda frames: frames.sock.sendall(nonsense),
    ]

    def one(act):
        server = FalseServer(world, act)
        program = world.ebb("net", "client", net.ATTACKER, "-p", str(server.port), place="honest")
        found = faults_of(program, world.directory, "none", (3, 4))
        server.close()
        return found

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        faults = [fault for found in pool.map(one, acts) for fault in found]
    return wrong(
        "net client",
        "a server refuses with escapes, newlines and long reasons, or speaks nonsense",
        faults,
    )


def formulas(world):
    """Reasons that begin formulas, and what `matrix` makes of them in CSV and HTML."""
    faults = []
    running = []
    for index, reason in enumerate((EVIL, *FORMULAS[1:4])):
        server = FalseServer(world, refusing(reason))
        label = os.path.join(world.directory, f"report-{index}")
        inventory = label + ".toml"
        with open(inventory, "w", encoding="ascii") as file:
            file.write(
                f'[[host]]\nname = "a"\ninternal = "{net.ATTACKER}"\nport = {server.port}\n'
            )
        words = (
            "net",
            "matrix",
            inventory,
            "-t",
            "1",
            "--protocols",
            "tcp",
            "--csv",
            label + ".csv",
            "--plot",
            label + ".html",
        )
        running.append((server, label, world.ebb(*words, place="honest")))
    for server, label, program in running:
        faults += faults_of(program, "", label, (2, 3, 4, 5))
        server.close()
    return wrong("net matrix", "a server's reasons begin formulas and tags; CSV and HTML", faults)


def false_counts(world):
    """A server whose counts are as large as numbers get; the client's JSON, CSV and page."""
    server = FalseServer(world, counting)
    label = os.path.join(world.directory, "counts")
    program = world.ebb(
        "net",
        "client",
        net.ATTACKER,
        "-p",
        str(server.port),
        "-t",
        "1",
        "-J",
        "--csv",
        label + ".csv",
        "--plot",
        label + ".html",
        place="honest",
    )
    faults = faults_of(program, "", label, (0, 4, 5))
    if program.out().strip():
        faults += check_json(program.out())
    server.close()
    return wrong(
        "net client",
        "a server counts 2^63 - 1 of everything; JSON, CSV and HTML",
        faults,
        f"exit code {program.process.returncode}",
    )


def client_of_net(world, having):
    """A client whose messages are none, out of turn, too long, or ask for what cannot be."""
    program = having.ready(NET)
    port = having.port(NET)
    evil = EVIL.encode()
    good = netctl.hello()
    name = bytes((len(evil[:200]),)) + evil[:200]
    spec = netctl.spec("tcp")
    scripts = [
        b"",
        evil * 20,
        b"\x00\x00",
        b"\xff\xff" + bytes(70000),
        netctl.hello(version=999),
        netctl.hello(purpose=77),
        netctl.hello(purpose=netctl.DATA_DOWN, token=os.urandom(16)),
        good + netctl.frame(netctl.BEGIN, name + bytes(60)),
        good + netctl.frame(netctl.BEGIN, spec[:10]),
        good + netctl.frame(netctl.BEGIN, spec) * 2,
        good + netctl.frame(netctl.GO),
        good + netctl.frame(netctl.COUNTS, bytes(9 + 4 * 88)),
        good + netctl.frame(netctl.BEGIN, netctl.spec("tcp", streams=60000)),
        good + netctl.frame(netctl.BEGIN, netctl.spec("tcp", message=0)),
        good
        + netctl.frame(
            netctl.BEGIN, netctl.spec("tcp", rate=(1 << 64) - 1, amount=(1 << 64) - 1)
        ),
        good + netctl.frame(netctl.BEGIN, netctl.spec("tcp", seconds=1e12)),
        good + netctl.frame(netctl.BEGIN, netctl.spec("nosuch")),
        good + netctl.frame(netctl.BEGIN, netctl.spec("udp", parameters=[("x" * 31, 5)] * 8)),
        good + netctl.frame(netctl.REFUSED, b"\x00\x04\x06" + evil),
        good + netctl.frame(250, evil),
        good + netctl.frame(netctl.BEGIN, netctl.spec("tcp", mode=9)),
    ]
    repeated = False
    for words in scripts:
        sock = world.tcp("attacker", port, timeout=0.4)
        try:
            sock.sendall(words)
            while True:
                more = sock.recv(1 << 16)
                if not more:
                    break
                repeated |= b"\x1b]0;" in more or b"<script" in more
        except OSError:
            pass
        sock.close()
    ten_days = longest(world, port)
    faults = trouble(program)
    if repeated:
        faults.append("answers repeat escapes")
    if ten_days:
        faults.append(ten_days)
    probe = world.ebb(
        "net", "client", net.SERVICE, "-p", str(port), "-t", "1", "-b", "1M", place="honest"
    )
    if probe.exit(30) != 0:
        faults.append(f"an honest client afterwards: {probe.err().strip()[-160:]}")
    return wrong(
        NET, f"a client says {len(scripts)} things that cannot be, and asks for ten days", faults
    )


def longest(world, port):
    """A test of ten days, where two hours are what is allowed."""
    try:
        session = netctl.Session(world.tcp("attacker", port))
        session.begin(netctl.spec("tcp", seconds=864_000))
        session.close()
        return "a test of ten days is accepted"
    except netctl.Refused:
        return None
