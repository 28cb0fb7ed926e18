"""A stream with a pre-shared key, by a Noise library that Ebb does not have."""

import struct

from noise.connection import NoiseConnection

DATA, END = 0, 1


class Keyed:
    """What Connection has, encrypted; over something that has send and read."""

    def __init__(self, stream, key, purpose, initiator=True):
        self.stream = stream
        self.noise = NoiseConnection.from_name(b"Noise_NNpsk0_25519_AESGCM_SHA256")
        self.noise.set_as_initiator() if initiator else self.noise.set_as_responder()
        self.noise.set_psks(psk=key)
        self.noise.set_prologue(b"ebb secure stream 1: " + purpose.encode())
        self.noise.start_handshake()
        self.inbox = bytearray()
        self.first = None
        if initiator:
            self.first = self.noise.write_message()
            stream.send(self.first)
            self.noise.read_message(stream.read(48))
            self.send(b"")
        else:
            self.noise.read_message(stream.read(48))
            stream.send(self.noise.write_message())
            self._record()

    def record(self, content, kind=DATA):
        sealed = self.noise.encrypt(bytes(content) + bytes((kind,)))
        return struct.pack(">H", len(sealed)) + bytes(sealed)

    def send(self, content, seconds=20.0):
        pieces = [content[at : at + 16384] for at in range(0, len(content), 16384)] or [b""]
        self.stream.send(b"".join(self.record(piece) for piece in pieces), seconds)

    def finish(self):
        self.stream.send(self.record(b"", END))
        self.stream.finish()

    def _record(self, seconds=20.0):
        (length,) = struct.unpack(">H", self.stream.read(2, seconds))
        plain = bytes(self.noise.decrypt(self.stream.read(length, seconds)))
        if plain[-1] == DATA:
            self.inbox += plain[:-1]

    def read(self, count, seconds=20.0):
        while len(self.inbox) < count:
            self._record(seconds)
        taken = bytes(self.inbox[:count])
        del self.inbox[:count]
        return taken
