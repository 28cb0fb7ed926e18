"""Kompics messages over LEDBAT as `ebb peer` has them."""

import socket
import struct

HELLO, VERSION, FEATURES = 0x4562624D, 2, 1
MESSAGE, SEGMENT, DELIVERED, REFUSED, BYE = 1, 2, 3, 4, 5
PAYLOAD_ID, LEDBAT_TRANSPORT = 18, 3


def hello(address, port, incarnation=1):
    return (
        struct.pack(">IBB", HELLO, VERSION, 4)
        + socket.inet_aton(address)
        + struct.pack(">HQI", port, incarnation, FEATURES)
    )


def address(host, port):
    return b"\x04" + socket.inet_aton(host) + struct.pack(">H", port)


def message(body, delivery=0):
    """A message in segments."""
    out = struct.pack(">BII", MESSAGE, len(body), delivery)
    for at in range(0, len(body), 60000):
        piece = body[at : at + 60000]
        out += struct.pack(">BH", SEGMENT, len(piece)) + piece
    return out


def payload(source, target, number=0, content=b"", transport=LEDBAT_TRANSPORT):
    """What `ebb peer` answers; source and target are (host, port)."""
    head = bytes((PAYLOAD_ID,)) + address(*source) + address(*target) + bytes((transport,))
    return head + struct.pack(">QI", number, len(content)) + content
