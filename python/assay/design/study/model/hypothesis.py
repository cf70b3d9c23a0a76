"""The table `[[hypothesis]]`: its form in the file, and the hypothesis."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field, WithJsonSchema

from assay.design.study.claims import Claim, Term
from assay.design.study.model import checks
from assay.design.study.model.checks import checked
from assay.design.study.model.table import Table
from assay.design.study.model.texts import Texts
from assay.design.study.model.verdict import Margin
from assay.design.study.toml_lines import Keys


class HypothesisKeys(Table):
    """The keys of a hypothesis but its claims, which a file has as text."""

    id: Annotated[str | None, Field(pattern=r"^\S+$", description="Names it for others' because.")] = None
    advice: Annotated[
        str | None, Field(description="A recommendation, in place of a claim; it rests on because.")
    ] = None
    because: Annotated[
        tuple[str, ...],
        checked(checks.tuple_of_list),
        Field(min_length=1, description="Ids of the hypotheses on which the advice depends."),
    ] = ()
    assumes: Annotated[
        str | None, Field(description='What replaces what the source names: "5.7 -> 9.7".')
    ] = None
    says: Annotated[
        Texts, Field(description="What is so if it is supported, as one sentence, or one a language.")
    ] = {}
    source: Annotated[
        Texts, Field(description="Where the hypothesis comes from, or that in each language.")
    ] = {}
    margin: Annotated[Margin | None, Field(description="Region of indifference for this claim.")] = None
    at: Annotated[
        tuple[Annotated[float, Field(gt=0, strict=False)], ...] | str | None,
        checked(checks.points),
        Field(description='Where it holds: rungs of the ladder, or "threads >= 16"; all when absent.'),
    ] = None


class Hypothesis(HypothesisKeys):
    """A hypothesis that the report judges."""

    margin: float | None = None  # a gate judged as a hypothesis may have none at all: 0
    claims: tuple[Claim, ...]  # all must hold; none: a recommendation, which stands and falls with `because`
    texts: tuple[str, ...]  # the claims as the study writes them; the claims have `at`, too

    @property
    def text(self) -> str:
        """The hypothesis in one line."""
        return " and ".join(self.texts) if self.texts else self.advice or ""

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of its claims, from left to right."""
        return tuple(term for claim in self.claims for term in claim.terms)


class HypothesisTable(HypothesisKeys):
    """One hypothesis, which the report judges."""

    claim: Annotated[
        str | None,
        checked(checks.claim_text),
        WithJsonSchema({"type": "string"}),
        Field(description='"tps[a=4] > tps[a=1]", "… ~ …", "qps[..]/qps[..] >= 1000", "p95_ms[..] < 20".'),
    ] = None
    claims: Annotated[
        list[Annotated[str, checked(checks.claim_text)]] | None,
        WithJsonSchema({"type": "array", "items": {"type": "string"}, "minItems": 1}),
        Field(min_length=1, description="Several claims, in place of one: all must hold."),
    ] = None

    @property
    def texts(self) -> tuple[tuple[Keys, str], ...]:
        """Every claim, with the key that has it."""
        if self.claim is not None:
            return ((("claim",), self.claim),)
        return tuple((("claims", number), text) for number, text in enumerate(self.claims or ()))

    def with_claims(self, claims: Iterable[Claim]) -> Hypothesis:
        """Returns the hypothesis with its claims as the study's factors resolve them."""
        keys = {name: value for name, value in self.written.items() if name not in ("claim", "claims")}
        return Hypothesis(**keys, claims=tuple(claims), texts=tuple(text for _, text in self.texts))
