"""A relay on the path: what a client sends to it goes to the service, and back, as a tamperer
likes.
"""

import select
import threading

from attacker import net, utp


class Relay:
    """Forwards datagrams between one client and the service; ends with close.

    tamper(towards_service, datagram, relay) returns the datagrams that go on instead of this one.
    """

    def __init__(self, world, port, tamper, client_port=None):
        """With a client's port, it is on the path between that port and the service's, where
        `World.lead_past_attacker` has led it; else it is where the client connects to.
        """
        if client_port is None:
            self.front = world.udp("attacker", net.ATTACKER)
            self.back = world.udp("attacker", net.ATTACKER, 0)
        else:
            self.front = world.udp("attacker", net.SERVICE, port, transparent=True)
            self.back = world.udp("attacker", net.HONEST, client_port, transparent=True)
        self.address = f"{net.ATTACKER}:{self.front.getsockname()[1]}"
        self.target = (net.SERVICE, port)
        self.tamper = tamper
        self.client = None if client_port is None else (net.HONEST, client_port)
        self.seen = {True: 0, False: 0}  # packets with payload, by direction
        self.done = 0  # how often it tampered
        # For tamperers: the service's last seq_nr, a datagram held back, and payloads by length.
        self.answer_seq, self.held, self.recorded = 0, None, {}
        self.running = True
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while self.running:
            ready, _, _ = select.select([self.front, self.back], [], [], 0.1)
            for sock in ready:
                try:
                    datagram, source = sock.recvfrom(65535)
                except OSError:
                    continue
                towards = sock is self.front
                if towards:
                    self.client = source
                parsed = utp.Packet(datagram)
                if parsed.kind == utp.DATA:
                    self.seen[towards] += 1
                for one in self.tamper(towards, datagram, parsed, self):
                    self.forward(towards, one)

    def forward(self, towards, datagram):
        try:
            if towards:
                self.back.sendto(datagram, self.target)
            elif self.client is not None:
                self.front.sendto(datagram, self.client)
        except OSError:
            pass

    def close(self):
        self.running = False
        self.thread.join(5)
        self.front.close()
        self.back.close()
