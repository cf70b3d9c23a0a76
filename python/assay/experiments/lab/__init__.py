"""Carries a study from its file to its pages, with one call a step, for every front end. Prints nothing.

`open_study`, `foresee` or `carry_out`, `judged`, and `write_pages` of `assay.experiments.gate`.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.lab.advice import disk_advice, is_of_storage, settings_advice
    from assay.experiments.lab.bundling import Bundle, bundled_bytes, open_bundle, write_bundle
    from assay.experiments.lab.carrying_out import carry_out
    from assay.experiments.lab.checkup import Finding, examine
    from assay.experiments.lab.code_of_study import StudyCode
    from assay.experiments.lab.forecast import Forecast, Sight, foresee
    from assay.experiments.lab.headline import Headline
    from assay.experiments.lab.judging import Judged, figures_of, is_looked_at, judged, judging
    from assay.experiments.lab.kept_server import keep_server
    from assay.experiments.lab.last_result import last_result
    from assay.experiments.lab.noise import KnownNoise, NoiseFinder, keep_spread, noise_around, open_copies
    from assay.experiments.lab.opening import (
        OpenedStudy,
        folder_of,
        open_derived,
        open_results,
        open_study,
        reopen,
        results_folder,
    )
    from assay.experiments.lab.options_of_servers import SharedOptions, shared_options
    from assay.experiments.lab.pages import pictures, write_results
    from assay.experiments.lab.profile_files import write_profiles
    from assay.experiments.lab.progress import (
        Progress,
        Standing,
        progress_of,
        results_below,
        results_in,
        standing,
    )
    from assay.experiments.lab.several import (
        EndedStudy,
        QueuedStudy,
        queued_campaign,
        queued_studies,
        run_studies,
        write_studies_index,
    )
    from assay.experiments.lab.summary import CountedDoubt, ResultsSummary, summary_of
    from assay.experiments.lab.until_decided import Limits, until_decided
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Bundle",
    "CountedDoubt",
    "EndedStudy",
    "Finding",
    "Forecast",
    "Headline",
    "Judged",
    "KnownNoise",
    "Limits",
    "NoiseFinder",
    "OpenedStudy",
    "Progress",
    "QueuedStudy",
    "ResultsSummary",
    "SharedOptions",
    "Sight",
    "Standing",
    "StudyCode",
    "bundled_bytes",
    "carry_out",
    "disk_advice",
    "examine",
    "figures_of",
    "folder_of",
    "foresee",
    "is_looked_at",
    "is_of_storage",
    "judged",
    "judging",
    "keep_server",
    "keep_spread",
    "last_result",
    "noise_around",
    "open_bundle",
    "open_copies",
    "open_derived",
    "open_results",
    "open_study",
    "pictures",
    "progress_of",
    "queued_campaign",
    "queued_studies",
    "reopen",
    "results_below",
    "results_folder",
    "results_in",
    "run_studies",
    "settings_advice",
    "shared_options",
    "standing",
    "summary_of",
    "until_decided",
    "write_bundle",
    "write_profiles",
    "write_results",
    "write_studies_index",
]
