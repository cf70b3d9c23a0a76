"""A plugin that a study loads brings its variables: they are checked and read back as the server's own."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import ServerError
from assay.design.folder.manifest import Scalar
from assay.system.server import Build, Instance, check_variables, initialise
from assay.system.server.variables.catalogue import catalogue
from assay.system.server.variables.translate import settings

# A full-text parser that parses nothing, with two variables. Layouts: MariaDB's plugin interface 1.
PLUGIN = """
struct parser { int version; int (*parse)(void *), (*begin)(void *), (*end)(void *); };
struct variable { int flags; const char *name, *comment; void *check, *update; };
struct of_bool { struct variable head; char *value; const char usual; };
struct of_uint { struct variable head; unsigned *value; unsigned usual, least, most, step; };
struct plugin {
  int type; void *info; const char *name, *author, *about; int license; int (*begin)(void *), (*end)(void *);
  unsigned version; void *status; void **variables; const char *version_text; unsigned maturity;
};
static int nothing(void *given) { return 0; }
static struct parser parser = {0x0100, nothing, 0, 0};
static char on; static unsigned many;
static struct of_bool listens = {{0x0001, "listens", "whether it listens", 0, 0}, &on, 0};
static struct of_uint pieces = {{0x0002 | 0x0080, "pieces", "how many", 0, 0}, &many, 7, 1, 100, 0};
static void *variables[] = {&listens, &pieces, 0};
int _maria_plugin_interface_version_ = 0x0100;
int _maria_sizeof_struct_st_plugin_ = sizeof(struct plugin);
struct plugin _maria_plugin_declarations_[] = {
  {2, &parser, "pretender", "nobody", "parses nothing", 2, 0, 0, 1, 0, variables, "1", 4}, {0}};
"""


@pytest.fixture(scope="module")
def build(mariadb_build: Build, assay_home: Path) -> Build:
    """The server at another place, where its folder of plugins has one."""
    base = assay_home / "with-plugin"
    (base / "sbin").mkdir(parents=True)
    binary = Path(shutil.copy(mariadb_build.mysqld, base / "sbin"))
    moved = replace(mariadb_build, basedir=base, mysqld=binary)
    folder = Path(catalogue(moved).defaults["plugin_dir"])
    assert folder.is_relative_to(base)
    folder.mkdir(parents=True)
    source = folder / "pretender.c"
    source.write_text(PLUGIN)
    subprocess.run(
        ["cc", "-w", "-shared", "-fPIC", str(source), "-o", str(folder / "pretender.so")], check=True
    )
    return moved


LOADS: dict[str, Scalar] = {"plugin_load_add": "pretender"}


def refused(build: Build, variables: dict[str, Scalar]) -> str:
    with pytest.raises(ServerError) as caught:
        check_variables(build, variables)
    return "\n".join([caught.value.message, caught.value.detail or "", caught.value.hint or ""])


@pytest.mark.parametrize("load", ["plugin_load_add", "plugin-load", "loose_plugin_load_add"])
def test_variables_of_a_plugin_are_known_once_it_is_loaded(build: Build, load: str) -> None:
    asked: dict[str, Scalar] = {load: "pretender.so", "pretender_listens": "ON", "pretender_pieces": 9}
    check_variables(build, asked)
    assert "no such variable" in refused(build, {"pretender_listens": "ON"})
    loose = {load: "pretender", "loose_pretender_listens": "ON"}
    assert "pretender_listens" in {one.name for one in settings(build, loose)}
    assert settings(build, {"loose_pretender_listens": "ON"}) == []


def test_faults_of_such_variables_are_those_of_any(build: Build) -> None:
    assert "nearest: pretender_pieces" in refused(build, {**LOADS, "pretender_pices": 9})
    assert "pretender_pieces = 100" in refused(build, {**LOADS, "pretender_pieces": 1000})
    both: dict[str, Scalar] = {**LOADS, "pretender_listens": "perhaps", "sql_mode": "FOO"}
    assert "pretender_listens: " in refused(build, both)


def test_an_option_that_the_build_lacks_takes_no_other_with_it(build: Build) -> None:
    asked: dict[str, Scalar] = {**LOADS, "early_plugin_load": "x", "pretender_pieces": 9, "sql_mode": "FOO"}
    asked |= {"concurrent_insert": 2, "plugin_maturity": "unknown"}
    said = refused(build, asked)
    assert "early_plugin_load: " in said
    assert "sql_mode: 'FOO' refused" in said
    assert "pretender_pieces: " not in said
    assert "concurrent_insert: " not in said


def test_a_plugin_is_admitted_as_the_study_admits_it(build: Build) -> None:
    check_variables(build, {**LOADS, "plugin_maturity": "gamma", "pretender_pieces": 9})
    assert "prohibited" in refused(build, {**LOADS, "plugin_maturity": "stable", "pretender_pieces": 9})


@pytest.mark.parametrize("library", ["pretendr", "pretender;pretendr", "x=pretendr.so"])
def test_a_library_that_is_missing_is_told_before_the_start(build: Build, library: str) -> None:
    said = refused(build, {"plugin_load_add": library, "pretendr_listens": "ON"})
    assert "plugin_load_add: the plugin library pretendr cannot be loaded" in said
    assert "look for pretendr.so in the server's plugin_dir" in said


@pytest.mark.live
def test_what_a_server_makes_of_them_is_read_back(
    build: Build, mariadb_build: Build, tmp_path: Path, assay_home: Path
) -> None:
    where = build.basedir / "data"
    initialise(mariadb_build, where)
    asked = {**LOADS, "pretender_listens": "ON", "pretender_pieces": 9}
    with Instance(build, where, asked, tmp_path / "log", tmp_path / "cnf") as server:
        found = server.verify()
    assert (found["pretender_listens"], found["pretender_pieces"]) == ("ON", "9")
