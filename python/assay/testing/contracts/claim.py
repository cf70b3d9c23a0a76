"""The contract tests of every kind of claim."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import FrozenInstanceError, fields

import pytest

from assay.design.study.claims import ClaimKind, ClaimSyntaxError, parse_claim
from assay.design.study.claims.kind import rewritten
from assay.design.study.claims.reader import ClaimReader


class ClaimContract:
    """Tests of a kind of claim. Fixtures: `kind`, the class; `text`, a claim of one part, which has its
    form.
    """

    def test_a_text_of_its_form_is_read(self, kind: type[ClaimKind], text: str) -> None:
        (part,) = parse_claim(text).parts
        assert type(part) is kind, "another kind stands before it in ClaimPart and takes its text"

    def test_it_is_written_as_it_is_read(self, kind: type[ClaimKind], text: str) -> None:
        claim = parse_claim(text)
        assert parse_claim(str(claim)) == claim

    def test_it_can_be_joined_with_another(self, kind: type[ClaimKind], text: str) -> None:
        (part,) = parse_claim(text).parts
        assert parse_claim(f"errors_per_s <= 0 and {text}").parts[1] == part

    def test_a_text_of_another_form_is_left_to_others(self, kind: type[ClaimKind], text: str) -> None:
        for other in ("?", "no claim of any kind"):
            with suppress(ClaimSyntaxError):  # a form that begins with a term complains of its absence
                assert kind.parse(ClaimReader(other)) is None

    def test_what_follows_it_is_refused_at_its_place(self, kind: type[ClaimKind], text: str) -> None:
        with pytest.raises(ClaimSyntaxError) as caught:
            parse_claim(f"{text} ?")
        assert caught.value.at >= len(text)

    def test_its_terms_are_found_and_changed(self, kind: type[ClaimKind], text: str) -> None:
        claim = parse_claim(text)
        assert rewritten(claim, lambda node: node) == claim
        assert {term for pair in claim.pairs for term in pair} <= set(claim.terms)

    def test_it_does_not_change(self, kind: type[ClaimKind], text: str) -> None:
        (part,) = parse_claim(text).parts
        with pytest.raises(FrozenInstanceError):
            setattr(part, fields(part)[0].name, None)
