"""The attacks, in groups that each have namespaces and services of their own."""

from attacker.cases import floods, kompics, path, reflection, reports, slots, streams, transfers

GROUPS = {
    "reflection": reflection.rows,
    "slots": slots.rows,
    "floods": floods.rows,
    "path": path.rows,
    "transfers": transfers.rows,
    "messages": kompics.rows,
    "streams": streams.rows,
    "reports": reports.rows,
}
