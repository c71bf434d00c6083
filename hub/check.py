"""What a hub would make of a release: its card, licences, sizes, the viewer's limits, names.

Limits are the hub's own, https://huggingface.co/docs/hub/repositories-recommendations and
.../datasets-viewer-configure: these lists are closed because the hub says them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ..base.json_lines import decode
from ..pipeline import SPLIT
from ..release import read_manifest

# A name of a repository, owner/name: no two hyphens or dots together, and it begins and ends with
# a letter or digit.
REPOSITORY = re.compile(
    r"[\w.-]{1,96}/(?!.*(?:--|\.\.))[^\W_](?:[\w.-]{0,94}[^\W_])?", re.ASCII
)
# A name of a configuration: what may stand in a file's name, without blanks.
CONFIG = re.compile(r"[^<>:/\\|?*\s]+")
# What stands between the lines `---` that begin a card.
FRONT_MATTER = re.compile(r"---\r?\n(.*?\n)---\r?\n", re.DOTALL)
FILE_BYTES = 50_000_000_000  # the most that one file may have
WHOLE_BYTES = 300_000_000_000  # above it the hub asks to be spoken to
IN_FOLDER = 10_000  # files
IN_WHOLE = 100_000
GROUP_BYTES = 300_000_000  # of a row group, unpacked: the viewer reads one at least


class Finding(NamedTuple):
    """One thing that the hub refuses (`stops`), or that its readers would miss."""

    code: str
    where: str
    what: str
    stops: bool = False


def look_over(release: Path, to: str) -> list[Finding]:
    """All findings on a release that is to lie at `to`; nothing is asked of a network."""
    manifest = read_manifest(release)
    files = {path: facts["bytes"] for path, facts in manifest.get("files", {}).items()}
    return [
        *_names(manifest, to),
        *_card(release, files),
        *_licences(manifest),
        *_sizes(files),
        *_viewer(release, files),
    ]


def _names(manifest: Mapping[str, Any], to: str) -> Iterator[Finding]:
    if not REPOSITORY.fullmatch(to) or to.endswith(".git"):
        yield Finding("name", to, "is no name of a repository: write owner/name", True)
    for split in manifest["splits"]:
        if not SPLIT.fullmatch(split):
            yield Finding(
                "name", split, "is no split for `datasets`: letters, digits, _, .", True
            )


def front_matter(card: str) -> dict[str, Any]:
    """The YAML between the lines `---` that begin a card; {} where there is none.

    >>> front_matter("---\\nlicense: mit\\n---\\n# Mine")
    {'license': 'mit'}
    """
    match = FRONT_MATTER.match(card)
    if match is None:
        return {}
    try:
        front = yaml.safe_load(match[1])
    except yaml.YAMLError:
        return {}
    return front if isinstance(front, dict) else {}


def _card(release: Path, files: Mapping[str, int]) -> Iterator[Finding]:
    front = front_matter((release / "README.md").read_text("utf-8"))
    for key in ("license", "configs", "pretty_name", "language"):
        if not front.get(key):
            yield Finding("card", "README.md", f"says no {key}", key == "configs")
    for config in front.get("configs", []):
        name = str(config["config_name"])
        if not CONFIG.fullmatch(name):
            yield Finding("name", name, "is no name of a configuration", True)
        paths = [path for split in config["data_files"] for path in split["path"]]
        for path in paths:
            if path not in files:
                what = f"names {path}, which is not there"
                yield Finding("card", f"README.md: {name}", what, True)


def _licences(manifest: Mapping[str, Any]) -> Iterator[Finding]:
    for source in manifest["sources"]:
        name = source["name"]
        licence = source.get("license") or ""
        if not licence:
            what = "has no licence: may it be published?"
            yield Finding("licence", name, what, True)
        elif "BY" in licence and not source.get("url"):
            what = f"{licence} asks to name where it is from: give the source its url"
            yield Finding("licence", name, what)
        if "ND" in licence.split("-"):
            what = "forbids to publish what is changed"
            yield Finding("licence", name, what, True)
    if not manifest.get("description"):
        what = "says nothing of what it is: give a description"
        yield Finding("card", "README.md", what)


def _sizes(files: Mapping[str, int]) -> Iterator[Finding]:
    for path, size in files.items():
        if size > FILE_BYTES:
            what = f"{size:,} bytes, of {FILE_BYTES:,} at most"
            yield Finding("size", path, what, True)
    folders = Counter(str(Path(path).parent) for path in files)
    for folder, count in folders.items():
        if count > IN_FOLDER:
            what = f"{count:,} files in one folder, of {IN_FOLDER:,} at most: --without {folder}"
            yield Finding("size", folder, what, True)
    if len(files) > IN_WHOLE:
        what = f"{len(files):,} files, of {IN_WHOLE:,} at most"
        yield Finding("size", "all", what, True)
    whole = sum(files.values())
    if whole > WHOLE_BYTES:
        yield Finding("size", "all", f"{whole:,} bytes: ask the hub for room first")


def _viewer(release: Path, files: Mapping[str, int]) -> Iterator[Finding]:
    import pyarrow.parquet as pq

    for path in files:
        if not path.endswith(".parquet"):
            continue
        file = pq.ParquetFile(release / path)
        groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
        most = max((group.total_byte_size for group in groups), default=0)
        if most > GROUP_BYTES:
            what = f"a row group of {most:,} bytes; the viewer reads {GROUP_BYTES:,} at most"
            yield Finding("viewer", path, what)
        metadata = file.schema_arrow.metadata or {}
        features = decode(metadata.get(b"huggingface", b"{}")) or {}
        if path.startswith("data/") and "info" not in features:
            yield Finding("viewer", path, "does not say which columns are pictures")
