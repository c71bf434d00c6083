"""Accuracy with intervals, six versions, the four-dimensional metric, paired tests."""

from __future__ import annotations

from ...base.display import natural
from .accuracy import IsCorrect, Macro, accuracy, by_label, grouped, robust
from .comparisons import Comparison, Comparisons, Explained, LabelDifference, Run, Share
from .dimension_differences import dimension_differences, rote_difference
from .earlier import Earlier, earlier
from .families import Family, Place, places, tarone_holm
from .four_dimensional import (
    PAPER,
    Class,
    Dimensions,
    FourDimensional,
    Weights,
    classes_of,
    classify,
    dimensions,
    groups_of,
    worth,
)
from .intervals import (
    Interval,
    Rate,
    cluster_index,
    macro_interval,
    mean_interval,
    rate,
    spread,
    sums,
)
from .left_out import LeftOut
from .living import LivingScores, living_differences, living_scores
from .looks import LookScore
from .paired import (
    Difference,
    Outcomes,
    flip_p,
    flip_table,
    lattice,
    outcomes,
    paired_difference,
)
from .quantiles import beta_cdf, beta_quantile, clopper_pearson, t_quantile
from .repeats import Repeats, bare, how_often, passed
from .results import (
    LONG,
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
    Provenance,
    Scores,
    official_tables,
    provenance,
    run_name,
    scores_of,
)
from .six_versions import DROPS, VersionScores, version_scores
