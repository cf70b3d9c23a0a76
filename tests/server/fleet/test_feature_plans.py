"""Every study of studies/features/ is planned for every server of the catalogue that is here, or refused with
its reason where it does not apply.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import HostError, InputError
from assay.design.folder import ResultsFolder
from assay.experiments.lab import foresee, open_study
from assay.measurement.source import catalogued
from assay.system.server.flavour import FLAVOURS

FEATURES = sorted((Path(__file__).parents[3] / "studies" / "features").glob("*.toml"))
CATALOGUE = [
    f"{flavour.name}@{release.number}" for flavour in FLAVOURS.values() for release in flavour.releases
]

pytestmark = pytest.mark.fleet


@pytest.mark.sampled(12)
@pytest.mark.parametrize("member", CATALOGUE, indirect=True, scope="module")
@pytest.mark.parametrize("path", FEATURES, ids=lambda path: path.stem)
@pytest.mark.usefixtures("member")
def test_it_is_planned_or_refused_with_its_reason(
    request: pytest.FixtureRequest, path: Path, tmp_path: Path
) -> None:
    use: str = request.node.callspec.params["member"]
    opened, folder = open_study(path, {("server", "use"): use}), ResultsFolder(tmp_path / "results")
    if use in catalogued(opened.study):
        refusal = foresee(opened, folder).refusal
        # The machine may lack root, a second disk, an allocator: what the server lacks is another error.
        assert refusal is None or isinstance(refusal, HostError), f"{refusal.message}: {refusal.detail}"
        return
    with pytest.raises(InputError) as caught:
        foresee(opened, folder)
    assert f"server.use = '{use}': the study does not apply to " in caught.value.message
    assert caught.value.message.endswith(f": {opened.study.server.reason}")
