"""The programs that are compared: how a sender on the left and its receiver on the right are started."""

import atexit
import os
import shutil
import subprocess
import tempfile

from rig.link import HERE, LEFT, RIGHT, Link, Trouble

ROOT = os.path.dirname(os.path.dirname(HERE))
LIBUTP = "libutp"
LIBTORRENT = "libtorrent"
# What peers/install calls them.
PROGRAMS = {LIBUTP: "utp-native", LIBTORRENT: "libtorrent"}
BITTORRENT = os.path.join(ROOT, "docs", "examples", "bittorrent-peer", "target", "classes")
# More than a link of 50 Mbit/s carries in a run.
LIBTORRENT_MIB = 320


def peers():
    """Where ledbat/interop/peers/install put the programs of others."""
    return os.environ.get("EBB_PEERS", os.path.join(ROOT, "ledbat", "interop", "target", "peers"))


def java():
    return os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"


def ebb():
    """The command of Ebb: of the class path in EBB_CLASSPATH, of the jar in EBB_JAR, or ./ebb."""
    options = [java(), "-XX:+UseParallelGC", "-XX:-UsePerfData", *os.environ.get("EBB_JAVA_OPTS", "").split()]
    if os.environ.get("EBB_CLASSPATH"):
        return [*options, "-cp", os.environ["EBB_CLASSPATH"], "ebb.launcher.Main"]
    if os.environ.get("EBB_JAR"):
        return [*options, "-jar", os.path.abspath(os.environ["EBB_JAR"])]
    return [os.path.join(ROOT, "ebb")]


def prepare(controllers):
    """Builds what the controllers need."""
    given = os.environ.get("EBB_JAR") or os.environ.get("EBB_CLASSPATH")
    if not given and any(name != LIBUTP for name in controllers):
        made = subprocess.run(
            [os.path.join(ROOT, "ebb"), "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if made.returncode != 0:
            raise Trouble("ebb: " + (made.stderr or made.stdout).strip()[-500:])


def lacking(controller):
    """Why this controller cannot be run here; None if it can."""
    sender = controller.partition("@")[0]
    program = PROGRAMS.get(sender)
    if program and not os.access(os.path.join(peers(), "bin", program), os.X_OK):
        return f"{program} is not installed (ledbat/interop/peers/install)"
    if sender == LIBTORRENT and not os.path.isdir(BITTORRENT):
        return "docs/examples/bittorrent-peer is not built"
    return None


def start(link, controller, port=9000):
    """A stream from left to right to that port, which lasts until the link goes down. SENDER@RECEIVER is a sender,
    Ebb's by its controller or another's by its name, to an Ebb that lets what comes in give way by RECEIVER; with
    nothing behind the @ it is an Ebb that does not."""
    name = controller.replace(":", "-").replace("@", "-to-")
    sender, at, receiver = controller.partition("@")
    if sender == LIBTORRENT:
        return _start_libtorrent(link, receiver, port)
    if sender == LIBUTP:
        program = os.path.join(peers(), "bin", PROGRAMS[LIBUTP])
        receive = [program, "listen", RIGHT, str(port), "--receive", "-1", "--timeout", "3600"]
        send = [program, "connect", RIGHT, str(port), "--send", str(10**13), "--timeout", "3600"]
    else:
        send = ebb() + ["ledbat", "cat", f"{RIGHT}:{port}", "--controller", sender]
    if at or sender != LIBUTP:
        receive = ebb() + ["ledbat", "cat", "-l", str(port)]
        if receiver:
            receive += ["--receive-controller", receiver]
    link.run("right", receive, f"receive-{name}-{port}")
    link.listening("right", "udp", port)
    return link.run("left", send, f"send-{name}-{port}", stdin="/dev/zero")


def _start_libtorrent(link, receiver, port):
    """libtorrent seeds on the left, Ebb's example of a BitTorrent peer downloads on the right."""
    place = tempfile.mkdtemp(prefix="ebb-libtorrent-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    seeds, content, torrent = (os.path.join(place, name) for name in ("seeds", "seeds/content", "torrent"))
    os.mkdir(seeds)
    with open(content, "wb") as file:
        for _ in range(LIBTORRENT_MIB):
            file.write(os.urandom(1 << 20))
    program = os.path.join(peers(), "bin", PROGRAMS[LIBTORRENT])
    subprocess.run([program, "make-torrent", content, torrent], check=True, capture_output=True)
    seed = [program, "seed", torrent, seeds, "--host", LEFT, "--port", str(port), "--timeout", "3600"]
    link.run("left", seed, f"send-libtorrent-{port}")
    link.listening("left", "udp", port)
    jar = os.path.abspath(os.environ.get("EBB_JAR") or os.path.join(ROOT, "launcher", "target", "ebb.jar"))
    download = [java(), f"-Debb.ledbat.receive-controller={receiver or 'none'}", "-cp", f"{BITTORRENT}:{jar}"]
    download += ["ebb.example.bittorrent.Main", "download", torrent, os.path.join(place, "copy")]
    download += ["--listen", f"{RIGHT}:0", "--peer", f"{LEFT}:{port}"]
    return link.run("right", download, f"receive-libtorrent-{port}")


def start_tcp_server(link, port=5201):
    link.run("right", ["iperf3", "-s", "-p", str(port)], "iperf3-server")
    link.listening("right", "tcp", port)


def start_tcp(link, algorithm, seconds, port=5201):
    """A TCP flow of the kernel from left to right."""
    return link.run(
        "left", ["iperf3", "-c", RIGHT, "-p", str(port), "-t", str(seconds), "-C", algorithm], "iperf3"
    )


def missing():
    """What this machine lacks for any measurement, found out by making a link; None if nothing."""
    if os.geteuid() != 0:
        return "it needs root"
    for tool in ("ip", "ss", "iperf3"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    if shutil.which("go") is None and not os.path.exists(os.path.join(HERE, "..", "target", "testbed", "wan")):
        return "go is not installed"
    try:
        with Link():
            return None
    except Trouble as trouble:
        return f"no link can be made: {trouble}"
