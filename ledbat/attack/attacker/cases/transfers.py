"""Senders and receivers of files that keep no rule of the file protocol."""

import concurrent.futures
import os
import stat
import struct
import time

from attacker import files, net, utp
from attacker.cases.slots import trouble
from attacker.services import RECEIVE
from attacker.table import wrong

ESCAPES = "\x1b]0;owned\x07\x1b[2J\n\r=cmd|' /C calc'!A0\u202e\x85"
CONTENT = b"twelve bytes"
BEYOND = (1 << 63) - 1


def rows(world, having):
    program = having.ready(RECEIVE)
    for name, words, lands in SENDERS:
        yield one_sender(world, having, program, name, words, lands)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        yield from pool.map(lambda each: one_receiver(world, *each), RECEIVERS)


# ---- senders


def whole(number, path, content=CONTENT, size=None, digest_of=None, **more):
    """A file as it is sent when everything is well; other sizes and contents make it ill.

    The second part has to wait until the receiver asks for it.
    """
    size = len(content) if size is None else size
    data = files.begin(number) + files.frame(files.DATA, content)
    ending = files.end(number, content if digest_of is None else digest_of)
    return files.offer(number, path, size, **more), data + ending


BAD_NAMES = [
    "../out",
    "a/../../out",
    "/tmp/out",
    "..",
    ".",
    "",
    "a//b",
    "a/",
    "\\..\\out",
    "a\\b",
    "nul\0",
    "x" * 256,
    "/".join(["d"] * 129),
    "y" * 4000,
    ".ebb-part/x",
    ".EBB-PART/x",
    ".ebb-part",
    "a/./b",
    "link-out/x",
    ".ebb-part./x",
    ".ebb-part /x",
]

# Name, the bytes after the hello, in two parts where the second waits to be asked for, and the files that may be there afterwards.
SENDERS = [
    (
        "names that lead elsewhere",
        b"".join(files.offer(n, name, 5) for n, name in enumerate(BAD_NAMES)),
        (),
    ),
    ("a name that is not UTF-8", files.offer(0, b"\xff\xfe", 5), ()),
    ("a path of 5,000 bytes", files.offer(0, "z" * 5000, 5), ()),
    (
        "a name of escapes and newlines, complete",
        whole(0, ESCAPES.replace("/", "_")),
        (ESCAPES.replace("/", "_"),),
    ),
    (
        "a reason of escapes and newlines",
        (
            files.offer(0, "given-up", 12),
            files.begin(0) + files.failed(0, 8, ESCAPES * 20, files.GIVE_UP),
        ),
        (),
    ),
    (
        "sizes of 2^63 - 1, 2^64 - 1 and -2^63",
        files.offer(0, "huge1", BEYOND)
        + files.offer(1, "huge2", -1)
        + files.offer(2, "huge3", 1 << 63),
        (),
    ),
    ("data beyond the size", whole(0, "beyond", size=5), ()),
    ("an END before all data", whole(0, "short", size=50), ()),
    ("a wrong SHA-256", whole(0, "wrong-hash", digest_of=b"other"), ()),
    (
        "an offset that nobody asked for",
        files.offer(0, "offset", 1 << 20)
        + files.begin(0, 4096)
        + files.frame(files.DATA, CONTENT),
        (),
    ),
    (
        "a negative offset",
        files.offer(0, "minus", 100) + files.begin(0, -1) + files.frame(files.DATA, CONTENT),
        (),
    ),
    (
        "a proof that nobody asked for",
        files.offer(0, "proof", 12) + files.proof(0, 12, bytes(32)),
        (),
    ),
    ("data of no file", files.frame(files.DATA, CONTENT), ()),
    ("an END of no file", files.end(7, CONTENT), ()),
    ("numbers out of order", files.offer(5, "five", 1) + files.offer(3, "three", 1), ()),
    (
        "one file begun within another",
        files.offer(0, "outer", 24)
        + files.offer(1, "inner", 12)
        + files.begin(0)
        + files.frame(files.DATA, CONTENT)
        + files.begin(1)
        + files.frame(files.DATA, CONTENT),
        (),
    ),
    (
        "5,000 offers at once",
        b"".join(files.offer(n, f"many/{n}", 1 << 40) for n in range(5000)),
        (),
    ),
    ("a frame of 4 GiB", files.frame(files.DATA, b"x", length=0xFFFFFFFF), ()),
    ("an offer of 8 MiB", files.frame(files.OFFER, b"x", length=8 << 20), ()),
    (
        "frames of a receiver, and unknown ones",
        files.numbered(files.DONE, 0) + files.frame(99, b"?"),
        (),
    ),
    ("a frame of no bytes that needs some", files.frame(files.OFFER), ()),
    ("half a frame, then the end", files.offer(0, "half", 12)[:9], ()),
    ("a BYE that counts other offers", files.numbered(files.BYE, 1_000_000), ()),
    (
        "flags that do not exist",
        b"".join(whole(0, "flags", flags=0xFF)),
        (),
    ),
    (
        "times beyond any calendar",
        whole(0, "time", modified=-(1 << 63)),
        ("time",),
    ),
    ("modes that do not exist", files.offer(0, "mode", 12, mode=0o7777), ()),
    ("a mode that lets everybody write", whole(0, "wide", mode=0o777), ("wide",)),
    ("another version, and a long extension", None, ()),
]


def one_sender(world, having, program, name, words, lands):
    """Says its words, ends, and looks at what they did."""
    inside = having.directory()
    link = os.path.join(inside, "link-out")
    if not os.path.lexists(link):
        os.symlink(world.directory, link)
    outside = set(os.listdir(world.directory))
    before = tree(inside)
    sock = world.udp("attacker")
    fate = None
    try:
        stream = utp.Connection(sock, (net.SERVICE, having.port(RECEIVE))).connect()
        greeting = files.HELLO
        if words is None:
            greeting, words = files.HELLO[:8] + struct.pack(">HH", 99, 4096) + bytes(4096), b""
        first, rest = words if isinstance(words, tuple) else (words, b"")
        stream.send(greeting + first, 20)
        reader = files.Reader(stream)
        if greeting == files.HELLO:
            reader.hello()
        if rest:
            reader.await_kind(files.SEND)
            stream.send(rest)
        until = time.monotonic() + 10
        while (
            not set(lands) <= {made for made, _ in tree(inside) - before}
            and time.monotonic() < until
        ):
            stream.step(0.05)
        fate = stream.fate(0.5)
        if fate is None:
            stream.finish()
            fate = stream.fate(3)
    except utp.Broken:
        fate = "reset"
    except TimeoutError as silent:
        fate = str(silent)
    finally:
        sock.close()
    faults = trouble(program)
    new = {made for made, _ in tree(inside) - before}
    unexpected = {made for made in new if made.split("/")[0] not in (".ebb-part", "many")} - set(
        lands
    )
    faults += [f"made {made!r}" for made in sorted(unexpected)]
    faults += [f"{made!r} is not there" for made in lands if made not in new]
    faults += [
        f"made {made!r} outside"
        for made in set(os.listdir(world.directory)) - outside
        if not made.endswith((".out", ".err"))
    ]
    return wrong(RECEIVE, f"a sender: {name}", faults, f"{fate or 'still open'}")


def tree(directory):
    """Files with their sizes, links not followed."""
    found = set()
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            try:
                status = os.lstat(path)
            except FileNotFoundError:
                continue
            if stat.S_ISREG(status.st_mode):
                found.add((os.path.relpath(path, directory), status.st_size))
    return found


# ---- receivers


def silent(stream, reader):
    """Says hello, and nothing more, with a window of nothing."""
    stream.window = 0
    stream._answer()
    stream.fate(6)


def script(*answers):
    """A receiver that says hello, hears an offer, and says these."""

    def act(stream, reader):
        stream.send(files.HELLO)
        reader.hello()
        reader.await_kind(files.OFFER)
        for answer in answers:
            stream.send(answer)
        stream.fate(15)

    return act


def then(first, *answers):
    """As script, but what comes later waits until all data and their END have come."""

    def act(stream, reader):
        stream.send(files.HELLO)
        reader.hello()
        reader.await_kind(files.OFFER)
        stream.send(first)
        reader.await_kind(files.END)
        for answer in answers:
            stream.send(answer)
        stream.fate(15)

    return act


def stranger(words):
    def act(stream, reader):
        stream.send(words)
        stream.fate(15)

    return act


SEND = files.numbered(files.SEND, 0, bytes(8))
# Name, what it does, and the exit codes that are right. None: it waits, as long as it is told to.
RECEIVERS = [
    (
        "asks for an offset beyond the file",
        script(files.numbered(files.SEND, 0, struct.pack(">Q", BEYOND))),
        (4, 5),
    ),
    (
        "asks for a proof beyond the file",
        script(files.numbered(files.PROVE, 0, struct.pack(">Q", BEYOND))),
        (4, 5),
    ),
    (
        "is done before it asked for anything",
        script(files.numbered(files.DONE, 0), files.numbered(files.BYE, 1)),
        (4, 5),
    ),
    (
        "is done before the END",
        script(SEND, files.numbered(files.DONE, 0), files.numbered(files.BYE, 1)),
        (0, 4, 5),
    ),
    ("says BYE at once", script(files.numbered(files.BYE, 1)), (4, 5)),
    ("says BYE without DONE", then(SEND, files.numbered(files.BYE, 1)), (4, 5)),
    ("answers for offers that do not exist", script(files.numbered(files.HAVE, 77)), (4, 5)),
    (
        "sends it away with escapes and newlines",
        script(files.frame(files.LEAVE, b"\x0a" + files.text(ESCAPES * 40))),
        (4, 5),
    ),
    (
        "refuses with escapes and newlines",
        script(files.failed(0, 255, ESCAPES * 40), files.numbered(files.BYE, 1)),
        (4, 5),
    ),
    ("sends a frame of 4 GiB", script(files.frame(files.FAILED, b"", length=0xFFFFFFFF)), (4, 5)),
    ("sends a sender's frames", script(files.offer(0, "back", 5)), (4, 5)),
    (
        "ends in the middle of a frame",
        script(files.numbered(files.SEND, 0)[:7], b""),
        (4, 5, None),
    ),
    ("is of another version", stranger(files.HELLO[:8] + struct.pack(">HH", 99, 0)), (4,)),
    ("is no receiver", stranger(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(5000)), (4,)),
    ("has no window for ever", silent, (4, 5, None)),
]


def one_receiver(world, name, act, codes):
    """A malicious receiver, and an honest `send` to it."""
    path = os.path.join(world.directory, "to-malice")
    if not os.path.exists(path):
        with open(path, "wb") as file:
            file.write(os.urandom(300_000))
    sock = world.udp("attacker")
    sending = world.ebb(
        "ledbat", "send", path, f"{net.ATTACKER}:{sock.getsockname()[1]}", place="honest"
    )
    try:
        stream = utp.accept(sock)
        stream.step(1)
        act(stream, files.Reader(stream))
        until = time.monotonic() + (1 if None in codes else 20)
        while sending.alive() and time.monotonic() < until:
            stream.step(0.1)  # What it says in the end is acknowledged.
    except (utp.Broken, TimeoutError):
        pass
    code = sending.exit(1 if None in codes else 20)
    sending.kill()
    sock.close()
    faults = trouble(sending, ends=True)
    if code not in codes:
        faults.append(f"exit code {code}: {sending.err().strip()[-200:]!r}")
    return wrong(
        "send", f"a receiver {name}", faults, f"exit code {code}" if code is not None else "waits"
    )
