"""Accuracy with intervals, six versions, the four-dimensional metric, paired tests."""

from __future__ import annotations

from ...base.display import natural
from .accuracy import IsCorrect, Macro, accuracy, by_label, grouped
from .comparisons import Comparison, Comparisons, Explained, LabelDifference, Run, Share
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
from .intervals import Interval, Rate, cluster_index, mean_interval, rate
from .left_out import LeftOut
from .living import LivingScores, living_differences
from .looks import LookScore
from .paired import Difference, Outcomes, lattice, outcomes, paired_difference
from .repeats import Repeats, bare, how_often
from .results import (
    LONG_REPLIES,
    OPEN,
    SILENT,
    Alike,
    LongReply,
    Official,
    Own,
    Result,
    ResultsBySample,
    SampleStatus,
    by_reference,
    headline,
    numbers_of,
    read_results,
    read_verdicts,
    sharing,
    uncounted,
    versions_run,
    without_numbers,
    write_results,
)
from .scores import (
    VERDICTS,
    OfficialTables,
    OwnVerdicts,
    Profile,
    Scores,
    provenance,
    run_name,
    scores_of,
)
from .six_versions import VersionScores, version_scores
