"""uTP as BEP 29 has it: packets, and a small client that carries a stream of bytes.

It is as plain as a peer can be: it answers each packet, sends with a fixed window and goes back
to the
first packet that is missing.
"""

import os
import random
import select
import struct
import time

DATA, FIN, STATE, RESET, SYN = range(5)
HEADER = struct.Struct(">BBHIIIHH")
PAYLOAD = 1200
WINDOW_PACKETS = 64
RETRY_SECONDS = 0.4
PROOF = 0xEC
# What an Ebb says in its SYN: who it is, and room for 64 bits that it is going to repeat.
EBB = (2, b"EBB\x02\0\0\0\0")
GREETING = (EBB, (PROOF, bytes(8)))


def micros():
    return int(time.monotonic() * 1e6) & 0xFFFFFFFF


def packet(kind, conn, seq, ack, payload=b"", window=1 << 20, extensions=(), difference=20_000):
    """One datagram; extensions are (number, bytes)."""
    first = extensions[0][0] if extensions else 0
    out = bytearray(
        HEADER.pack(
            kind << 4 | 1,
            first,
            conn & 0xFFFF,
            micros(),
            difference,
            window & 0xFFFFFFFF,
            seq & 0xFFFF,
            ack & 0xFFFF,
        )
    )
    for index, (_, value) in enumerate(extensions):
        after = extensions[index + 1][0] if index + 1 < len(extensions) else 0
        out += bytes((after, len(value))) + value
    return bytes(out + payload)


class Packet:
    """What a datagram says; kind is None when it is no uTP packet."""

    def __init__(self, datagram):
        self.kind = None
        self.extensions = []
        if len(datagram) < 20 or datagram[0] & 15 != 1 or datagram[0] >> 4 > 4:
            return
        (
            head,
            extension,
            self.conn,
            self.time,
            self.difference,
            self.window,
            self.seq,
            self.ack,
        ) = HEADER.unpack_from(datagram)
        at = 20
        while extension:
            after, length = datagram[at], datagram[at + 1]
            self.extensions.append((extension, datagram[at + 2 : at + 2 + length]))
            extension, at = after, at + 2 + length
        self.payload = datagram[at:]
        self.kind = head >> 4


def proof_of(got):
    """The extension to repeat, as an acceptor gave it."""
    return tuple(each for each in got.extensions if each[0] == PROOF)


class Broken(Exception):
    """The peer ended the connection otherwise than with a FIN."""


class Connection:
    """A stream over a UDP socket that it has for itself."""

    def __init__(self, sock, remote, greeting=GREETING):
        """greeting: extensions of the SYN; none of a peer that knows BEP 29 alone."""
        self.sock, self.remote = sock, remote
        self.receive_id = random.randrange(65536)
        self.send_id = (self.receive_id + 1) & 0xFFFF
        self.seq = random.randrange(65536)  # of the next packet to send
        self.ack = 0  # the last that was received in order
        self.waiting = {}  # received out of order
        self.flight = {}  # seq_nr: (kind, payload), in order of sending
        self.inbox = bytearray()
        self.ended = False
        self.window = 1 << 20
        self.greeting = greeting
        self.acks_packets = True  # False: what comes is not acknowledged
        # The extension that shows that this side reads what is sent to its address.
        self.syn = None  # of an acceptor: the SYN's seq_nr, and the one that answers it
        self.proof = ()
        self.moved = time.monotonic()

    def connect(self, seconds=10.0):
        syn_seq = self.seq
        self.seq = (self.seq + 1) & 0xFFFF
        deadline, again = time.monotonic() + seconds, 0.0
        while time.monotonic() < deadline:
            if time.monotonic() >= again:
                self._out(packet(SYN, self.receive_id, syn_seq, 0, extensions=self.greeting))
                again = time.monotonic() + RETRY_SECONDS
            got = self._in(again - time.monotonic())
            if got is None:
                continue
            if got.kind == RESET:
                raise Broken("refused")
            if got.kind == STATE and got.ack == syn_seq:
                self.proof = proof_of(got)
                self.ack = (got.seq - 1) & 0xFFFF
                self._answer()
                return self
        raise TimeoutError("no answer to a SYN")

    def _out(self, datagram):
        self.sock.sendto(datagram, self.remote)

    def _in(self, seconds):
        ready, _, _ = select.select([self.sock], [], [], max(0.0, seconds))
        if not ready:
            return None
        try:
            got = Packet(self.sock.recv(65535))
        except ConnectionRefusedError:
            return None
        return got if got.kind is not None else None

    def _answer(self):
        self._out(
            packet(
                STATE, self.send_id, self.seq, self.ack, window=self.window, extensions=self.proof
            )
        )

    def step(self, seconds):
        """Takes what comes in that time, until something has; True when something has."""
        got = self._in(seconds)
        if got is None:
            self._repeat()
            return False
        while got is not None:
            self._take(got)
            got = self._in(0)
        return True

    def _take(self, got):
        if got.kind == SYN and self.syn is not None and got.seq == self.syn[0]:
            answer = packet(STATE, self.send_id, self.syn[1], got.seq, extensions=self.proof)
            self._out(answer)
        if got.conn not in (self.receive_id, self.send_id) or got.kind == SYN:
            return
        if got.kind == RESET:
            raise Broken("reset")
        if not proof_of(got):
            self.proof = ()
        for seq in list(self.flight):
            if ((got.ack - seq) & 0xFFFF) < 0x8000:
                del self.flight[seq]
                self.moved = time.monotonic()
        if got.kind in (DATA, FIN):
            if ((got.seq - self.ack - 1) & 0xFFFF) < 0x4000:
                self.waiting[got.seq] = (got.kind, got.payload)
            while (self.ack + 1) & 0xFFFF in self.waiting:
                self.ack = (self.ack + 1) & 0xFFFF
                kind, payload = self.waiting.pop(self.ack)
                self.inbox += payload
                self.ended |= kind == FIN
            if self.acks_packets:
                self._answer()

    def _repeat(self):
        if self.flight and time.monotonic() - self.moved > RETRY_SECONDS:
            self.moved = time.monotonic()
            for seq, (kind, payload) in list(self.flight.items())[:8]:
                self._out(
                    packet(kind, self.send_id, seq, self.ack, payload, self.window, self.proof)
                )

    def send(self, data, seconds=20.0):
        """Sends all of it; returns when it is acknowledged."""
        deadline = time.monotonic() + seconds
        pieces = [data[at : at + PAYLOAD] for at in range(0, len(data), PAYLOAD)]
        pieces.reverse()
        while pieces or self.flight:
            while pieces and len(self.flight) < WINDOW_PACKETS:
                self._put(DATA, pieces.pop())
            if time.monotonic() > deadline:
                raise TimeoutError("the peer does not acknowledge")
            self.step(0.05)

    def _put(self, kind, payload):
        if not self.flight:
            self.moved = time.monotonic()
        self.flight[self.seq] = (kind, payload)
        self._out(
            packet(kind, self.send_id, self.seq, self.ack, payload, self.window, self.proof)
        )
        self.seq = (self.seq + 1) & 0xFFFF

    def read(self, count, seconds=20.0):
        """Exactly that many bytes."""
        deadline = time.monotonic() + seconds
        while len(self.inbox) < count:
            if self.ended:
                raise Broken("ended")
            if time.monotonic() > deadline:
                raise TimeoutError("the peer says nothing")
            self.step(0.05)
        taken = bytes(self.inbox[:count])
        del self.inbox[:count]
        return taken

    def finish(self):
        """A FIN, not waited for."""
        self._put(FIN, b"")

    def abort(self):
        self._out(packet(RESET, self.send_id, self.seq, self.ack))

    def fate(self, seconds):
        """Waits for the end: "finished", "reset", or None when there is none in that time."""
        deadline = time.monotonic() + seconds
        try:
            while time.monotonic() < deadline:
                self.step(0.05)
                if self.ended:
                    return "finished"
        except Broken:
            return "reset"
        return None


def accept(sock, seconds=30.0):
    """The first connection that comes to this socket, which is then its own."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        ready, _, _ = select.select([sock], [], [], 0.1)
        if not ready:
            continue
        datagram, remote = sock.recvfrom(65535)
        syn = Packet(datagram)
        if syn.kind == SYN:
            made = Connection(sock, remote)
            made.send_id, made.receive_id = syn.conn, (syn.conn + 1) & 0xFFFF
            made.ack = syn.seq
            made.syn = (syn.seq, made.seq)
            made.proof = (EBB, (PROOF, os.urandom(8))) if proof_of(syn) else ()
            made._answer()
            return made
    raise TimeoutError("nobody connects")


def garbage(count):
    """Datagrams of random bytes, and half of them with a head like uTP's."""
    made = []
    for index in range(count):
        body = os.urandom(random.randrange(0, 60))
        made.append(
            bytes((random.randrange(5) << 4 | 1, random.randrange(4))) + body
            if index % 2
            else body
        )
    return made
