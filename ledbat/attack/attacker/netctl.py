"""The control protocol of `ebb net`, version 8, as either side."""

import hashlib
import hmac
import os
import socket
import struct
import threading
import time

MAGIC = b"EBB-NET\n"
VERSION = 8
(
    HELLO,
    WELCOME,
    REFUSED,
    PING,
    PONG,
    END,
    CHALLENGE,
    PROOF,
    BEGIN,
    READY,
    GO,
    MARK,
    SENT_ALL,
    STOP,
    COUNTS,
) = (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
SESSION, DATA_UP, DATA_DOWN, RESERVATION = range(4)
BUSY = 0
COUNTS_HEAD_BYTES = 25  # Whether they are the last, two times, and what has come.
KEY_PURPOSE = b"ebb net 2\n"


def frame(kind, fields=b""):
    return struct.pack(">HB", 1 + len(fields), kind) + fields


def hello(purpose=SESSION, token=bytes(16), version=VERSION):
    return frame(HELLO, MAGIC + struct.pack(">HB", version, purpose) + token)


def preamble(token, down):
    """The first bytes of a LEDBAT flow."""
    return MAGIC + token + bytes((1 if down else 0,))


def _text(words):
    return bytes((len(words),)) + words.encode()


def spec(
    protocol,
    down=True,
    up=False,
    streams=1,
    message=1400,
    rate=0,
    amount=0,
    seconds=10,
    mode=0,
    parameters=(),
):
    head = _text(protocol) + struct.pack(
        ">BBBHHQQQIB",
        mode,
        up | down << 1,
        1,
        streams,
        message,
        rate,
        amount,
        int(seconds * 1e6),
        0,
        len(parameters),
    )
    return head + b"".join(_text(name) + struct.pack(">Q", value) for name, value in parameters)


class Refused(Exception):
    """The server said that it will not; code is its reason's number."""

    def __init__(self, fields):
        self.code = fields[2]
        super().__init__(fields[3:].decode("utf-8", "replace"))


class Frames:
    """Messages of one TCP connection."""

    def __init__(self, sock):
        self.sock = sock
        self.sending = threading.Lock()

    def say(self, kind, fields=b""):
        with self.sending:
            self.sock.sendall(frame(kind, fields))

    def _exactly(self, count):
        got = b""
        while len(got) < count:
            more = self.sock.recv(count - len(got))
            if not more:
                raise ConnectionResetError("closed")
            got += more
        return got

    def hear(self):
        (length,) = struct.unpack(">H", self._exactly(2))
        body = self._exactly(length)
        if body[0] == REFUSED:
            raise Refused(body[1:])
        return body[0], body[1:]

    def await_kind(self, kind):
        while True:
            got, fields = self.hear()
            if got == kind:
                return fields


class Session(Frames):
    """A client's session; `sent` is what the server said that it has sent."""

    def __init__(self, sock, key=None, purpose=SESSION):
        super().__init__(sock)
        sock.sendall(hello(purpose))
        kind, fields = self.hear()
        if kind == CHALLENGE:
            proof = hmac.new(key or os.urandom(32), KEY_PURPOSE + fields, hashlib.sha256).digest()
            self.say(PROOF, proof)
            kind, fields = self.hear()
        if kind != WELCOME:
            raise ConnectionError(f"no welcome but {kind}")
        self.token = fields
        self.sent = 0
        self.refusal = None
        self.open = True

    def begin(self, wanted):
        """The port for its flows."""
        self.say(BEGIN, wanted)
        return struct.unpack(">H", self.await_kind(READY))[0]

    def go(self):
        self.say(GO)

    def watch(self):
        """Pings, and reads counts, until it is closed."""
        threading.Thread(target=self._ping, daemon=True).start()
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def _ping(self):
        try:
            while self.open:
                self.say(PING, struct.pack(">Q", 1))
                time.sleep(1)
        except OSError:
            self.open = False

    def _read(self):
        try:
            while self.open:
                kind, fields = self.hear()
                if kind == COUNTS:
                    size = (len(fields) - COUNTS_HEAD_BYTES) // 4
                    self.sent = struct.unpack_from(">Q", fields, COUNTS_HEAD_BYTES + size)[0]
        except Refused as why:
            self.refusal, self.open = why, False
        except (OSError, struct.error):
            self.open = False

    def close(self):
        self.open = False
        try:
            self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.sock.close()


# ---- plain UDP

UDP_MESSAGE, UDP_ACK, UDP_JOIN, UDP_CHALLENGE, UDP_PROVE, UDP_ACCEPTED = 1, 2, 3, 4, 5, 6


def udp_handshake(kind, token, secret=0, stream=0, down=True):
    return (
        struct.pack(">Q", kind << 56)
        + b"EBB-UDP\n"
        + token
        + bytes((stream, 1 if down else 0))
        + bytes(6)
        + struct.pack(">Q", secret)
        + bytes(8)
    )


def udp_message(kind, number, key, size=24):
    return struct.pack(">QQQ", kind << 56 | number, key, 0) + bytes(max(0, size - 24))
