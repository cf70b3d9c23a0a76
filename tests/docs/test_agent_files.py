"""The example files that start agents are valid, and the commands in them exist."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest
from assay.front.cli.fleet import command
from pages import ROOT

_FILES = ROOT / "docs" / "guide" / "agents"
_ADDRESS = "192.0.2.11"


def _agent() -> click.Command:
    found = command.get_command(click.Context(command), "agent")
    assert found is not None
    return found


def _parsed(arguments: list[str]) -> dict[str, Any]:
    """Parses the arguments of `assay fleet agent`; fails where there is no such option."""
    assert arguments[:3] == ["assay", "fleet", "agent"], arguments
    return _agent().make_context("agent", arguments[3:]).params


def test_the_service_is_one_of_systemd(tmp_path: Path) -> None:
    text = (_FILES / "assay-agent.service").read_text()
    line = re.search(r"^ExecStart=/opt/assay/bin/(.*)$", text, re.MULTILINE)
    assert line is not None
    assert _parsed(line[1].split())["address"] == _ADDRESS
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "assay-agent.service"
    unit.write_text(text.replace("/opt/assay/bin/assay", "/bin/true"))  # which is there, as verify asks
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, [one for one in done.stderr.splitlines() if unit.name in one]) == (0, [])


def test_the_job_of_slurm_is_a_script() -> None:
    path = _FILES / "slurm.sh"
    subprocess.run(["bash", "-n", str(path)], check=True)
    lines = path.read_text().splitlines()
    first = next(number for number, line in enumerate(lines[1:], start=1) if not line.startswith("#SBATCH"))
    assert first > 1
    assert not any(line.startswith("#SBATCH") for line in lines[first:])  # Slurm reads none after a command
    started = re.search(r"exec (assay fleet agent --address) ", path.read_text())
    assert started is not None
    assert _parsed([*started[1].split(), _ADDRESS])["address"] == _ADDRESS


def test_the_daemon_set_of_kubernetes_is_yaml() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed; it comes with assay[fleet]")
    found = yaml.safe_load((_FILES / "kubernetes.yaml").read_text())
    template = found["spec"]["template"]
    assert found["spec"]["selector"]["matchLabels"] == template["metadata"]["labels"]
    (container,) = template["spec"]["containers"]
    variables = {one["name"] for one in container["env"]}
    asked = [re.sub(r"\$\((\w+)\)", lambda name: f"<{name[1]}>", word) for word in container["command"]]
    parsed = _parsed(asked)
    assert parsed["address"].strip("<>") in variables
    volumes = {one["name"]: one for one in template["spec"]["volumes"]}
    mounts = {one["name"]: one["mountPath"] for one in container["volumeMounts"]}
    assert mounts.keys() == volumes.keys()
    assert str(parsed["token_file"].parent) == mounts["token"]
    assert volumes["token"]["secret"]["defaultMode"] == 0o400  # else `assay fleet agent` refuses it
