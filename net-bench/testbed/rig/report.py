"""Writes the table."""

import os
import platform

from rig import cases

COMMAND = "net-bench/testbed/table --whole --rows docs/real-link.json --write docs/real-link.md"

# What stands between them on a page is made.
BEGIN = "<!-- made by net-bench/testbed/table -->"
END = "<!-- to here -->"

COLUMNS = (
    ("alone: link used", ("alone_use",)),
    ("queue, ms: median, 95%", ("alone_queue_median_ms", "alone_queue_95_ms")),
    ("share from 5 s on", ("share",)),
    ("of all 20 s", ("share_of_all_20_s",)),
    ("TCP loses", ("tcp_loss",)),
    ("90% again after, s", ("recovery_seconds",)),
    ("90% first after, s", ("ramp_seconds",)),
    ("share of the first", ("first_share",)),
    ("Jain", ("jain",)),
    ("both together", ("together_use",)),
    ("runs", ("runs",)),
)
TOOL = "tool_"
PORTIONS = ("use", "share", "loss")


def text_of(key, value):
    if value is None:
        return "never"
    if any(part in key for part in PORTIONS):
        return f"{value:.1%}"
    if key == "runs":
        return str(value)
    return f"{value:.3f}" if key == "jain" else f"{value:.1f}"


def verdict(case, figures):
    """The worst of its limits; None for a case that has none."""
    order = (cases.KEPT, cases.TWICE, cases.BROKEN)
    seen = [limit.verdict(figures) for limit in case.limits]
    return max(seen, key=order.index) if seen else None


def misses(limits, figures):
    """What was not within its limits, in words."""
    return [
        f"{limit.figure.replace('_', ' ')} {text_of(limit.figure, figures[limit.figure])},"
        f" limit {text_of(limit.figure, limit.value)}"
        for limit in limits
        if limit.verdict(figures) != cases.KEPT
    ]


def in_words(case, figures, tries):
    word = verdict(case, figures)
    if word is None:
        return ""
    missed = misses(case.limits, figures)
    return word + (f" ({'; '.join(missed)})" if missed else "") + (f", try {tries}" if tries > 1 else "")


def line(case, figures, tries):
    """For whoever watches."""
    shown = [
        f"{name} " + ", ".join(text_of(key, figures[key]) for key in keys)
        for name, keys in COLUMNS
        if keys[0] in figures
    ]
    shown += [f"{key} {text_of(key, value)}" for key, value in figures.items() if key.startswith(TOOL)]
    return f"{case.section} | {case.title}: " + "; ".join(shown) + " | " + in_words(case, figures, tries)


def markdown(rows, skipped, note=None):
    """rows: (case, what was measured) in order; note: what else to know."""
    loads = [row["load"] for _, row in rows]
    times = [row["time"] for _, row in rows]
    rows = [(case, row["figures"], row["tries"]) for case, row in rows]
    out = ["# Beside the kernel's TCP on a real link", ""]
    out += [
        f"Measured from {min(times, default='-')} to {max(times, default='-')} UTC by `{COMMAND}`. {machine()} Load average"
        f" before the runs: {min(loads, default=0):.1f} to {max(loads, default=0):.1f}. What is measured runs"
        " before all else.",
        "",
        "The link joins two network namespaces; senders, receivers and TCP are real, and every figure is taken at the link"
        " ([testbed.md](testbed.md) says how). Unless said: 50 Mbit/s, base round trip 40 ms, drop-tail buffer of 200 ms,"
        " iperf3 as the kernel's CUBIC. Ten seconds alone (figures from 5 s on), twenty together, ten alone again. The"
        " share is that of the background flow. On a real link tolerances are doubled: 3% of the link unused may be 6%, a"
        " share of 5% may be 10%, 2 s may be 4 s, 30 ms of queue 60 ms. A row that fails is tried again, up to three times.",
        "",
    ]
    if note:
        out += [note, ""]
    for section in dict.fromkeys(case.section for case, _, _ in rows):
        out += [f"## {section[0].upper()}{section[1:]}", ""]
        out += table(section, rows)
    out += [f"skipped: {title} because {why}" for title, why in skipped]
    return "\n".join(out).rstrip() + "\n"


def table(section, rows):
    """The lines of one section. rows: (case, figures, tries)."""
    out = []
    part = [row for row in rows if row[0].section == section]
    columns = [(name, keys) for name, keys in COLUMNS if any(keys[0] in figures for _, figures, _ in part)]
    judged = any(case.limits for case, _, _ in part)
    header = [""] + [name for name, _ in columns] + (["verdict"] if judged else [])
    out += ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    for case, figures, tries in part:
        cells = [case.title]
        for _, keys in columns:
            cells.append(", ".join(text_of(key, figures[key]) for key in keys) if keys[0] in figures else "")
        if judged:
            cells.append(in_words(case, figures, tries))
        out.append("| " + " | ".join(cells) + " |")
        by_tool = {key[len(TOOL):]: value for key, value in figures.items() if key.startswith(TOOL)}
        if by_tool:
            cells = ["as the tool says"]
            for _, keys in columns:
                known = keys[0] in by_tool
                cells.append(", ".join(text_of(key, by_tool[key]) for key in keys) if known else "")
            out.append("| " + " | ".join(cells) + " |")
    out.append("")
    for case, figures, _ in part:
        if case.to_beat:
            missed = misses(case.to_beat, figures)
            verdict_words = "it beats all four" if not missed else "not beaten: " + "; ".join(missed)
            out += [
                'picoquic\'s delay-based "fast" beside the same CUBIC: share 0.6%, TCP loses 6%, 0.8 s, 9 ms'
                " (whether its share was counted from the first second on is not known; here it is that from 5 s on)."
                f" {case.title}: {verdict_words}.",
                "",
            ]
    return out


def medians(all_figures):
    """Of several runs; None, which is never, is more than any number."""
    found = {}
    for key in all_figures[0]:
        values = sorted((f.get(key) for f in all_figures), key=lambda v: float("inf") if v is None else v)
        found[key] = values[len(values) // 2]
    return found


def _badness(row):
    """Worst first: what was not kept, and then what has more of the link beside its rival."""
    case, figures, _ = row
    order = (None, cases.KEPT, cases.TWICE, cases.BROKEN)
    return order.index(verdict(case, figures)), figures.get("share") or 0.0


def put_into(page, rows, skipped):
    """The page with new tables between its marks, worst rows first."""
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise SystemExit(f"the page has no {BEGIN} and {END}")
    loads = [row["load"] for _, row in rows]
    times = [row["time"] for _, row in rows]
    out = [
        f"Measured from {min(times, default='-')} to {max(times, default='-')} UTC. {machine()} Load average before the runs:"
        f" {min(loads, default=0):.1f} to {max(loads, default=0):.1f}. Runs: of more than one the medians.",
        "",
    ]
    rows = [(case, row["figures"] | {"runs": row.get("runs", 1)}, row["tries"]) for case, row in rows]
    for section in dict.fromkeys(case.section for case, _, _ in rows):
        out += [f"{section[0].upper()}{section[1:]}:", ""]
        out += table(section, sorted(rows, key=_badness, reverse=True))
    out += [f"skipped: {title} because {why}" for title, why in skipped]
    return before + BEGIN + "\n" + "\n".join(out).rstrip() + "\n" + END + after


def machine():
    model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for text in info:
            if text.startswith("model name"):
                model = " ".join(text.split(":", 1)[1].split())
                break
    return f"{os.cpu_count()} processors ({model}), Linux {platform.release()}."
