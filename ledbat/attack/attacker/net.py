"""Network namespaces of the attacker's own, what is counted in them, and Ebb's programs in one of
them.

A hub forwards between six of them without asking where a source address belongs:

    service 10.97.1.2   Ebb, whatever it serves
    victim  10.97.2.2   answers nothing to anybody
    attacker 10.97.3.2  and all of 10.96.0.0/16, so that it can come from many sources
    honest  10.97.4.2   who wants to be served
    ricochet 10.97.5.2  a victim whose kernel answers strangers' datagrams with ICMP
    bystander 10.97.6.2 a second victim as mute as the first, for what takes long

Each has fd97:N::2 as well, and the attacker all of fd96::/16.
"""

import ctypes
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

ROOT = os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
)
SERVICE, VICTIM, ATTACKER, HONEST, RICOCHET, BYSTANDER = (f"10.97.{n}.2" for n in range(1, 7))
CROWD = "10.96"  # the attacker's other sources: CROWD.x.y
CROWD6 = "fd96"  # the same by IPv6: CROWD6:x::y, where each x is a /64
SERVICE6 = "fd97:1::2"
PLACES = {"service": 1, "victim": 2, "attacker": 3, "honest": 4, "ricochet": 5, "bystander": 6}
LINK = "ebb0"
_libc = ctypes.CDLL(None, use_errno=True)
_entering = threading.Lock()
_numbers = itertools.count()


class Trouble(Exception):
    """Something that this machine lacks, or a program that did not do its part."""


def missing():
    """What this machine lacks; None when it is nothing."""
    if os.geteuid() != 0:
        return "it needs root"
    if shutil.which("ip") is None:
        return "ip is not installed"
    try:
        import noise.connection  # noqa: F401
    except ImportError:
        return "noiseprotocol is not installed (ledbat/attack/install)"
    return None


def _family(address):
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def _run(*words):
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Trouble(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def hardware(place, end):
    """The Ethernet address of one end of a place's link."""
    return f"02:97:00:00:{place:02x}:{end:02x}"


class World:
    """The namespaces, and every process that runs in them; all end with it."""

    def __init__(self):
        self.prefix = f"ebb-attack-{os.getpid()}"
        self.programs = []
        self.directory = None

    def name(self, place):
        return f"{self.prefix}-{place}"

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="ebb-attack-")
        try:
            self._make()
        except Trouble:
            self.__exit__()
            raise
        return self

    def _make(self):
        hub = self.name("hub")
        _run("ip", "netns", "add", hub)
        self._set(hub, "net/ipv4/ip_forward", 1)
        self._set(hub, "net/ipv6/conf/all/forwarding", 1)
        for scope in ("all", "default"):
            self._set(hub, f"net/ipv4/conf/{scope}/rp_filter", 0)
        for place, number in PLACES.items():
            space, port = self.name(place), f"to{number}"
            _run("ip", "netns", "add", space)
            for scope in ("all", "default"):
                self._set(space, f"net/ipv4/conf/{scope}/rp_filter", 0)
            _run(
                "ip",
                "-n",
                space,
                "link",
                "add",
                LINK,
                "type",
                "veth",
                "peer",
                "name",
                port,
                "netns",
                hub,
            )
            ends = ((space, LINK, hardware(number, 2)), (hub, port, hardware(number, 1)))
            for where, link, own in ends:
                _run("ip", "-n", where, "link", "set", link, "address", own)
            for where, link in ((space, LINK), (hub, port)):
                # Datagrams are counted, changed and dropped one by one, as they are on a cable.
                _run(
                    "ip",
                    "-n",
                    where,
                    "link",
                    "set",
                    link,
                    "gso_max_segs",
                    "1",
                    "gso_max_size",
                    "1514",
                )
            _run("ip", "-n", space, "addr", "add", f"10.97.{number}.2/24", "dev", LINK)
            _run("ip", "-n", hub, "addr", "add", f"10.97.{number}.1/24", "dev", port)
            for where, link, own in ((space, LINK, 2), (hub, port, 1)):
                address = f"fd97:{number}::{own}/64"
                _run("ip", "-n", where, "addr", "add", address, "dev", link, "nodad")
            for where, link in ((space, "lo"), (space, LINK), (hub, port)):
                _run("ip", "-n", where, "link", "set", link, "up")
            for (where, link, _), (_, _, other), end in zip(ends, reversed(ends), (1, 2)):
                # Nobody asks who is there, so that what arrives is what somebody sent.
                for address in (f"10.97.{number}.{end}", f"fd97:{number}::{end}"):
                    known = (address, "lladdr", other, "dev", link, "nud", "permanent")
                    _run("ip", "-n", where, "neigh", "replace", *known)
            if place not in ("victim", "bystander"):
                # These two have no way back to anybody, so they never answer.
                _run("ip", "-n", space, "route", "add", "default", "via", f"10.97.{number}.1")
                _run("ip", "-n", space, "route", "add", "default", "via", f"fd97:{number}::1")
        attackers = f"fd97:{PLACES['attacker']}::2"
        _run("ip", "-n", hub, "route", "add", f"{CROWD6}::/16", "via", attackers)
        everything = ("local", f"{CROWD6}::/16", "dev", "lo")
        _run("ip", "-n", self.name("attacker"), "route", "add", *everything)
        self._set(self.name("attacker"), "net/ipv6/ip_nonlocal_bind", 1)
        _run("ip", "-n", hub, "route", "add", f"{CROWD}.0.0/16", "via", ATTACKER)
        _run(
            "ip",
            "-n",
            self.name("attacker"),
            "route",
            "add",
            "local",
            f"{CROWD}.0.0/16",
            "dev",
            "lo",
        )
        self._set(self.name("ricochet"), "net/ipv4/icmp_ratelimit", 0)
        self._set(self.name("attacker"), "net/ipv4/ip_local_port_range", "10000 65000")

    def lead_past_attacker(self):
        """From now on, what honest and service say to each other passes the attacker, who gets it
        at sockets that are bound to the address of whom it is for (`udp` with transparent), or not
        at all.
        """
        hub, attacker = self.name("hub"), self.name("attacker")
        _run("ip", "-n", hub, "route", "add", "default", "via", ATTACKER, "table", "100")
        for number, (source, target) in enumerate(((HONEST, SERVICE), (SERVICE, HONEST))):
            between = ("from", source, "to", target)
            port = f"to{PLACES['honest' if source == HONEST else 'service']}"
            _run("ip", "-n", hub, "rule", "add", "iif", port, *between, "lookup", "100")
            table = str(101 + number)
            local = ("local", target, "dev", "lo", "table", table)
            _run("ip", "-n", attacker, "route", "add", *local)
            _run("ip", "-n", attacker, "rule", "add", "iif", LINK, *between, "lookup", table)

    def _set(self, space, key, value):
        _run("ip", "netns", "exec", space, "sh", "-c", f"echo {value} >/proc/sys/{key}")

    def __exit__(self, *_):
        for program in self.programs:
            program.kill()
        for place in (*PLACES, "hub"):
            subprocess.run(
                ["ip", "netns", "del", self.name(place)], capture_output=True, check=False
            )
        shutil.rmtree(self.directory, ignore_errors=True)

    # ---- within a namespace

    def inside(self, place, action):
        """What action returns, done by a thread that is in that namespace."""
        with _entering:
            home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
            space = os.open(f"/var/run/netns/{self.name(place)}", os.O_RDONLY)
            try:
                if _libc.setns(space, 0) != 0:
                    raise Trouble("setns: " + os.strerror(ctypes.get_errno()))
                return action()
            finally:
                _libc.setns(home, 0)
                os.close(space)
                os.close(home)

    def udp(self, place, address="0.0.0.0", port=0, transparent=False):
        """A UDP socket there; a transparent one may have an address that is another's."""

        def make():
            made = socket.socket(_family(address), socket.SOCK_DGRAM)
            if transparent:
                made.setsockopt(socket.SOL_IP, 19, 1)  # IP_TRANSPARENT
            made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
            made.bind((address, port))
            return made

        return self.inside(place, make)

    def tcp(self, place, port, address="0.0.0.0", timeout=10.0, host=SERVICE):
        """A TCP connection from there to the service."""

        def make():
            made = socket.socket(_family(address), socket.SOCK_STREAM)
            made.bind((address, 0))
            return made

        made = self.inside(place, make)
        made.settimeout(timeout)
        made.connect((host, port))
        return made

    def tcp_listener(self, place):
        def make():
            made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            made.bind(("0.0.0.0", 0))
            made.listen(64)
            return made

        return self.inside(place, make)

    def raw(self, place, protocol=socket.IPPROTO_RAW):
        return self.inside(
            place, lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, protocol)
        )

    def arrived(self, place):
        """IP bytes that somebody has sent to its interface so far. Neither Ethernet's 14 bytes nor
        what IPv6 says to whole links by itself (multicast listeners, neighbours) are among them.
        """

        def first(path, name):
            with open(path, encoding="ascii") as file:
                for line in file:
                    words = line.replace(":", " ").split()
                    if words[0] == name:
                        return words[1:]
            raise Trouble(f"no {name} in {path}")

        def multicast():
            return int(first(f"/proc/thread-self/net/dev_snmp6/{LINK}", "Ip6InMcastOctets")[0])

        def read():
            before = multicast()
            received, packets = first("/proc/thread-self/net/dev", LINK)[:2]
            to_all = multicast()
            return int(received) - 14 * int(packets) - to_all if before == to_all else None

        # An announcement between the reads would be in one of them only.
        count = None
        while count is None:
            count = self.inside(place, read)
        return count

    # ---- Ebb

    def ebb(self, *words, place="service", stdin=None, heap="256m"):
        program = Program(self, place, words, stdin, heap)
        self.programs.append(program)
        return program


def command(heap):
    """Ebb: of the class path in EBB_CLASSPATH, the jar in EBB_JAR, or the one that was built."""
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else "java"
    options = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", f"-Xmx{heap}"]
    if os.environ.get("EBB_CLASSPATH"):
        return [java, *options, "-cp", os.environ["EBB_CLASSPATH"], "ebb.launcher.Main"]
    jar = os.environ.get("EBB_JAR") or os.path.join(ROOT, "launcher", "target", "ebb.jar")
    return [java, *options, "-jar", os.path.abspath(jar)]


class Program:
    """One `ebb`, with what it writes in files."""

    def __init__(self, world, place, words, stdin, heap):
        self.words = words
        number = next(_numbers)
        self.out_file = os.path.join(world.directory, f"{number}.out")
        self.err_file = os.path.join(world.directory, f"{number}.err")
        self.began = time.monotonic()
        with open(stdin or "/dev/null", "rb") as given, open(self.out_file, "wb") as out, open(
            self.err_file, "wb"
        ) as err:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", world.name(place), *command(heap), *words],
                stdin=given,
                stdout=out,
                stderr=err,
                start_new_session=True,
                env={**os.environ, "LC_ALL": "C.UTF-8"},
            )

    def err(self):
        return _text(self.err_file)

    def out(self):
        return _text(self.out_file)

    def awaits(self, pattern, seconds=60):
        """Waits until standard error or output has that."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if re.search(pattern, self.err() + self.out()):
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise Trouble(f"ebb {' '.join(self.words)} did not say {pattern!r}: {self.err()[-300:]}")

    def exit(self, seconds=60):
        """Its exit code; None when it does not end in that time."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def alive(self):
        return self.process.poll() is None

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            words = file.read().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self):
        if self.alive():
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def _text(file):
    with open(file, "rb") as read:
        return read.read().decode("utf-8", "surrogateescape")


def await_udp(world, place, port, seconds=60):
    """Waits until somebody there has that UDP port."""

    def bound():
        for table in ("udp", "udp6"):
            with open(f"/proc/thread-self/net/{table}", encoding="ascii") as file:
                if any(line.split()[1].endswith(f":{port:04X}") for line in file):
                    return True
        return False

    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if world.inside(place, bound):
            return
        time.sleep(0.05)
    raise Trouble(f"nobody has UDP port {port}")
