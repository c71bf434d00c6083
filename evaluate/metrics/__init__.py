"""Accuracy with intervals, six versions, the four-dimensional metric, paired tests."""

from __future__ import annotations

from .accuracy import accuracy, natural
from .four_dimensional import (
    PAPER,
    Dimensions,
    FourDimensional,
    Weights,
    classes_of,
    dimensions,
    groups_of,
)
from .intervals import Rate, mean_interval
from .paired import (
    Difference,
    McNemar,
    cluster_bootstrap,
    holm,
    mcnemar,
    minimum_detectable,
    paired_difference,
)
from .results import Official, Result, SampleStatus, read_results, write_results
from .scores import OfficialTables, Profile, Scores, provenance, scores_of
from .six_versions import VersionScores

__all__ = [
    "PAPER",
    "Difference",
    "Dimensions",
    "FourDimensional",
    "McNemar",
    "Official",
    "OfficialTables",
    "Profile",
    "Rate",
    "Result",
    "SampleStatus",
    "Scores",
    "VersionScores",
    "Weights",
    "accuracy",
    "classes_of",
    "cluster_bootstrap",
    "dimensions",
    "groups_of",
    "holm",
    "mcnemar",
    "mean_interval",
    "minimum_detectable",
    "natural",
    "paired_difference",
    "provenance",
    "read_results",
    "scores_of",
    "write_results",
]
