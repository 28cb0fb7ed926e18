"""Ebb's services as they are attacked: started when a case wants one, and kept for the next."""

import base64
import os

from attacker import files, messages, net, netctl

KEY = bytes(range(7, 39))
RECEIVE, CAT, PEER, NET = "receive", "cat -l", "peer", "net server"
PORTS = {RECEIVE: 9000, CAT: 9010, PEER: 9020, NET: 9030}
PURPOSES = {RECEIVE: "files", CAT: "cat", PEER: "messages"}


class Services:
    """One program for each kind of service, with a key and without."""

    def __init__(self, world):
        self.world = world
        self.running = {}
        self.key_file = os.path.join(world.directory, "key")
        with open(os.open(self.key_file, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(base64.b64encode(KEY) + b"\n")
        self.incoming = {}

    def port(self, kind, keyed=False):
        return PORTS[kind] + (5 if keyed else 0)

    def name(self, kind, keyed):
        return kind + (" --key-file" if keyed else "")

    def start(self, kind, keyed=False):
        """The program, started anew when it has ended."""
        program = self.running.get((kind, keyed))
        if program is not None and program.alive():
            return program
        program = self.world.ebb(
            *self._words(kind, keyed), stdin="/dev/zero" if kind == CAT else None
        )
        self.running[kind, keyed] = program
        return program

    def ready(self, kind, keyed=False):
        program = self.start(kind, keyed)
        net.await_udp(self.world, "service", self.port(kind, keyed))
        return program

    def fresh(self, kind, keyed=False):
        """A new one, whatever became of the last."""
        self.stop(kind, keyed)
        return self.ready(kind, keyed)

    def stop(self, kind, keyed=False):
        program = self.running.pop((kind, keyed), None)
        if program is not None:
            program.kill()

    def directory(self, keyed=False):
        """Where `receive` puts files."""
        return self.incoming[keyed]

    def _words(self, kind, keyed):
        port = str(self.port(kind, keyed))
        key = ("--key-file", self.key_file) if keyed else ()
        if kind == RECEIVE:
            made = os.path.join(self.world.directory, "in-keyed" if keyed else "in")
            os.makedirs(made, exist_ok=True)
            self.incoming[keyed] = made
            return ("ledbat", "receive", "--port", port, "--dir", made, *key)
        if kind == CAT:
            return ("ledbat", "cat", "-l", port, *key)
        if kind == PEER:
            return ("peer", net.SERVICE, port, *key)
        return ("net", "server", "-p", port, *key)


def first_words(kind, keyed, victim, token=None):
    """What an attacker lets the service hear as soon as a guess has hit: what makes it say most."""
    if keyed and kind != NET:
        return os.urandom(48)
    if kind == RECEIVE:
        # Each offer is refused, with a reason.
        return files.HELLO + b"".join(files.offer(n, "..", 1) for n in range(8))
    if kind == PEER:
        body = messages.payload((victim, 40000), (net.SERVICE, PORTS[PEER]))
        return messages.hello(victim, 40000) + messages.message(body) * 4
    if kind == NET:
        return netctl.preamble(token or os.urandom(16), True)
    return b""
