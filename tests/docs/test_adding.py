"""The pages on adding something: their examples are code that is there, and built."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from pages import ROOT, blocks


def test_the_example_of_a_workload_is_one() -> None:
    example, *_ = blocks(ROOT / "docs" / "adding" / "workload.md", "rust")
    source = ROOT / "crates" / "workload" / "src" / "sysbench" / "oltp_delete.rs"
    assert example == source.read_text(encoding="utf-8")


def test_the_example_of_a_load_discipline_is_one() -> None:
    example, *_ = blocks(ROOT / "docs" / "adding" / "load-discipline.md", "rust")
    room = ROOT / "crates" / "engine" / "src" / "load" / "discipline"
    assert example == (room / "bursts.rs").read_text(encoding="utf-8")
    assert re.search(r"^    bursts::Bursts,$", (room / "mod.rs").read_text("utf-8"), re.MULTILINE)


def test_the_example_of_a_field_is_one_and_what_is_made_of_it() -> None:
    page = ROOT / "docs" / "adding" / "event-field.md"
    (written,) = indented(page, "rust")
    assert any(written in source.read_text(encoding="utf-8") for source in (ROOT / "crates").rglob("*.rs"))
    (made,) = indented(page, "python")
    assert made in (ROOT / "python" / "assay" / "format" / "event.py").read_text(encoding="utf-8")


def test_a_load_shape_is_two_files() -> None:
    """A load shape costs two files written by hand; the shape that the page shows stands for all."""
    page = (ROOT / "docs/adding/load-shape.md").read_text("utf-8")
    named = re.compile(r"\bWave(Arrivals)?\b|\"wave\"|amplitude")
    sources = [*(ROOT / "crates").glob("*/src/**/*.rs"), *(ROOT / "python").rglob("*.py")]
    written = {path for path in sources if named.search(path.read_text("utf-8"))}
    written -= {ROOT / "python/assay/format/job.py"}
    shapes = ROOT / "crates/pace/src/shape"
    # The sentence of a condition that it alone has; the example in a sentence about studies.
    messages = {ROOT / "crates/pace/src/error.rs", ROOT / "python/assay/study/checks.py"}
    assert written - messages == {shapes / "wave.rs", shapes / "mod.rs"}
    assert "`wave.rs`" in page


JUDGED = """
import json
from assay.study import ClaimSyntaxError, parse_claim
from believed import ONE, TWO, believed

def rows(peak):
    at = {1.0: 100.0, 8.0: peak, 64.0: 300.0}
    return {(name, load): [tps * (1 + (-1) ** block * load / 10000) for block in range(6)]
            for name in (ONE, TWO) for load, tps in at.items()}

def said(claim, peak=400.0):
    try:
        found = believed(claim, rows(peak))
    except Exception as error:
        return str(error)
    (part,) = found.parts
    return [found.outcome, part.where[0].load, part.figure.value, found.explanation, found.more_blocks]

print(json.dumps({
    "again": str(parse_claim("tps[a=1]  peaks at  8")),
    "there": said("tps[a=1] peaks at 8"),
    "elsewhere": said("tps[a=1] peaks at 64"),
    "open": said("tps[a=1] peaks at 8", 306.1),
    "no rung": said("tps[a=1] peaks at 7"),
    "a rung twice": said("tps[a=1, threads=8] peaks at 8"),
    "others": said("tps[a=1, threads=8] > 399"),
}))
"""


def test_a_kind_of_claim_is_what_its_page_says(tmp_path: Path) -> None:
    """By the page alone a new kind is parsed, checked against its study, judged and put into words."""
    shutil.copytree(ROOT / "python" / "assay", tmp_path / "assay", ignore=shutil.ignore_patterns("*.pyc"))
    kind, line, union, looks, line_there, case = indented(ROOT / "docs/adding/claim.md", "python")
    study, verdict = tmp_path / "assay/study/claims", tmp_path / "assay/verdict/claims"
    (study / "peak.py").write_text(kind, encoding="utf-8")
    (verdict / "peak.py").write_text(looks, encoding="utf-8")
    said = (study / "__init__.py").read_text("utf-8")
    there = next(text for text in said.splitlines() if text.startswith("Claim = "))
    assert union == there.replace("Claim = ", "Claim = PeakClaim | ") + "\n"
    (study / "__init__.py").write_text(said.replace(there, line + union), encoding="utf-8")
    looked = (verdict / "__init__.py").read_text("utf-8")
    cases = re.sub("^", "        ", case.rstrip("\n"), flags=re.MULTILINE)
    before = "        case _:\n"
    assert before in looked
    looked = looked.replace(before, f"{cases}\n{before}").replace(
        "from assay.verdict.claims import ", f"{line}{line_there}from assay.verdict.claims import ", 1
    )
    (verdict / "__init__.py").write_text(looked, encoding="utf-8")
    found, _ = in_a_process(JUDGED, tmp_path)
    assert found["again"] == "tps[a=1] peaks at 8"
    outcome, load, peak, explained, _ = found["there"]
    assert (outcome, load, peak) == ("supported", None, 8.0)
    assert explained == "tps of a=1 is highest at 8 threads; every interval lies on the claim's side."
    assert found["elsewhere"][:3] == ["refuted", None, 8.0]
    assert found["open"][0] == "undecided"
    assert "the nearest rung is 8" in found["no rung"]
    assert "a peak is one of the whole ladder" in found["a rung twice"]
    assert found["others"][0] == "supported"


KEYED = """
import json, sys
from pathlib import Path
from assay.cli import exit_code_of
from assay.plan import make_treatments
from assay.study import parse_study, schema

STUDY = '''[study]
name = "s"
[server]
use = "{use}"
{own}[workload]
use = "oltp_read_write"
[load]
threads = [1]
'''
FACTOR = '[[factor]]\\nname = "server.io_class"\\nlevels = ["{one}", "realtime"]\\n'
DSN = "dsn:mysql://u@127.0.0.1:1/db"

def read(own="", more="", use="mariadb"):
    try:
        return parse_study(STUDY.format(use=use, own=own) + more, Path("s.toml"))
    except Exception as error:
        return str(error)

fixed = read('io_class = "idle"\\n')
varied = read(more=FACTOR.format(one="idle"))
file = Path(sys.argv[1])
file.write_text(STUDY.format(use=DSN, own='io_class = "idle"\\n'))
print(json.dumps({
    "fixed": [one.given for one in make_treatments(fixed)] + [fixed.server.given],
    "varied": [one.given for one in make_treatments(varied)],
    "wrong": read('io_class = "idel"\\n'),
    "wrong level": read(more=FACTOR.format(one="slow")),
    "in both": read('io_class = "idle"\\n', FACTOR.format(one="idle")),
    "schema": schema()["$defs"]["Server"]["properties"]["io_class"],
    "running": exit_code_of(["plan", str(file)]),
}))
"""


def test_a_key_of_the_server_is_what_its_page_says(tmp_path: Path) -> None:
    """By its one entry a key is read, checked, varied, refused on a running server, and in the schema."""
    shutil.copytree(ROOT / "python" / "assay", tmp_path / "assay", ignore=shutil.ignore_patterns("*.pyc"))
    (entry,) = indented(ROOT / "docs/adding/study-key.md", "python")
    sections = tmp_path / "assay/study/sections.py"
    said = sections.read_text("utf-8")
    before = "    cpus: Annotated["
    assert said.count(before) == 1
    sections.write_text(said.replace(before, entry + before), encoding="utf-8")
    found, err = in_a_process(KEYED, tmp_path, str(tmp_path / "dsn.toml"))
    assert found["fixed"] == [{"io_class": "idle"}] * 2
    assert found["varied"] == [{"io_class": "idle"}, {"io_class": "realtime"}]
    assert found["wrong"].startswith('s.toml:5: server.io_class: "idel" is no value here; allowed: "idle"')
    assert '"slow" is no value here' in found["wrong level"]
    assert '"server.io_class" is set in both' in found["in both"]
    assert found["schema"]["enum"] == ["idle", "best-effort", "realtime"]
    assert found["running"] == 2
    assert "server.io_class needs a server that the lab starts" in err


def in_a_process(code: str, package: Path, *arguments: str) -> tuple[dict[str, Any], str]:
    """What the code prints as JSON, with the package below `package` as `assay`; what it says on stderr."""
    path = os.pathsep.join((str(package), str(ROOT / "tests" / "verdict")))
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def indented(page: Path, language: str) -> list[str]:
    """Code blocks inside a list, without the list's own indentation."""
    found = re.findall(rf"^   ```{language}\n(.*?)^   ```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [re.sub("^   ", "", text, flags=re.MULTILINE) for text in found]
