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

import pytest
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
    assert made in (ROOT / "python" / "assay" / "base" / "format" / "event.py").read_text(encoding="utf-8")


def test_a_load_shape_is_two_files() -> None:
    """A load shape costs two files written by hand; the shape that the page shows stands for all."""
    page = (ROOT / "docs/adding/load-shape.md").read_text("utf-8")
    named = re.compile(r"\bWave(Arrivals)?\b|\"wave\"|amplitude")
    sources = [*(ROOT / "crates").glob("*/src/**/*.rs"), *(ROOT / "python").rglob("*.py")]
    written = {path for path in sources if named.search(path.read_text("utf-8"))}
    written -= {ROOT / "python/assay/base/format/job.py"}
    shapes = ROOT / "crates/pace/src/shape"
    # The sentence of a condition that it alone has; the example in a sentence about studies.
    messages = {ROOT / "crates/pace/src/error.rs", ROOT / "python/assay/design/study/model/checks.py"}
    assert written - messages == {shapes / "wave.rs", shapes / "mod.rs"}
    assert "`wave.rs`" in page


JUDGED = """
import json
from assay.design.study import ClaimSyntaxError, parse_claim
from believed import ONE, TWO, believed
from spoken import english

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
    explained = english(found.explanation)
    return [found.outcome, part.where[0].load, part.figure.value, explained, found.more_blocks]

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
    shutil.copytree(ROOT / "python" / "assay", tmp_path / "assay")
    kind, line, union, looks, line_there, case = indented(ROOT / "docs/adding/claim.md", "python")
    study, verdict = tmp_path / "assay/design/study/claims", tmp_path / "assay/results/verdict/claims"
    (study / "peak.py").write_text(kind, encoding="utf-8")
    (verdict / "peak.py").write_text(looks, encoding="utf-8")
    said = (study / "claim.py").read_text("utf-8")
    (there,) = re.findall(r"^ClaimPart = \(.*?^\)\n", said, re.MULTILINE | re.DOTALL)
    assert union.split() == there.replace("| EveryRunClaim", "| PeakClaim | EveryRunClaim").split()
    (study / "claim.py").write_text(said.replace(there, line + union), encoding="utf-8")
    face = (study / "__init__.py").read_text("utf-8")
    listed = face.replace("__all__ = [\n", f'{line}\n__all__ = [\n    "PeakClaim",\n')
    (study / "__init__.py").write_text(listed, encoding="utf-8")
    looked = (verdict / "__init__.py").read_text("utf-8")
    cases = re.sub("^", "        ", case.rstrip("\n"), flags=re.MULTILINE)
    before = "        case _:\n"
    assert before in looked
    looked = looked.replace(before, f"{cases}\n{before}").replace(
        "from assay.results.verdict.claims import ",
        f"{line}{line_there}from assay.results.verdict.claims import ",
        1,
    )
    (verdict / "__init__.py").write_text(looked, encoding="utf-8")
    words = tmp_path / "assay/reporting/report/words"
    for language, phrases in zip(("en", "zh"), indented(ROOT / "docs/adding/claim.md", "toml"), strict=True):
        catalogue = (words / f"{language}.toml").read_text("utf-8")
        assert "\n[verdict]\n" in catalogue
        catalogue = catalogue.replace("\n[verdict]\n", f"\n[verdict]\n{phrases}\n")
        (words / f"{language}.toml").write_text(catalogue, encoding="utf-8")
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
from assay.front.cli import exit_code_of
from assay.design.plan import make_treatments
from assay.design.study import derive, parse_study, schema, study_hash, study_toml

full, table, good, other, wrong = json.loads(sys.argv[1])
section, _, key = full.partition(".")
SERVER = '[server]\\nuse = "{use}"\\n'
LOAD = '[load]\\nthreads = [1]\\n'
WORKLOAD = '[workload]\\nuse = "{workload}"\\n'
FILES = ("none", "fileio")
DSN = "dsn:mysql://u@127.0.0.1:1/db"

def text(use="mariadb", workload="oltp_read_write", value=None, levels=None):
    own = "" if value is None else f"{key} = {json.dumps(value)}\\n"
    server = SERVER.format(use=use) if use else ""
    said = '[study]\\nname = "s"\\n' + server + (own if section == "server" else "")
    said += LOAD + (own if section == "load" else "") + WORKLOAD.format(workload=workload)
    if levels:
        said += f'[[factor]]\\nname = "{full}"\\nlevels = {json.dumps(levels)}\\n'
    return said

def read(*place, **words):
    try:
        return parse_study(text(*place, **words), Path("s.toml"))
    except Exception as error:
        return str(error)

fixed, varied = read(value=good), read(levels=[good, other])
file = Path(sys.argv[2])
file.write_text(text(use=DSN, value=good))
print(json.dumps({
    "value": [getattr(getattr(one, section), key) for one in (fixed, derive.at_levels(fixed))],
    "fixed": [one.given for one in make_treatments(fixed)] + [fixed.given],
    "varied": varied if isinstance(varied, str) else [one.given for one in make_treatments(varied)],
    "wrong": read(value=wrong),
    "wrong level": read(levels=[good, wrong]),
    "in both": read(value=good, levels=[good, other]),
    "files": read(*FILES, value=good),
    "files vary": read(*FILES, levels=[good, other]),
    "schema": schema()["$defs"][table]["properties"][key],
    "again": study_hash(parse_study(study_toml(fixed), Path("again.toml"))) == study_hash(fixed),
    "others": study_hash(fixed) != study_hash(read()),
    "running": exit_code_of(["plan", str(file)]) if section == "server" else None,
}))
"""

KEYS_OF_THE_PAGE = [
    pytest.param(0, "server.io_class", "ServerChoice", "idle", "realtime", "idel", id="server"),
    pytest.param(1, "load.compressed", "Load", False, True, 7, id="load"),
    pytest.param(2, "load.settle_ms", "Load", 500, 0, -1, id="fixed"),
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("number", "full", "table", "good", "other", "wrong"), KEYS_OF_THE_PAGE)
def test_a_key_is_what_its_page_says(
    number: int, full: str, table: str, good: object, other: object, wrong: object, tmp_path: Path
) -> None:
    """By its one entry a key is read, checked, varied, refused, written, in the identity and the schema."""
    shutil.copytree(ROOT / "python" / "assay", tmp_path / "assay")
    entry = indented(ROOT / "docs/adding/study-key.md", "python")[number]
    module, before = {
        "ServerChoice": ("server.py", "    cpus: Annotated["),
        "Load": ("load.py", "    terminals: Annotated["),
    }[table]
    home = tmp_path / "assay/design/study/model" / module
    said = home.read_text("utf-8")
    assert said.count(before) == 1
    first = "from __future__ import annotations\n"
    makers = "from assay.design.study.key import fixed, needing, own_server, switch, whole, word\n"
    home.write_text(said.replace(before, entry + before).replace(first, first + makers), encoding="utf-8")
    asked = json.dumps([full, table, good, other, wrong])
    found, err = in_a_process(KEYED, tmp_path, asked, str(tmp_path / "dsn.toml"))
    assert found["value"] == [good, good]
    assert f"{full}: {json.dumps(wrong)} is not allowed" in found["wrong"]
    assert f"{full}: is for servers" in found["files"]
    if full == "load.settle_ms":
        assert found["fixed"] == [{}] * 2
        assert f'"{full}" cannot be a factor' in found["varied"]
    else:
        assert found["fixed"] == [{full: good}] * 2
        assert found["varied"] == [{full: good}, {full: other}]
        assert f"{json.dumps(wrong)}" in found["wrong level"]
        assert f'"{full}" is set in both' in found["in both"]
        assert f'"{full}" is for servers' in found["files vary"]
    assert found["schema"]["description"]
    assert found["again"]
    assert found["others"]
    if table == "ServerChoice":  # the entry says that only the lab's own servers have it
        assert found["running"] == 2
        assert f"{full} needs a server that the lab starts" in err


def in_a_process(code: str, package: Path, *arguments: str) -> tuple[dict[str, Any], str]:
    """What the code prints as JSON, with the package below `package` as `assay`; what it says on stderr."""
    path = os.pathsep.join((str(package), str(ROOT / "tests" / "verdict")))
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def indented(page: Path, language: str) -> list[str]:
    """Code blocks inside a list, without the list's own indentation."""
    found = re.findall(rf"^   ```{language}\n(.*?)^   ```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [re.sub("^   ", "", text, flags=re.MULTILINE) for text in found]
