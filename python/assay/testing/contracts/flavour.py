"""The contract tests of every flavour: its entries are about versions that can exist."""

from __future__ import annotations

import re

from assay.system.server.flavour import Flavour
from assay.system.server.flavour.entry import Span


class FlavourContract:
    """Tests of a flavour. Fixture: `flavour`, its entry."""

    def test_it_can_be_named_and_had(self, flavour: Flavour) -> None:
        assert re.fullmatch(r"[a-z][a-z0-9]*", flavour.name)
        assert flavour.title
        assert flavour.binaries
        assert flavour.how_to_get

    def test_every_span_has_versions(self, flavour: Flavour) -> None:
        entries: tuple[Span, ...] = (
            *flavour.ways,
            *flavour.presets,
            *flavour.divided,
            *flavour.fixed_files,
            *flavour.replication,
        )
        for entry in entries:
            assert entry.until is None or entry.since < entry.until, entry
            assert entry.holds(entry.since), entry

    def test_every_release_can_make_its_data_directory(self, flavour: Flavour) -> None:
        for release in flavour.releases:
            assert any(way.holds(release.version) for way in flavour.ways), release
            assert flavour.release(release.version) == release, "two releases have one version"

    def test_renamed_variables_are_found_from_both_sides(self, flavour: Flavour) -> None:
        for entry in flavour.renamed:
            assert entry.old != entry.new
            successor = flavour.successor(entry.old, entry.since)
            assert successor is not None, entry
            if entry.new is not None:
                assert entry.old in flavour.other_names(entry.new) or not entry.alike, entry

    def test_presets_say_why(self, flavour: Flavour) -> None:
        assert all(preset.why for preset in flavour.presets)

    def test_replication_has_one_way_a_version(self, flavour: Flavour) -> None:
        for release in flavour.releases:
            assert len([one for one in flavour.replication if one.holds(release.version)]) <= 1, release
