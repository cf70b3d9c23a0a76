"""Classes of faults, each as files with the fault and the same files without it, made from a seed.

Unlike those of `faults.py`, a case may need several files: settings, claims, prose or options beside a table.
"""

from __future__ import annotations

from faults_of_columns import COLUMNS_MADE
from faults_of_comparisons import COMPARISONS
from faults_of_conditions import CONDITIONS
from faults_of_figures import FIGURES
from faults_of_pages import PAGES
from faults_of_words import WORDS

CLASSES = (*FIGURES, *COLUMNS_MADE, *WORDS, *COMPARISONS, *CONDITIONS, *PAGES)
