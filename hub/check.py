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

REPOSITORY = re.compile(
    r"[\w.-]{1,96}/(?!.*(?:--|\.\.))[^\W_](?:[\w.-]{0,94}[^\W_])?", re.ASCII
)
CONFIG = re.compile(r"[^<>:/\\|?*\s]+")
FILE_BYTES = 50_000_000_000  # the most that one file may have
WHOLE_BYTES = 300_000_000_000  # above it the hub asks to be spoken to
IN_FOLDER, IN_WHOLE = 10_000, 100_000  # files
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
    match = re.match(r"---\r?\n(.*?\n)---\r?\n", card, re.DOTALL)
    try:
        found = yaml.safe_load(match[1]) if match else {}
    except yaml.YAMLError:
        return {}
    return found if isinstance(found, dict) else {}


def _card(release: Path, files: Mapping[str, int]) -> Iterator[Finding]:
    front = front_matter((release / "README.md").read_text("utf-8"))
    for key in ("license", "configs", "pretty_name", "language"):
        if not front.get(key):
            yield Finding("card", "README.md", f"says no {key}", key == "configs")
    for config in front.get("configs", []):
        name = str(config["config_name"])
        if not CONFIG.fullmatch(name):
            yield Finding("name", name, "is no name of a configuration", True)
        for path in (path for split in config["data_files"] for path in split["path"]):
            if path not in files:
                yield Finding(
                    "card",
                    f"README.md: {name}",
                    f"names {path}, which is not there",
                    True,
                )


def _licences(manifest: Mapping[str, Any]) -> Iterator[Finding]:
    for source in manifest["sources"]:
        if not source.get("license"):
            yield Finding(
                "licence", source["name"], "has no licence: may it be published?", True
            )
        elif "BY" in source["license"] and not source.get("url"):
            what = f"{source['license']} asks to name where it is from: give the source its url"
            yield Finding("licence", source["name"], what)
        if "ND" in (source.get("license") or "").split("-"):
            yield Finding(
                "licence", source["name"], "forbids to publish what is changed", True
            )
    if not manifest.get("description"):
        yield Finding(
            "card", "README.md", "says nothing of what it is: give a description"
        )


def _sizes(files: Mapping[str, int]) -> Iterator[Finding]:
    for path, size in files.items():
        if size > FILE_BYTES:
            yield Finding(
                "size", path, f"{size:,} bytes, of {FILE_BYTES:,} at most", True
            )
    for folder, count in Counter(str(Path(path).parent) for path in files).items():
        if count > IN_FOLDER:
            what = f"{count:,} files in one folder, of {IN_FOLDER:,} at most: --without {folder}"
            yield Finding("size", folder, what, True)
    if len(files) > IN_WHOLE:
        yield Finding(
            "size", "all", f"{len(files):,} files, of {IN_WHOLE:,} at most", True
        )
    if (whole := sum(files.values())) > WHOLE_BYTES:
        yield Finding("size", "all", f"{whole:,} bytes: ask the hub for room first")


def _viewer(release: Path, files: Mapping[str, int]) -> Iterator[Finding]:
    import pyarrow.parquet as pq

    for path in (path for path in files if path.endswith(".parquet")):
        file = pq.ParquetFile(release / path)
        groups = range(file.metadata.num_row_groups)
        most = max(
            (file.metadata.row_group(k).total_byte_size for k in groups), default=0
        )
        if most > GROUP_BYTES:
            what = f"a row group of {most:,} bytes; the viewer reads {GROUP_BYTES:,} at most"
            yield Finding("viewer", path, what)
        said = file.schema_arrow.metadata or {}
        if path.startswith("data/") and "info" not in (
            decode(said.get(b"huggingface", b"{}")) or {}
        ):
            yield Finding("viewer", path, "does not say which columns are pictures")
