"""Downloads by TCP that their receiver keeps in the background, beside an ordinary one; measured at the link. All
senders, on the left, are the kernel's and of one kind. The receiver is `ebb net client --background`, or `ebb proxy` with
a curl behind it for each download."""

import atexit
import os
import shutil
import signal
import sys
import tempfile

from rig import duel, programs
from rig.link import LEFT, Link, Trouble, complaint

SERVER_PORT = 6817
RIVAL_PORT = 5201
WEB_PORT = 8000
PROXY_PORT = 1080
# More than a link of 100 Mbit/s carries in a run.
WEB_BYTES = 4 << 30
LONGEST = "300"


def background(name):
    return name.startswith((f"tcp:{SERVER_PORT}>", f"tcp:{WEB_PORT}>"))


def rival(name):
    return name.startswith(f"tcp:{RIVAL_PORT}>")


def lacking_proxy():
    return None if shutil.which("curl") else "curl is not installed"


def run(tcp="cubic", first="background", streams=1, proxy=False, hosts=1, timestamps=True, pause=0, **options):
    """The background download and, with first of "background" or "rival", an ordinary one of 20 s which meets it after
    10 s and leaves; first None: no other. proxy: through ebb proxy, from so many hosts. timestamps: of TCP (RFC 7323). pause: the sender stops for
    so many seconds before the other comes. options: those of Link."""
    rival_alone = duel.tcp_alone(options, tcp) if first else None
    with Link(**options) as link:
        if not timestamps:
            _without_timestamps(link)
        sender = _prepare(link, tcp, proxy)
        if first == "rival":
            _start_rival(link, duel.ALONE_SECONDS + duel.TOGETHER_SECONDS)
            begin = link.await_flow(rival, 20)
            link.await_time(begin + duel.ALONE_SECONDS)
        if proxy:
            _start_curls(link, streams, hosts)
        else:
            _start_background(link, streams)
        if first != "rival":
            begin = link.await_flow(background, 30)
            link.await_time(begin + duel.ALONE_SECONDS)
        if pause:
            begin = _pause(link, sender, pause)
        if first == "background":
            _start_rival(link, duel.TOGETHER_SECONDS)
            link.await_flow(rival, 20)
        if first is None:
            link.await_time(begin + 2 * duel.ALONE_SECONDS)
            return _alone(link.journal(), streams, begin, begin + 2 * duel.ALONE_SECONDS)
        end = begin + duel.ALONE_SECONDS + duel.TOGETHER_SECONDS + duel.AFTER_SECONDS
        link.await_time(end)
        return _beside(link.journal(), streams, begin, end, first, rival_alone)


def _prepare(link, tcp, proxy):
    # Of the route: a namespace may not choose its default freely.
    route = ["ip", "route", "replace", "10.99.0.0/24", "dev", "wan0", "src", LEFT, "congctl", tcp]
    setting = link.run("left", route, "route")
    if setting.wait(10) != 0:
        raise Trouble(f"this kernel has no {tcp}: " + complaint(setting))
    if proxy:
        sender = _start_web(link)
    else:
        sender = link.run("left", programs.ebb() + ["net", "server", "--port", str(SERVER_PORT)], "server")
        link.listening("left", "tcp", SERVER_PORT)
    link.run("left", ["iperf3", "-s", "-p", str(RIVAL_PORT)], "iperf3-server")
    link.listening("left", "tcp", RIVAL_PORT)
    return sender


def _pause(link, sender, seconds):
    """Has the sender's program stop for so long, and then go on for 10 s; returns since when."""
    os.killpg(sender.pid, signal.SIGSTOP)
    try:
        begin = link.journal().end + seconds
        link.await_time(begin)
    finally:
        os.killpg(sender.pid, signal.SIGCONT)
    link.await_time(begin + duel.ALONE_SECONDS)
    return begin


def _without_timestamps(link):
    for side in ("left", "right"):
        setting = link.run(side, ["sysctl", "-q", "-w", "net.ipv4.tcp_timestamps=0"], f"sysctl-{side}")
        if setting.wait(10) != 0:
            raise Trouble("time stamps cannot be turned off: " + complaint(setting))


def _start_web(link):
    """A large file of nothing by HTTP on the left, and the proxy on the right."""
    place = tempfile.mkdtemp(prefix="ebb-web-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    with open(os.path.join(place, "file"), "wb") as file:
        file.truncate(WEB_BYTES)
    server = [sys.executable, "-m", "http.server", str(WEB_PORT), "--directory", place]
    web = link.run("left", server, "web")
    link.run("right", programs.ebb() + ["proxy", "--port", str(PROXY_PORT)], "proxy")
    link.listening("left", "tcp", WEB_PORT)
    link.listening("right", "tcp", PROXY_PORT)
    return web


def _start_curls(link, streams, hosts):
    words = ["curl", "-sS", "-o", "/dev/null", "--proxy", f"socks5h://127.0.0.1:{PROXY_PORT}"]
    for i in range(1, hosts):
        added = link.run("left", ["ip", "address", "add", f"{_host(i)}/32", "dev", "wan0"], f"address-{i}")
        if added.wait(10) != 0:
            raise Trouble("no more addresses: " + complaint(added))
    for i in range(streams):
        link.run("right", words + [f"http://{_host(i % hosts)}:{WEB_PORT}/file"], f"curl-{i}")


def _host(i):
    """The address of one of the senders, all of which are on the left."""
    return LEFT if i == 0 else f"10.99.0.{100 + i}"


def _start_rival(link, seconds):
    link.run("right", ["iperf3", "-c", LEFT, "-p", str(RIVAL_PORT), "-R", "-t", str(seconds)], "iperf3")


def _start_background(link, streams):
    words = ["net", "client", LEFT, "--port", str(SERVER_PORT), "-R", "--background", "-t", LONGEST, "-P", str(streams)]
    link.run("right", programs.ebb() + words, "background")


def _alone(log, streams, start, end):
    settled = start + duel.SETTLING_SECONDS
    figures = {
        "alone_use": log.use(background, settled, end),
        "alone_queue_median_ms": log.queue(50, settled, end),
        "alone_queue_95_ms": log.queue(95, settled, end),
    }
    flows = sorted(log.flows(background, settled, end), key=lambda flow: log.carried(flow, settled, end))
    if streams > 1:
        # What is left is the control connection.
        figures["jain"] = log.jain(flows[-streams:], settled, end)
    return figures


def _beside(log, streams, begin, end, first, rival_alone):
    leave = log.last(rival)
    if first == "rival":
        join = log.first(background, begin + duel.ALONE_SECONDS, portion=0) or begin + duel.ALONE_SECONDS
        figures = {}
        age, since = "second", begin + duel.ALONE_SECONDS
    else:
        join = log.first(rival)
        figures = _alone(log, streams, begin, join)
        age, since = "first", join
    settled = join + duel.SETTLING_SECONDS
    return figures | {
        "share": log.share(background, settled, leave),
        "share_of_all_20_s": log.share(background, join, leave),
        "tcp_loss": 1 - log.carried(rival, since, since + duel.TOGETHER_SECONDS) / rival_alone[age],
        "together_use": log.use(lambda name: True, settled, leave),
        "recovery_seconds": log.recovery(background, leave, end),
    }
