"""Gates without claims, with claims that mean nothing, and with results that cannot be judged or followed up."""

# ruff: noqa: E501 (one row a line)

from __future__ import annotations

import shutil

from bad_rows.row import Place, Row, row
from bad_rows.study_values import STUDY


def _copy(place: Place) -> None:
    shutil.copytree(place.results, place.folder / "r")


GOOD = {"b.toml": STUDY}
_SERVERS = {
    "b.toml": STUDY.replace('use = "mariadb"\n', "")
    + '[[factor]]\nname = "server.use"\nlevels = ["mariadb", "mysql"]\n'
}
_NO_SERVER = {"b.toml": STUDY.replace('use = "mariadb"\n', "")}
_REQUIRED = "--require 'tps > 1'"

ROWS: list[Row] = [
    row("gate-file-missing", "gate none.toml", 2, "none.toml: cannot be read"),
    row("gate-folder-empty", f"gate {{here}} {_REQUIRED}", 2, "contains no results of a study"),
    row("gate-no-claim", "gate b.toml", 2, "b.toml: has no [[gate]], and no --require states a claim", "write a [[gate]]", files=GOOD),
    row("gate-claim-cut", "gate b.toml --require 'tps >'", 2, "gate[0].claim", files=GOOD),
    row("gate-claim-measure", "gate b.toml --require 'tpz > 1'", 2, "gate[0].claim", "tps", files=GOOD),
    row("gate-claim-level", "gate b.toml --require 'tps[build=new] > 1'", 2, "gate[0].claim", files=GOOD),
    row("gate-claim-same", "gate b.toml --require 'tps ~ 100'", 2, "gate[0].margin: must be above 0 for ~", files=GOOD),
    row("gate-base-alone", f"gate b.toml --base mariadb {_REQUIRED}", 2, "--base needs --new", files=GOOD),
    row("gate-new-alone", f"gate b.toml --new mariadb {_REQUIRED}", 2, "--new needs --base", files=GOOD),
    row("gate-builds-of-factor", f"gate b.toml --base mariadb --new mysql {_REQUIRED}", 2, "need a study without a factor of server.use", "name the levels of that factor", files=_SERVERS),
    row("gate-build-missing", f"gate b.toml --base mariadb --new path:/nope {_REQUIRED}", 6, "path:/nope: contains no server binary", files=GOOD),
    row("gate-fills-gap", f"gate b.toml --base nosuch --new mariadb {_REQUIRED}", 2, "server.use = 'nosuch': no such server", files=_NO_SERVER),
    row("bisect-flavours", "bisect b.toml --good mariadb@99 --bad mysql@98", 2, "versions of mariadb and mysql have no common order", "--versions", files=_NO_SERVER),
    row("bisect-fills-gap", "bisect b.toml --good nosuch --bad mariadb --versions ''", 2, "server.use = 'nosuch': no such server", files=_NO_SERVER),
    row("gate-confirm-few", f"gate b.toml --confirm 3 {_REQUIRED}", 2, "--confirm 3: needs at least 6 blocks", files=GOOD),
    row("gate-confirm-text", f"gate b.toml --confirm some {_REQUIRED}", 2, "'some' is not a whole number", files=GOOD),
    row("gate-results-builds", f"gate r --base mariadb --new mysql {_REQUIRED}", 2, "--base needs a study file", before=_copy),
    row("gate-results-blocks", f"gate r --blocks 8 {_REQUIRED}", 2, "--blocks needs a study file", before=_copy),
    row("gate-results-few", f"gate r {_REQUIRED}", 11, "the gate of shared cannot be judged", "mend the measurement", before=_copy),
    row("gate-baseline-missing", f"gate b.toml --baseline none.json {_REQUIRED}", 2, "none.json: cannot be read", "assay baseline save", files=GOOD),
    row("gate-baseline-other", f"gate b.toml --baseline b.toml {_REQUIRED}", 2, "b.toml: is not a baseline of assay", files=GOOD),
    row("gate-baseline-confirm", f"gate b.toml --baseline b.json --confirm 6 {_REQUIRED}", 2, "--confirm cannot be combined with --baseline", files=GOOD),
    row("gate-baseline-base", f"gate b.toml --baseline b.json --base mariadb {_REQUIRED}", 2, "--base cannot be combined with --baseline", files=GOOD),
    row("alarms-missing", "alarms none.json", 2, "none.json: cannot be read", "--alarms none.json"),
    row("alarms-other", "alarms b.toml", 2, "b.toml: is not a file of alarms", files=GOOD),
    row("alarms-how", "alarms b.json --close a latter b", 2, "not a way to close an alarm", '"later"'),
    row("alarms-no-reason", "alarms b.json --close a later", 2, "--close", "3 arguments"),
    row("alarms-empty-reason", "alarms b.json --close a later ' '", 2, "closed as later needs a reason"),
    row("baseline-few", "baseline save r base.json", 11, "r: has 1 complete block, and a baseline needs 6", before=_copy),
    row("baseline-exists", "baseline save r b.toml", 7, "b.toml exists already", "assay baseline accept", files=GOOD, before=_copy),
    row("baseline-no-results", "baseline save none base.json", 2, "none: contains no results of a study"),
    row("baseline-no-reason", "baseline accept r base.json", 2, "Missing option '--reason'", before=_copy),
    row("baseline-reason-empty", "baseline accept r base.json --reason ' '", 2, "--reason is empty", before=_copy),
    row("why-two-studies", "why r --intervene --plans", 2, "--intervene cannot be combined with --plans", "give one of them", before=_copy),
    row("why-intervention", "why r --intervene --try pol", 2, '"pol" is not an intervention', "known: commits", before=_copy),
    row("why-resource-of", "why r --bottleneck none=1", 2, 'has no treatment "none=1"', before=_copy),
    row("gate-file-nowhere", f"gate r {_REQUIRED} --junit nowhere/gate.xml", 6, "nowhere/gate.xml", before=_copy),
]  # fmt: skip
