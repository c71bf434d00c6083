"""Accuracy with intervals, six versions, the four-dimensional metric, paired tests."""

from __future__ import annotations

from ...base.display import natural
from .accuracy import IsCorrect, Macro, accuracy, by_label, grouped
from .comparisons import Comparison, Comparisons, Described, LabelDifference, Run
from .dimension_differences import dimension_differences
from .earlier import Earlier, earlier
from .families import Family, Place, places, tarone_holm
from .four_dimensional import (
    PAPER,
    Class,
    Dimensions,
    FourDimensional,
    Weights,
    classes_of,
    dimensions,
    groups_of,
    worth,
)
from .intervals import Interval, Rate, cluster_index, mean_interval
from .paired import Difference, Outcomes, lattice, outcomes, paired_difference
from .repeats import Repeats
from .results import OPEN, Official, Result, SampleStatus, headline, read_results, write_results
from .scores import VERDICTS, OfficialTables, Profile, Scores, provenance, scores_of
from .six_versions import VersionScores

__all__ = [
    "OPEN",
    "PAPER",
    "VERDICTS",
    "Class",
    "Comparison",
    "Comparisons",
    "Described",
    "Difference",
    "Dimensions",
    "Earlier",
    "Family",
    "FourDimensional",
    "Interval",
    "IsCorrect",
    "LabelDifference",
    "Macro",
    "Official",
    "OfficialTables",
    "Outcomes",
    "Place",
    "Profile",
    "Rate",
    "Repeats",
    "Result",
    "Run",
    "SampleStatus",
    "Scores",
    "VersionScores",
    "Weights",
    "accuracy",
    "by_label",
    "classes_of",
    "cluster_index",
    "dimension_differences",
    "dimensions",
    "earlier",
    "grouped",
    "groups_of",
    "headline",
    "lattice",
    "mean_interval",
    "natural",
    "outcomes",
    "paired_difference",
    "places",
    "provenance",
    "read_results",
    "scores_of",
    "tarone_holm",
    "worth",
    "write_results",
]
