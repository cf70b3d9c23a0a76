"""Builds the docs site into target/site: `python -m scripts.docs_site`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import tomlkit

from scripts.docs_site.built import complaints
from scripts.docs_site.layout import LANGUAGES, ROOT, Layout
from scripts.docs_site.navigation import navigation
from scripts.docs_site.staging import stage

SETTINGS = ROOT / "docs" / "site"
WORK = ROOT / "target" / "site-pages"
SITE = ROOT / "target" / "site"
_UP = {"en": [], "zh": [".."]}
_DOWN = {"en": ["index.html"], "zh": ["zh", "index.html"]}


def settings_of(layout: Layout, language: str) -> dict[str, Any]:
    """Returns the generator's settings for a language."""
    whole = tomllib.loads((SETTINGS / "site.toml").read_text(encoding="utf-8"))
    project: dict[str, Any] = whole["project"]
    project["site_description"] = whole[language]["description"]
    project |= {"docs_dir": "pages", "site_dir": "site", "nav": navigation(layout, whole["group"], language)}
    project["theme"]["language"] = language
    project["extra"]["alternate"] = [
        {"name": whole[other]["language"], "lang": other, "link": "/".join([*_UP[language], *_DOWN[other]])}
        for other in LANGUAGES
    ]
    return {"project": project}


def build(layout: Layout, language: str) -> Path:
    """Builds the site of one language, and returns its folder."""
    folder = WORK / language
    stage(layout, language, folder / "pages", SETTINGS)
    (folder / "zensical.toml").write_text(tomlkit.dumps(settings_of(layout, language)), encoding="utf-8")
    subprocess.run([Path(sys.executable).with_name("zensical"), "build", "--clean"], cwd=folder, check=True)
    built = folder / "site"
    (built / "404.html").unlink(missing_ok=True)  # for a server at the root of a host
    return built


def main() -> None:
    """Builds both languages, joins them, and checks every link."""
    layout = Layout()
    for old in (WORK, SITE):
        shutil.rmtree(old, ignore_errors=True)
    for language in LANGUAGES:
        (WORK / language / "pages").mkdir(parents=True)
        shutil.move(build(layout, language), SITE if language == "en" else SITE / language)
    wrong = sorted(set(complaints(SITE)))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if wrong:
        raise SystemExit(f"the site has {len(wrong)} links that lead nowhere, or loads from a network")
    pages = sum(1 for _ in SITE.rglob("*.html"))
    shown = SITE.relative_to(ROOT)
    print(f"{pages} pages in {shown}; open {shown}/index.html in a browser")


if __name__ == "__main__":
    main()
