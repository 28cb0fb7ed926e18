"""Datagrams in another's name, sent at a bounded rate, and what they made arrive there."""

import socket
import struct
import time

from attacker import net, utp

# Datagrams a second: what one attacker is given here, so that others get their processor.
RATE = 20_000
BATCH = 100
IP_AND_UDP = 28


class Pace:
    """Lets so many a second pass."""

    def __init__(self, per_second=RATE):
        self.gap = BATCH / per_second
        self.next = time.monotonic()
        self.count = 0

    def one(self):
        self.count += 1
        if self.count % BATCH == 0:
            self.next = max(self.next + self.gap, time.monotonic() - 10 * self.gap)
            ahead = self.next - time.monotonic()
            if ahead > 0:
                time.sleep(ahead)


class Reflection:
    """Spoofed bytes to the service, and the bytes that arrive at whom they name, by the IP
    packet.

    A phase's ratio counts only the phase; `worst` is the largest of any phase and of all
    together.
    """

    def __init__(self, world, port, victim="victim", pace=RATE):
        self.world, self.port, self.victim = world, port, victim
        self.address = f"10.97.{net.PLACES[victim]}.2"
        self.sockets = {}
        self.pace = Pace(pace)
        self.sent = self.sent_before = 0
        self.start = self.before = world.arrived(victim)
        self.phases = []

    def send(self, datagram, source_port=40000):
        sock = self.sockets.get(source_port)
        if sock is None:
            sock = self.world.udp("attacker", self.address, source_port, transparent=True)
            self.sockets[source_port] = sock
        sock.sendto(datagram, (net.SERVICE, self.port))
        self.sent += IP_AND_UDP + len(datagram)
        self.pace.one()

    def phase(self, name, quiet=0.6, wait=True):
        """Ends a phase, as a rule when nothing has come for that long."""
        count = self.world.arrived(self.victim)
        deadline = time.monotonic() + 6
        while wait and time.monotonic() < deadline:
            time.sleep(quiet)
            now = self.world.arrived(self.victim)
            if now == count:
                break
            count = now
        self.phases.append((name, self.sent - self.sent_before, count - self.before))
        self.sent_before, self.before = self.sent, count
        return self.phases[-1]

    def close(self):
        for sock in self.sockets.values():
            sock.close()

    def bytes_out(self):
        return self.before - self.start


class Sniffer:
    """IP packets with UDP that arrive somewhere while it is open, by the port that they are for;
    a few thousand.
    """

    def __init__(self, world, place):
        def make():
            made = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
            made.setsockopt(socket.SOL_SOCKET, 33, 1 << 25)  # SO_RCVBUFFORCE
            return made

        self.sock = world.inside(place, make)
        self.sock.setblocking(False)
        self.looked_at = 0  # whole IP bytes that first_utp has seen

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sock.close()

    def first_utp(self, port, seconds):
        """The first uTP packet for that port that comes in that time, if one does."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                packet, source = self.sock.recvfrom(65535)
            except BlockingIOError:
                time.sleep(0.01)
                continue
            if (
                packet[9] == socket.IPPROTO_UDP
                and source[2] != socket.PACKET_OUTGOING
                and int.from_bytes(packet[22:24], "big") == port
            ):
                got = utp.Packet(packet[IP_AND_UDP:])
                self.looked_at += len(packet)
                if got.kind is not None:
                    return got
        return None

    def by_port(self):
        """Whole IP bytes by destination port."""
        found = {}
        while True:
            try:
                packet, source = self.sock.recvfrom(65535)
            except BlockingIOError:
                return found
            if packet[9] == socket.IPPROTO_UDP and source[2] != socket.PACKET_OUTGOING:
                port = int.from_bytes(packet[22:24], "big")
                found[port] = found.get(port, 0) + len(packet)


def tcp_syn(source, source_port, target, port, seq):
    """An IP packet with a TCP SYN."""
    head = struct.pack(">HHIIBBHHH", source_port, port, seq, 0, 5 << 4, 2, 64240, 0, 0)
    pseudo = (
        socket.inet_aton(source) + socket.inet_aton(target) + struct.pack(">BBH", 0, 6, len(head))
    )
    head = head[:16] + struct.pack(">H", _sum(pseudo + head)) + head[18:]
    # The kernel fills in length and checksum of IP.
    return (
        struct.pack(">BBHHHBBH", 0x45, 0, 0, 0, 0, 64, 6, 0)
        + socket.inet_aton(source)
        + socket.inet_aton(target)
        + head
    )


def _sum(data):
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF
