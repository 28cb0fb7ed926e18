"""The attacks, in groups that each have namespaces and services of their own."""

from attacker.cases import (
    floods,
    kompics,
    networks,
    path,
    path_of_streams,
    reflection,
    reports,
    slots,
    streams,
    transfers,
    windows,
)

GROUPS = {
    "reflection": reflection.rows,
    "slots": slots.rows,
    "networks": networks.rows,
    "floods": floods.rows,
    "path": path.rows,
    "streams-path": path_of_streams.rows,
    "transfers": transfers.rows,
    "messages": kompics.rows,
    "streams": streams.rows,
    "windows": windows.rows,
    "reports": reports.rows,
}
