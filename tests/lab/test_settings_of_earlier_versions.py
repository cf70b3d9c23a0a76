"""Settings of the machine that only an earlier version knew: kept and said in results, refused in a new
study.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import ResultsFolder
from assay.design.plan import make_treatments
from assay.design.study import load_measured, load_study
from assay.experiments.lab import judged
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

NOW, GONE = "vm.swappiness", "raid.cache_ratio"
HEAD = STUDY_TOML.split("[[factor]]")[0].replace("[1, 8, 64]", "[8]")
DESIGN = "[design]\nblocks = 6\n" if "[design]" not in HEAD else ""
FACTOR = f'[[factor]]\nname = "host.{NOW}"\nlevels = [1, 60]\n'
TIED = f'[[factor]]\nname = "disk"\nkeys = ["host.{NOW}", "host.vm.dirty_ratio"]\nlevels = ["a", "b"]\n'
SETTINGS = (
    f'[[factor]]\nname = "disk"\nsettings = {{ a = {{ host.{NOW} = 1 }}, b = {{ host.{NOW} = 60 }} }}\n'
)
PLAIN = '[[factor]]\nname = "server.variables.innodb_purge_threads"\nlevels = [1, 4]\n'
STUDIES = {
    "factor": HEAD + FACTOR,
    "tied": f"{HEAD}{TIED}values = [[1, 10], [60, 20]]\n",
    "settings": HEAD + SETTINGS,
    "host": f"{HEAD}{PLAIN}[host]\n{NOW} = 1\n",
}


def words(folder: ResultsFolder) -> list[tuple[str, str]]:
    with judged(folder) as found:
        return [(one.other, one.word) for one in found.results.comparisons]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("how", ["factor", "host"])
def test_results_with_a_setting_that_is_gone_have_the_words_that_they_had(tmp_path: Path, how: str) -> None:
    truth = Truth(measure_s=2, warmup_s=0, samples=False)
    file = tmp_path / "study.toml"
    file.write_text(STUDIES[how])
    treatments = {one.name: one.levels for one in make_treatments(load_study(file))}
    folder = make_results(
        tmp_path / "r", study_toml=STUDIES[how], treatments=treatments, loads=(8,), effect=1.3, truth=truth
    )
    before = words(folder)
    assert any(word in ("better", "worse") for _, word in before)
    last_now, last_gone = NOW.split(".")[-1], GONE.split(".")[-1]
    for run in list(folder.finished_runs()):
        text = run.manifest.read_text().replace(NOW, GONE).replace(last_now, last_gone)
        run.manifest.write_text(text)
        run.path.rename(run.path.with_name(run.path.name.replace(last_now, last_gone)))
    for file in (folder.entry, folder.plan, folder.study_file):
        if file.is_file():
            file.write_text(file.read_text().replace(NOW, GONE).replace(last_now, last_gone))
    folder.looks.unlink(missing_ok=True)
    assert words(folder) == [(name.replace(last_now, last_gone), word) for name, word in before]
    with judged(folder) as found:
        (doubt,) = [one for one in found.results.doubts if one.kind == "unknown-setting"]
        assert doubt.message.endswith(f": host.{GONE}")
    assert load_measured(folder.study_file).unknown_settings == (f"host.{GONE}",)
    with pytest.raises(InputError, match=rf"{GONE}.*it went with the program .* take the key out"):
        load_study(Path(folder.study_file))


@pytest.mark.parametrize("how", STUDIES)
def test_wherever_a_study_names_the_setting(tmp_path: Path, how: str) -> None:
    file = tmp_path / "study.toml"
    file.write_text(STUDIES[how].replace(NOW, GONE))
    study = load_measured(file)
    assert study.unknown_settings == (f"host.{GONE}",)
    assert len(make_treatments(study)) == 2
    with pytest.raises(InputError, match=rf"{GONE}.*it went with the program"):
        load_study(file)


@pytest.mark.parametrize("line", ["volume.no_such_key = 1", "host.no.such = 2"])
def test_a_name_of_any_version_is_kept_in_results_alone(tmp_path: Path, line: str) -> None:
    file = tmp_path / "study.toml"
    file.write_text(f"{line}\n{HEAD}{PLAIN}")
    assert load_measured(file).unknown_settings == (line.split(" ")[0],)
    with pytest.raises(InputError, match="no setting of"):
        load_study(file)
