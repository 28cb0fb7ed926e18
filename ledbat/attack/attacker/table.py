"""What was found: a row for each service and case, and the page that shows them, worst first."""

import dataclasses
import datetime
import json
import os


@dataclasses.dataclass
class Row:
    """One figure beside its limit. With at_least the limit is a floor, else a ceiling."""

    service: str
    case: str
    measured: float
    limit: float
    unit: str = ""
    at_least: bool = False
    bytes_in: int = None
    bytes_out: int = None
    note: str = ""

    def kept(self):
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    def of_time(self):
        """Whether a machine with other work makes it worse."""
        return self.at_least or self.unit == "s"

    def strain(self):
        """How near the limit it is: above 1 it is not kept."""
        if self.at_least:
            return self.limit / self.measured if self.measured else float("inf")
        if self.limit:
            return self.measured / self.limit
        return float("inf") if self.measured else 0.0

    def cells(self):
        def number(value):
            return "" if value is None else f"{value:,}"

        sign = "at least " if self.at_least else ""
        unit = f" {self.unit}" if self.unit else ""
        return [
            self.service,
            self.case + (f" ({self.note})" if self.note else ""),
            number(self.bytes_in),
            number(self.bytes_out),
            (
                f"{self.measured:,.3g}{unit}"
                if self.measured < 1e5
                else f"{self.measured:,.0f}{unit}"
            ),
            f"{sign}{self.limit:g}{unit}",
            "kept" if self.kept() else "**not kept**",
        ]

    def line(self):
        return " | ".join(self.cells())


def ratio(service, case, bytes_in, bytes_out, limit, note=""):
    """Bytes out for each byte in."""
    return Row(
        service,
        case,
        bytes_out / max(1, bytes_in),
        limit,
        bytes_in=bytes_in,
        bytes_out=bytes_out,
        note=note,
    )


def wrong(service, case, faults, note=""):
    """Things that must not be, of which there may be none."""
    return Row(
        service,
        case,
        len(faults),
        0,
        "wrong",
        note="; ".join([note] * bool(note) + [str(fault) for fault in faults])[:400],
    )


HEAD = """# An attacker's table

`ledbat/attack/run --write docs/attacks.md` made this page; `-Psoak` runs the same and fails where a
limit is not kept. The attacker is a program in Python that shares no code with Ebb: it knows uTP,
the file protocol, the control protocol of `ebb net`, Kompics messages, and Noise from a library. It
sits in network namespaces beside Ebb and forges source addresses as it likes.

- **Bytes in** are whole IP packets that the attacker sent, most of them in the name of a victim;
  **bytes out** are whole IP packets that arrived at the victim, which answers nothing. The figure is
  their ratio: at most 1 before an address is proven, at most 3 in any case that ends without the
  victim's answer. Where an attack has phases, the worst phase counts, and never less than all together.
- "wrong" counts what must not happen: a wrong byte, a wrong exit code, a crash, a control character.
- The attacker sends at most 20,000 datagrams a second in floods and 40,000 when it guesses;
  {processors} processors are shared by it, by who is honest, and by Ebb.
- A service with a key is attacked by one who has none, unless the row says otherwise.
"""


def read(path):
    """Groups of earlier runs: seconds and rows by name."""
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        known = json.load(file)
    return {name: (took, [Row(**row) for row in rows]) for name, (took, rows) in known.items()}


def keep(path, found):
    if path:
        plain = {
            name: (took, [dataclasses.asdict(row) for row in rows])
            for name, (took, rows) in found.items()
        }
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plain, file, indent=1)


def markdown(found):
    """The page of groups: seconds and rows by name."""
    rows = [row for _, group in found.values() for row in group]
    seconds = sum(took for took, _ in found.values())
    ordered = sorted(rows, key=lambda row: (row.kept(), -row.strain(), row.service, row.case))
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    broken = sum(not row.kept() for row in rows)
    out = [HEAD.format(processors=os.cpu_count())]
    out.append(f"{len(rows)} rows, {broken} not kept; {now}, {seconds:.0f} s.\n")
    out.append("| service | attack | bytes in | bytes out | figure | limit | verdict |")
    out.append("|---|---|---:|---:|---:|---:|---|")
    for row in ordered:
        cells = [cell.replace("|", "\\|").replace("\n", " ") for cell in row.cells()]
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n"
