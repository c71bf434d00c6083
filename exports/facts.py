"""What a release says that does not follow from its problems and pictures: the manifest's facts."""

from __future__ import annotations

import hashlib
import importlib.metadata
import uuid
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from ..base.contamination import Contamination, read_account
from ..base.files import encode
from ..pipeline import Labour, Recipe, Report

LIBRARIES = ("matplotlib", "numpy", "pillow", "pyarrow")
WRITTEN_BY = ("tool", "libraries")  # another version of these writes the same release


class SourceFacts(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A source as the recipe names it."""

    name: str
    reader: str
    license: str | None = None
    url: str | None = None
    benchmark: str | None = None


class StageFacts(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a stage did (`Report.released`)."""

    stage: str
    options: dict[str, Any]
    taken: int
    kept: int
    dropped: int
    out: int
    reasons: dict[str, int]
    tables: dict[str, int]
    findings: dict[str, int] = {}
    labour: list[Labour] = []


class Entry(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What CHANGELOG.md says of one version, line by line."""

    version: str
    lines: list[str]


class Facts(msgspec.Struct, kw_only=True):
    """The part of manifest.json from which, with problems and pictures, all else follows."""

    name: str
    version: str
    title: str
    description: str
    url: str | None
    date: str | None
    tool: dict[str, str]
    libraries: dict[str, str]
    seed: int
    sources: list[SourceFacts]
    stages: Annotated[list[StageFacts], msgspec.Meta(min_length=1)]
    split_order: list[str]
    withhold_answers: list[str]
    answers: dict[str, str]  # id of a withheld sample -> commitment to its answer
    changelog: list[Entry]  # the newest first
    glance: list[str] = []  # what is wrong with a source on the face of it
    contamination: list[Contamination] | msgspec.UnsetType = msgspec.UNSET
    build_key: str = ""


class SplitFacts(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A split as manifest.json counts it."""

    problems: int
    samples: int
    withheld: bool
    ids: list[str]


class FileFacts(
    msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A file as manifest.json pins it."""

    sha256: str
    bytes: int
    rows: int | None = None


class Manifest(Facts, kw_only=True, forbid_unknown_fields=True):
    """manifest.json whole: its shape, and nothing else may stand in it."""

    canary: str
    licences: list[str]
    findings: dict[str, int]
    splits: dict[str, SplitFacts]
    files: dict[str, FileFacts]


def facts_of(
    recipe: Recipe,
    splits: list[str],
    reports: list[Report],
    answers: dict[str, str],
    entries: list[Entry],
    glance: list[str],
) -> Facts:
    """The facts of a release that is to be built; `build_key` is filled by `keyed`."""
    sources = [
        {name: getattr(spec, name) for name in SourceFacts.__struct_fields__}
        | {"url": spec.address}
        for spec in recipe.sources
    ]
    facts = {
        "name": recipe.name,
        "version": recipe.version,
        "title": recipe.title or recipe.name,
        "description": recipe.description,
        "url": recipe.url,
        "date": recipe.date,
        "tool": tool(),
        "libraries": libraries(),
        "seed": recipe.seed,
        "sources": sources,
        "stages": [report.released() for report in reports],
        "split_order": splits,
        "withhold_answers": [
            name for name in splits if name in recipe.withhold_answers
        ],
        "answers": answers,
        "changelog": msgspec.to_builtins(entries),
        "glance": glance,
    }
    if recipe.contamination:
        facts["contamination"] = contaminations(recipe)
    return msgspec.convert(facts, Facts)


def contaminations(recipe: Recipe) -> list[dict[str, Any]]:
    """What the recipe's contamination.json files say; of a source its name, and no path.

    Raises UserError for a file that is none.
    """
    accounts = [read_account(recipe.folder / file) for file in recipe.contamination]
    return [msgspec.structs.asdict(account.for_release()) for account in accounts]


def tool() -> dict[str, str]:
    """What writes releases here."""
    return {"name": "benchwright", "version": importlib.metadata.version("benchwright")}


@lru_cache(maxsize=1)
def libraries() -> dict[str, str]:
    """The libraries on which the bytes of Parquet and figures depend, with their versions."""
    return {name: importlib.metadata.version(name) for name in LIBRARIES}


def build_key(facts: Facts, ground: Mapping[str, str]) -> str:
    """The hash of all facts and of the files (path -> sha256) from which the rest follows."""
    values = msgspec.to_builtins(facts, order="sorted")
    hashed = {
        name: values[name]
        for name in Facts.__struct_fields__
        if name != "build_key" and name in values
    }
    return hashlib.sha256(encode([hashed, dict(ground)])).hexdigest()


def keyed(facts: Facts, ground: Mapping[str, str]) -> Facts:
    """The facts with their build key, as they read when they come back from a manifest."""
    full = msgspec.structs.replace(facts, build_key=build_key(facts, ground))
    return msgspec.json.decode(encode(full), type=Facts)


def same_build(
    facts: Facts, ground: Mapping[str, str], manifest: Mapping[str, Any]
) -> bool:
    """Is a manifest of this very release, whichever version of the tools wrote it?"""
    try:
        writers = {
            name: msgspec.convert(manifest[name], dict[str, str]) for name in WRITTEN_BY
        }
    except (KeyError, msgspec.ValidationError):
        return False
    key = build_key(msgspec.structs.replace(facts, **writers), ground)
    return bool(manifest.get("build_key") == key)


def canary(name: str) -> str:
    """The benchmark's GUID, the same in all its versions; it stands in every data file."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"benchwright-canary:{name}"))


def findings(facts: Facts) -> dict[str, int]:
    """Findings by code, over all stages that looked."""
    total = Counter[str]()
    for stage in facts.stages:
        total.update(stage.findings)
    return dict(sorted(total.items()))
