"""Many uTP connections of one attacker at once, none of which costs him more than two packets."""

import random
import select
import threading
import time

from attacker import net, utp


class Crowd:
    """Connections from so many source addresses; they say their first words and then little."""

    def __init__(
        self,
        world,
        port,
        count,
        sources=1,
        words=b"",
        again=b"",
        every=1.5,
        third=1,
        network=None,
        window=1 << 20,
    ):
        """words go first, and again after that each so many seconds; nothing goes when it is
        empty. With a network, sources are addresses of that one /64 of IPv6.
        """
        self.port, self.words, self.again, self.every = port, words, again, every
        self.window = window
        self.host = net.SERVICE if network is None else net.SERVICE6
        if network is not None:
            addresses = [f"{net.CROWD6}:{network}::{n + 1:x}" for n in range(sources)]
        elif sources > 1:
            addresses = [f"{net.CROWD}.{third}.{n + 1}" for n in range(sources)]
        else:
            addresses = [net.ATTACKER]
        self.socks = [world.udp("attacker", address) for address in addresses]
        self.peers = {}
        self.count = count
        self.now = self.most = self.opened = 0  # open at this time, at once at most, ever
        self.sent_away = set()  # who was told that it is over, by a RESET or a FIN
        self.running = True
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self, seconds=20.0):
        """Opens them, and returns when they were all open once, or in that time."""
        self.thread.start()
        target = (self.host, self.port)
        for index in range(self.count):
            sock = self.socks[index % len(self.socks)]
            conn = (2 * (index // len(self.socks)) + 2) & 0xFFFF
            seq = random.randrange(65536)
            with self.lock:
                self.peers[sock, conn] = [seq, None, ()]  # seq_nr, ack_nr, proof
            sock.sendto(utp.packet(utp.SYN, conn, seq, 0, extensions=utp.GREETING), target)
            if index % 50 == 49:
                time.sleep(0.01)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.opened < self.count:
            time.sleep(0.1)
        return self

    def __str__(self):
        return f"{self.opened:,} were opened, {self.most:,} at once"

    def _run(self):
        target = (self.host, self.port)
        spoken = time.monotonic()
        while self.running:
            ready, _, _ = select.select(self.socks, [], [], 0.05)
            for sock in ready:
                for _ in range(200):
                    try:
                        sock.setblocking(False)
                        got = utp.Packet(sock.recv(2048))
                    except OSError:
                        break
                    if got.kind is not None:
                        self._take(sock, got, target)
            if self.again and time.monotonic() - spoken > self.every:
                spoken = time.monotonic()
                with self.lock:
                    peers = list(self.peers.items())
                for (sock, conn), peer in peers:
                    if peer[1] is not None:
                        self._say(sock, conn, peer, self.again, target)

    def _take(self, sock, got, target):
        with self.lock:
            peer = self.peers.get((sock, got.conn))
            if peer is None:
                return
            if got.kind == utp.RESET:
                del self.peers[sock, got.conn]
                self.now -= peer[1] is not None
                self.sent_away.add((sock, got.conn))
                return
        if peer[1] is None:
            if got.kind == utp.STATE:
                peer[1] = (got.seq - 1) & 0xFFFF
                peer[2] = utp.proof_of(got)
                self.opened += 1
                self.now += 1
                self.most = max(self.most, self.now)
                if self.words:
                    self._say(sock, got.conn, peer, self.words, target)
                else:
                    sock.sendto(
                        utp.packet(
                            utp.STATE, got.conn + 1, peer[0] + 1, peer[1], extensions=peer[2]
                        ),
                        target,
                    )
        elif got.kind in (utp.DATA, utp.FIN):
            if got.kind == utp.FIN:
                self.sent_away.add((sock, got.conn))
            if got.seq == (peer[1] + 1) & 0xFFFF:
                peer[1] = got.seq
            sock.sendto(
                utp.packet(
                    utp.STATE,
                    got.conn + 1,
                    peer[0] + 1,
                    peer[1],
                    window=self.window,
                    extensions=peer[2],
                ),
                target,
            )

    def staying(self):
        """Connections that were opened and not ended since."""
        with self.lock:
            opened = [each for each, peer in self.peers.items() if peer[1] is not None]
        return len(set(opened) - self.sent_away)

    def _say(self, sock, conn, peer, words, target):
        try:
            sock.sendto(
                utp.packet(
                    utp.DATA,
                    conn + 1,
                    peer[0] + 1,
                    peer[1],
                    words,
                    window=self.window,
                    extensions=peer[2],
                ),
                target,
            )
        except OSError:
            return
        peer[0] = (peer[0] + 1) & 0xFFFF

    def close(self):
        self.running = False
        self.thread.join(5)
        for sock in self.socks:
            sock.close()
