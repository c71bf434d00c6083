"""recipe.yaml -> Recipe: strict; a wrong key names the nearest right one and its line."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from ..base.files import address_of
from ..base.stores import brought
from ..base.yaml_lines import Key, Located, read_located
from ..errors import UserError, nearest

T = TypeVar("T")

SEMVER = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
SPLIT = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*")  # what `datasets` accepts


Constant = str | int | float | list[str]


class SourceSpec(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One raw dump: which reader reads which file, and under which licence (SPDX)."""

    name: str
    reader: str
    path: str | list[str]
    images: str | None = (
        None  # folder that picture paths are relative to; default: the file's
    )
    license: str | None = None
    url: str | None = None
    language: str | None = None
    benchmark: str | None = None  # whose rules, prompts and export names hold
    labels: dict[
        str, Constant
    ] = {}  # what holds for every row that does not say it itself
    annotated: str | None = None  # folder of pictures `<raw id>.png` drawn over by hand
    rows: str | None = None  # the path to the rows of a file; @ is the file itself
    fields: dict[str, str] = {}  # our field -> theirs, or a path into it
    roles: dict[str, Any] = {}  # their word, command, class or column -> what it is
    options: dict[str, Any] = {}  # further options of the reader

    @property
    def address(self) -> str | None:
        """Its url; of a data set on the hub, the page of the commit that is read."""
        if self.reader == "hub" and (revision := self.options.get("revision")):
            return f"https://huggingface.co/datasets/{self.path}/tree/{revision}"
        return self.url


class Split(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`size` problems drawn in strata of the labels `by`, or those listed in the file `ids`."""

    size: int | float | None = None  # problems, or a fraction of one
    by: list[str] = []
    per_stratum: Literal["proportional", "equal"] = "proportional"
    ids: str | None = None  # one per line, or JSONL


class Withdrawal(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A published problem that is taken out, and why: everybody reads the reason."""

    id: str
    reason: Annotated[str, msgspec.Meta(min_length=1)]


class StageSpec(msgspec.Struct, kw_only=True):
    """A stage's name, its options and its place in the recipe, e.g. `recipe.yaml:9`."""

    name: str
    options: dict[str, Any] = {}
    at: str = ""


def _everything() -> dict[str, Any]:
    return {"test": "rest"}


class Recipe(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What `build-release` builds. Paths are relative to `folder`."""

    name: str
    version: str
    sources: list[SourceSpec]
    title: str = ""
    description: str = ""
    url: str | None = None
    date: str | None = (
        None  # of publication, ISO 8601; only what is given here is written
    )
    benchmark: str | None = None  # of sources that name none
    labels: dict[str, Constant] = {}  # of sources that do not say otherwise
    seed: int = 0
    stages: list[StageSpec] = []
    splits: dict[str, Split | Literal["rest"]] = msgspec.field(
        default_factory=_everything
    )
    withhold_answers: list[str] = []
    exports: list[str] = []
    errata: str | None = None
    contamination: list[str] = []  # contamination.json files, for the card
    withdraw: list[Withdrawal] = []  # in the recipe itself, or in a file that it names
    previous: str | None = (
        None  # an earlier release's folder: CHANGELOG comes from the difference
    )
    allow_unlicensed: bool = False
    folder: Path = Path()
    path: Path = Path("recipe.yaml")


def read_recipe(path: str | Path) -> Recipe:
    """Read and check a recipe.

    Raises UserError with file, line and remedy for unreadable YAML, unknown or missing keys, and
    values of the wrong type.
    """
    path = Path(path)
    file = read_located(path)
    if not isinstance(file.data, dict):
        raise UserError(
            f"{path}: not a mapping", "start with name:, version: and sources:"
        )
    sections = {
        "sources": [
            _convert(file, SourceSpec, "sources", k, data=_listed(file, k))
            for k in _each(file, "sources")
        ],
        "stages": [_stage(file, k) for k in _each(file, "stages")],
        "splits": {name: _split(file, name) for name in _each(file, "splits")},
        "withdraw": _withdrawn(file),
    }
    present = {name: value for name, value in sections.items() if name in file.data}
    plain = {key: value for key, value in file.data.items() if key not in sections}
    if isinstance(plain.get("date"), datetime.date):  # YAML reads 2026-01-31 as one
        plain["date"] = plain["date"].isoformat()
    recipe = msgspec.structs.replace(
        _convert(file, Recipe, data=plain | {"sources": []}),
        folder=path.parent,
        path=path,
        **present,
    )
    _check_names(file, recipe)
    return msgspec.structs.replace(
        recipe,
        sources=[
            msgspec.structs.replace(
                on_this_machine(spec),
                benchmark=spec.benchmark or recipe.benchmark,
                labels=recipe.labels | spec.labels,
            )
            for spec in recipe.sources
        ],
    )


def on_this_machine(spec: SourceSpec) -> SourceSpec:
    """The source with files and folders that lie in stores brought here.

    Raises UserError for one that is not there.
    """
    changes: dict[str, Any] = {}
    for name in ("path", "images", "annotated"):
        value = getattr(spec, name)
        if isinstance(value, list) and any(map(address_of, value)):
            changes[name] = [_here(one) for one in value]
        elif isinstance(value, str) and address_of(value):
            changes[name] = _here(value)
    return msgspec.structs.replace(spec, **changes) if changes else spec


def _here(path: str) -> str:
    return str(brought(path)) if address_of(path) else path


def _listed(file: Located, index: int) -> Any:
    """A source in whose map a list of columns, `[context, ask]`, is them with commas between."""
    source = file.data["sources"][index]
    fields = source.get("fields") if isinstance(source, dict) else None
    if not isinstance(fields, dict):
        return source
    joined = {
        name: ",".join(place)
        if isinstance(place, list) and all(isinstance(one, str) for one in place)
        else place
        for name, place in fields.items()
    }
    return source | {"fields": joined}


def _withdrawn(file: Located) -> list[Withdrawal]:
    """The withdrawn problems: a list, or the YAML file that holds one."""
    value: Any = file.data.get("withdraw")
    keys = ["withdraw"]
    if isinstance(value, str):
        file = read_located(file.path.parent / value)
        keys = []
        value = file.data
    if not isinstance(value if value is not None else [], list):
        raise UserError(
            f"{file.at(*keys)}: withdraw is {value!r}", "write a list of {id, reason}"
        )
    found: dict[str, Withdrawal] = {}
    for k, _ in enumerate(value or ()):
        entry = _convert(file, Withdrawal, *keys, k)
        if entry.id in found:
            raise UserError(
                f"{file.at(*keys, k)}: {entry.id} stands twice", "give one reason"
            )
        found[entry.id] = entry
    return list(found.values())


def _each(file: Located, section: str) -> Iterable[Any]:
    """The indices of a list, or the keys of a mapping (splits)."""
    value = file.data.get(section)
    shape = dict if section == "splits" else list
    if not isinstance(value if value is not None else shape(), shape):
        kind = (
            "a mapping of names" if shape is dict else "a list, each entry behind '- '"
        )
        raise UserError(f"{file.at(section)}: {section} is {value!r}", f"write {kind}")
    return range(len(value or ())) if shape is list else list(value or ())


def _convert(file: Located, kind: type[T], *keys: Key, data: Any = None) -> T:
    """The part of the file at `keys` (or `data`) as `kind`; mistakes named with their line."""
    if data is None:
        data = reduce(lambda part, key: part[key], keys, file.data)
    if isinstance(data, dict):
        internal = ("folder", "path") if kind is Recipe else ()  # not the user's to set
        fields = msgspec.structs.fields(kind)  # type: ignore[arg-type]
        allowed = [field.name for field in fields if field.name not in internal]
        for key in data:
            if key not in allowed:
                at = file.at(*keys, key)
                raise UserError(
                    f"{at}: unknown key {key!r}", nearest(str(key), allowed)
                )
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        what, _, inside = str(error).partition(" - at `$")
        place = [*keys, *re.findall(r"\w+", inside)]
        name = ".".join(map(str, place)) or "recipe"
        what = (
            what.replace("`array`", "a list")
            .replace("`object`", "a mapping")
            .replace("`", "")
        )
        named = _unquoted(data, what)
        raise UserError(
            f"{file.at(*place)}: {name}: {what}{named}",
            _remedy(named, str(place[-1]) if place else ""),
        ) from error


def _unquoted(data: Any, what: str) -> str:
    """Which pair of a map is no text: YAML reads `No` as false, and `1` as a number."""
    if "Expected str" not in what or not isinstance(data, dict):
        return ""
    fields = data.get("fields")
    pairs = fields.items() if isinstance(fields, dict) else ()
    odd = next(
        ((k, v) for k, v in pairs if not (isinstance(k, str) and isinstance(v, str))),
        None,
    )
    return f" at {odd[0]}: {odd[1]!r}" if odd else ""


# How what is a map, or a list, is written
_WRITTEN = {
    "roles": "roles: {Facit: answer}",
    "fields": "fields: {question: text, answer: key}",
    "options": "options: {gold: label}",
    "labels": "labels: {grade: 8}",
    "path": "path: data.csv, or path: [a.csv, b.csv]",
    "withhold_answers": "withhold_answers: [test]",
    "exports": "exports: [vlmevalkit]",
}


def _remedy(named: str, key: str) -> str:
    """What corrects a value of the wrong shape."""
    if named:
        return "quote it, as in fields: {id: 'No'}"
    return f"write it as in {_WRITTEN[key]}" if key in _WRITTEN else "correct it"


def _split(file: Located, name: Any) -> Split | Literal["rest"]:
    at = file.at("splits", name)
    value = file.data["splits"][name]
    if not (isinstance(name, str) and SPLIT.fullmatch(name)) or name == "all":
        raise UserError(
            f"{at}: split {name!r}", "use letters, digits and '_'; all is taken"
        )
    if value == "rest":
        others = [other for other in file.data["splits"].items() if other[1] == "rest"]
        if len(others) > 1:
            raise UserError(
                f"{at}: {len(others)} splits are rest", "only one can take the rest"
            )
        return "rest"
    if not isinstance(value, dict):
        raise UserError(
            f"{at}: split {name!r} is {value!r}", "write rest, {size: 100} or {ids: f}"
        )
    split = _convert(file, Split, "splits", name)
    if split.ids is not None:
        return split
    if split.size is None:
        raise UserError(f"{at}: split {name!r} has no size", "give size: or ids:")
    if split.size <= 0 or (isinstance(split.size, float) and split.size >= 1):
        raise UserError(
            f"{file.at('splits', name, 'size')}: split {name!r} has size {split.size}",
            "give a number of problems, or a fraction between 0 and 1",
        )
    return split


def _stage(file: Located, index: int) -> StageSpec:
    """`- latex` or `- latex: {option: value}`."""
    entry = file.data["stages"][index]
    at = file.at("stages", index)
    if isinstance(entry, str):
        return StageSpec(name=entry, at=at)
    if isinstance(entry, dict) and len(entry) == 1:
        ((name, options),) = entry.items()
        if options is None or isinstance(options, dict):
            return StageSpec(name=str(name), options=options or {}, at=at)
    raise UserError(
        f"{at}: stage {entry!r}", "write '- name' or '- name: {option: value}'"
    )


def _check_names(file: Located, recipe: Recipe) -> None:
    if not NAME.fullmatch(recipe.name):
        raise UserError(
            f"{file.at('name')}: name {recipe.name!r}",
            "use letters, digits, '.', '_', '-'",
        )
    if not SEMVER.fullmatch(recipe.version):
        raise UserError(
            f"{file.at('version')}: version {recipe.version!r}",
            "use MAJOR.MINOR.PATCH, e.g. 1.0.0",
        )
    if not recipe.sources:
        raise UserError(
            f"{file.path}: no sources", "name at least one raw dump under sources:"
        )
    for split in recipe.withhold_answers:
        if split not in recipe.splits:
            raise UserError(
                f"{file.at('withhold_answers')}: no split {split!r}",
                nearest(split, list(recipe.splits)),
            )
