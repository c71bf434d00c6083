"""Predictions in any known format, matched with the samples of a release."""

from __future__ import annotations

from .coverage import Coverage, Predictions, read_predictions
from .file_formats import read_rows
from .inspect_logs import decoded
from .match import Index, locate
from .material import Material, is_release, read_material
from .reply_metadata import Column, Ending, Reply, reply_name
from .run_record import (
    Prompt,
    RunRecord,
    begin_record,
    differences,
    hashed,
    otherwise_asked,
    read_record,
    write_record,
)
from .shelf import Place, Shelf, said_hash, taken
from .sources import hub_files, is_of_hub
