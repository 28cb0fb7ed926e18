"""`ebb net yield` over a link, and what the link itself saw meanwhile: the two have to agree."""

import json
import os
import subprocess

from rig import duel, journal, programs
from rig.link import RIGHT, Link, Trouble, complaint

SERVER_PORT = 6817
# Which figure of the tool is which of the table.
SAME = (
    ("share", "contended_settled_share_ratio", 1),
    ("share_of_all_20_s", "contended_share_ratio", 1),
    ("tcp_loss", "tcp_loss_ratio", 1),
    ("recovery_seconds", "recovery_micros", 1e-6),
    ("alone_queue_median_ms", "alone_queue_median_micros", 1e-3),
    ("alone_queue_95_ms", "alone_queue_p95_micros", 1e-3),
)


def lacking():
    found = subprocess.run(
        programs.ebb() + ["net", "yield", "--help"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return "there is no ebb net yield" if found.returncode != 0 else None


def run(controller, **options):
    """Figures at the link under their names, those of the tool with "tool_" before."""
    with Link(**options) as link:
        link.run("right", programs.ebb() + ["net", "server"], "server")
        link.listening("right", "tcp", SERVER_PORT)
        answer = os.path.join(os.path.dirname(link.path), "yield.json")
        client = link.run(
            "left", programs.ebb() + ["net", "yield", RIGHT, "--controller", controller, "--json"], "yield", stdout=answer
        )
        code = client.wait(180)
        with open(answer, encoding="utf-8") as file:
            text = file.read().strip()
        if code not in (0, 99) or not text:
            raise Trouble(complaint(client))
        log = link.journal()
    tool = json.loads(text.splitlines()[-1])["figures"]
    alone_from = log.first(journal.tcp)
    begin = log.first(journal.udp)
    alone = {"first": log.carried(journal.tcp, alone_from, alone_from + duel.TOGETHER_SECONDS)}
    found = duel.figures(log, begin, log.last(journal.udp), False, alone, log.first(journal.tcp, begin + 3))
    for name, theirs, unit in SAME:
        value = tool.get(theirs)
        found["tool_" + name] = None if value is None else value * unit
    for name in ("share_of_all_20_s", "tcp_loss"):
        theirs = found["tool_" + name]
        found[name + "_difference"] = None if theirs is None else abs(found[name] - theirs)
    return found
