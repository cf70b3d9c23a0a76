"""The addresses of all pages, spelled in one place."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode


def part(text: object) -> str:
    """Returns one part of an address: everything that would end it is escaped, `/` too."""
    return quote(number_text(text) if isinstance(text, float) else str(text), safe="=,@+~:")


def spelled(path: str) -> str:
    """Returns the path of a request as addresses spell it."""
    return quote(path, safe="/=,@+~:")


def number_text(value: float) -> str:
    """Returns a number without loss: `8` for 8.0, `0.25`."""
    return str(int(value)) if value.is_integer() else repr(value)


@dataclass(frozen=True)
class Links:
    """Addresses of pages in one language, from the root of the server."""

    language: str

    def shelf(self) -> str:
        return f"/{self.language}/"

    def live(self, rid: str) -> str:
        return f"/{self.language}/live/{part(rid)}"

    def live_data(self, rid: str, name: str) -> str:
        """Address of data that the live page asks for, and of what it asks of the lab: the same in every
        language.
        """
        return f"/live/{part(rid)}/{name}"

    def result(self, rid: str, ending: str = "") -> str:
        return f"/{self.language}/r/{part(rid)}{ending}"

    def chart(self, rid: str, name: str, ending: str) -> str:
        return f"{self.result(rid)}/charts/{part(name)}{ending}"

    def table(self, rid: str, name: str, ending: str) -> str:
        return f"{self.result(rid)}/tables/{part(name)}{ending}"

    def number(self, rid: str, treatment: str, load: float, measure: str, ending: str = "") -> str:
        return f"{self.result(rid)}/n/{part(treatment)}/{part(float(load))}/{part(measure)}{ending}"

    def run(self, rid: str, run_id: str, ending: str = "") -> str:
        return f"{self.result(rid)}/run/{part(run_id)}{ending}"

    def rung(self, rid: str, run_id: str, rung: int, ending: str = "") -> str:
        return f"{self.run(rid, run_id)}/{rung}{ending}"

    def events(self, rid: str, run_id: str, rung: int, at: int | None = None, ending: str = "") -> str:
        page = f"{self.rung(rid, run_id, rung)}/events{ending}"
        return page if at is None else f"{page}?at={at}#e{at}"

    def innodb(self, rid: str, ending: str = "") -> str:
        return f"{self.result(rid)}/innodb{ending}"

    def compare(self, base: tuple[str, str] | None = None, new: tuple[str, str] | None = None) -> str:
        query = {
            name: f"{side[0]}:{side[1]}" for name, side in (("base", base), ("new", new)) if side is not None
        }
        page = f"/{self.language}/compare"
        return f"{page}?{urlencode(query)}" if query else page

    def doubts(self, kind: str | None = None) -> str:
        page = f"/{self.language}/doubts"
        return page if kind is None else f"{page}?{urlencode({'kind': kind})}"

    def gate(self, rid: str, ending: str = "") -> str:
        return f"/{self.language}/gate/{part(rid)}{ending}"

    def history(self, series: str | None = None, ending: str = "") -> str:
        page = f"/{self.language}/history"
        return f"{page}{ending}" if series is None else f"{page}/{part(series)}{ending}"

    def history_state(self) -> str:
        """Address to which the state of a change is sent."""
        return f"/{self.language}/history/state"

    def feed(self) -> str:
        return f"/{self.language}/history/feed.atom"

    def host(self, name: str, ending: str = "") -> str:
        return f"/{self.language}/host/{part(name)}{ending}"

    def asset(self, name: str) -> str:
        return f"/assets/{name}"
