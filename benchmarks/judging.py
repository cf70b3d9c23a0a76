"""Judges planted slow-downs by today's rules, from what was kept of them: `python -m benchmarks.judging`."""

from __future__ import annotations

import dataclasses
import sys

import msgspec

from benchmarks import planting
from benchmarks.document import RESULTS, write_page
from benchmarks.outcome import commit, measured, read, save
from benchmarks.rows import Samples
from benchmarks.sections.why import EFFECT, SECTION

_SEEN = "The rules were changed after these results were seen, which are no test of what was changed."


def main() -> int:
    path = RESULTS / f"{SECTION.name}.json"
    if not path.is_file():
        print(f"{path} is missing: `python -m benchmarks {SECTION.name}` measures it", file=sys.stderr)
        return 1
    of_name = {one.name: one for one in planting.plants()}
    before, kept = read(path), measured(path)
    samples = []
    for one in kept.samples:
        if one.cell in of_name:
            samples.append(_judged(one, of_name[one.cell]))
        elif one.cell == EFFECT:
            samples.append(one)
        else:
            print(f"{one.cell}: left out, since no plant is called so today", file=sys.stderr)
    by = f"{kept.origin.commit.partition(',')[0]}, judged by the rules of {commit()}"
    origin = msgspec.structs.replace(kept.origin, commit=by)
    note = before.note if _SEEN in before.note else f"{before.note} {_SEEN}"
    outcome = dataclasses.replace(before, origin=origin, rows=SECTION.rows(samples), note=note)
    save(outcome, samples, path, rounds=(0 if before.missing else 1, 1))
    print(f"written: {write_page(RESULTS)}")
    return 0


def _judged(samples: Samples, plant: planting.Plant) -> Samples:
    figures = planting.judged(plant)
    print(f"{plant.name}: {'first' if figures['named_first'] else 'not first'}", flush=True)
    return dataclasses.replace(samples, by_contestant={"ours": [figures]})


if __name__ == "__main__":
    sys.exit(main())
