"""The file protocol, version 2, as either side may speak it; nothing here minds the rules."""

import hashlib
import struct

HELLO = bytes.fromhex("EB456262460D0A1A") + struct.pack(">HH", 2, 0)
OFFER, PROOF, BEGIN, DATA, END, GIVE_UP, PING, BYE, COMPLETE = range(1, 10)
SEND, PROVE, HAVE, DONE, FAILED, LEAVE = range(16, 22)


def frame(kind, body=b"", length=None):
    return struct.pack(">BI", kind, len(body) if length is None else length) + body


def text(words):
    raw = words if isinstance(words, bytes) else words.encode()
    return struct.pack(">H", len(raw)) + raw


def offer(number, path, size, flags=0, modified=0, mode=0o644):
    size &= (1 << 64) - 1
    return frame(OFFER, struct.pack(">IBHQq", number, flags, mode, size, modified) + text(path))


def proof(number, length, digest):
    return frame(PROOF, struct.pack(">IQ", number, length) + digest)


def begin(number, offset=0):
    return frame(BEGIN, struct.pack(">IQ", number, offset & (1 << 64) - 1))


def end(number, content):
    return frame(END, struct.pack(">I", number) + hashlib.sha256(content).digest())


def failed(number, code, reason, kind=FAILED):
    return frame(kind, struct.pack(">IB", number, code) + text(reason))


def numbered(kind, number, more=b""):
    return frame(kind, struct.pack(">I", number) + more)


class Reader:
    """Frames of a stream, which has read(count)."""

    def __init__(self, stream):
        self.stream = stream

    def hello(self):
        head = self.stream.read(12)
        self.stream.read(struct.unpack(">H", head[10:])[0])
        if head[:10] != HELLO[:10]:
            raise OSError(f"the peer speaks another version of the file protocol: {head.hex()}")

    def frame(self):
        kind, length = struct.unpack(">BI", self.stream.read(5))
        return kind, self.stream.read(length) if length else b""

    def await_kind(self, *kinds):
        """The next frame of one of these kinds."""
        while True:
            kind, body = self.frame()
            if kind in kinds:
                return kind, body
