"""The release package, its proof, and other tools' formats."""

from __future__ import annotations

from .anchor import ANCHORS
from .clusters import Member, clusters, line_in_cluster, members_of
from .compare import UNPROVED, Damage, Damages, compared
from .errata import Erratum, new_pictures, read_errata
from .facts import same_build
from .formats import FORMATS, export, exporter, writer
from .history import past_of, steps_in, write_history
from .licences import check_licence
from .package import all_files, write_package
from .previous_release import read_previous_release, refuse_hiding
from .publication import (
    Publication,
    exports_folder,
    folders_of,
    followed_from,
    missing,
    publication_of,
    publish,
)
from .show import as_text
from .splits import assign
from .transport import as_written, tree_of
from .verify import verify
from .withhold import commitment, kept_key, new_key, private_rows
