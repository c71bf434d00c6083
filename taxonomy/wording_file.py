r"""A wording file: the words of a paper, or one's own, in place of ours, where a user has them.

```yaml
words: We-Math, table 14                      # whose they are: told in every record
errors: {we-math: {knowledge error: ..., reason error: ..., visual error: ..., hallucination: ...}}
cards: {Area of Circles: ..., ...}            # every concept of We-Math's tree; {text, pictures}
definitions: {math-v: {algebra: ..., ...}}    # every leaf of a tree
instructions: {math-v: ...}                   # to annotators, of the projects with a tree
advice: "... one of $labels ... \\boxed{}"    # what models are asked for labels
prompts: {process: ...}                       # of judges: as the files of --prompt-files
verbatim: true                                # replies go into these prompts without a fence
```

Two official files are wording files as they are: We-Math's rows (testmini.json) for their cards,
MathVerse's evaluation/prompts.py for the prompts of its two models.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec
import yaml

from ..base.files import BAD_JSON, inside, read_bytes
from ..base.yaml_lines import Located, read_located
from ..errors import UserError, nearest
from .first_errors import error_scheme, first_errors
from .load import load_tree, source_of
from .tree import SEPARATOR, Tree, fold
from .we_math import knowledge_cards

# MathVerse's prompts in evaluation/prompts.py, how its code ends them, and the names of its fields.
MATHVERSE = {
    "demo_prompt_extract": (
        "wo-extract",
        "\n\nModel response: '$reply'\nExtracted Answer: ",
    ),
    "demo_prompt_score": ("wo-match", ""),
}
FIELDS = {"question": "$question", "gt": "$answer", "extraction": "$extraction"}


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A knowledge card; `pictures` are files beside the wording file."""

    text: str
    pictures: list[str] = []


class Words(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a wording file says. `prompts` are checked by the judges, who know their names."""

    words: str
    errors: dict[str, dict[str, str]] = {}  # benchmark -> class -> what it means
    cards: dict[str, str | Card] = {}
    definitions: dict[str, dict[str, str]] = {}  # tree -> leaf -> definition
    instructions: dict[str, str] = {}  # tree -> what annotators read
    advice: str = ""
    prompts: dict[str, str] = {}
    verbatim: bool = False
    folder: str = ""  # of the pictures

    def card_texts(self) -> dict[str, str]:
        """Concept -> card."""
        return {
            concept: card if isinstance(card, str) else card.text
            for concept, card in self.cards.items()
        }

    def card_pictures(self, concepts: Collection[str]) -> list[Path]:
        """The pictures of the concepts' cards, in their order."""
        cards = map(self.cards.get, concepts)
        return [
            inside(Path(self.folder), name)
            for card in cards
            if isinstance(card, Card)
            for name in card.pictures
        ]


def read_words(path: str | Path) -> Words:
    """The words of a wording file, each item checked against what it stands for.

    Raises UserError with the line for what is missing, foreign, doubled or no text.
    """
    path = Path(path)
    if path.suffix == ".py":
        return _mathverse_code(path)
    rows = path.suffix == ".json"
    file = Located(path, _of_rows(path), None) if rows else read_located(path)
    try:
        words = msgspec.convert(file.data, Words)
    except msgspec.ValidationError as error:
        raise UserError(
            f"{path}: {error}", "see docs/judging.md, Wording files"
        ) from error
    words.folder = str(path.parent)
    _check(words, file)
    return words


def _check(words: Words, file: Located) -> None:
    """Raises UserError for what is none of ours, and for a part that is not whole."""
    for benchmark, classes in words.errors.items():
        if error_scheme(benchmark) != benchmark:
            raise UserError(
                f"{file.at('errors', benchmark)}: {benchmark!r} has no classes of its "
                "own",
                "write math-v, mathverse, mm-math or we-math",
            )
        _same(file, ("errors", benchmark), classes, first_errors(benchmark))
    for name, definitions in words.definitions.items():
        tree = load_tree(name)
        leaves = list(map(tree.label, tree.leaves))
        _same(file, ("definitions", name), definitions, leaves)
    for name in words.instructions:
        load_tree(name)  # is a tree
    if words.cards:
        _same(file, ("cards",), words.card_texts(), knowledge_cards())
        for picture in words.card_pictures(list(words.cards)):
            if not picture.is_file():
                where = file.at("cards")
                raise UserError(
                    f"{where}: there is no picture {picture}", "give the file"
                )


def _same(
    file: Located, keys: Any, texts: Mapping[str, str], ours: Collection[str]
) -> None:
    """Each item that is ours, and no other, with a text."""
    for name, text in texts.items():
        if name not in ours:
            raise UserError(
                f"{file.at(*keys, name)}: {name!r} is none of ours",
                nearest(name, list(ours)),
            )
        if not text.strip():
            raise UserError(
                f"{file.at(*keys, name)}: {name!r} has no text", "write one"
            )
    if missing := [name for name in ours if name not in texts]:
        raise UserError(
            f"{file.at(*keys)}: {len(missing)} of {len(ours)} are missing, the first "
            f"is {missing[0]!r}",
            "give them all, or leave the part out",
        )


def _of_rows(path: Path) -> dict[str, Any]:
    """The card of each concept, from We-Math's rows of one concept alone."""
    try:
        rows = msgspec.json.decode(read_bytes(path), type=list[dict[str, Any]])
    except BAD_JSON as error:
        raise UserError(
            f"{path}: {error}", "give We-Math's testmini.json, or YAML"
        ) from error
    cards: dict[str, str] = {}
    for row in rows:
        name = str(row.get("knowledge concept", "")).strip()
        card = str(row.get("knowledge concept description", "")).removeprefix(
            f"{name}:\n"
        )
        if name in knowledge_cards() and cards.setdefault(name, card) != card:
            raise UserError(
                f"{path}: two cards of {name!r}", "this is another version of the file"
            )
    return {"words": f"We-Math's rows ({path.name})", "cards": cards}


def _mathverse_code(path: Path) -> Words:
    """The prompts of MathVerse's code, read and never run."""
    try:
        body = ast.parse(path.read_text("utf-8")).body
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise UserError(
            f"{path} cannot be read: {error}", "give MathVerse's prompts.py"
        ) from error
    texts = dict(_constants(body))
    if missing := [name for name in MATHVERSE if name not in texts]:
        raise UserError(
            f"{path} has no {missing[0]}", "give MathVerse's evaluation/prompts.py"
        )
    extract, score = MATHVERSE.values()
    plain = texts["demo_prompt_extract"].replace("$", "$$")
    try:
        template = "".join(_dollars(texts["demo_prompt_score"]))
    except (ValueError, LookupError) as error:
        raise UserError(
            f"{path}: demo_prompt_score: {error!r}", "is it another version?"
        ) from error
    prompts = {extract[0]: plain + extract[1], score[0]: template}
    return Words(
        words=f"MathVerse's code ({path.name})", prompts=prompts, verbatim=True
    )


def _constants(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """The names to which a module assigns a text, and the text."""
    for node in body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
            continue
        text = node.value.value
        for target in node.targets:
            if isinstance(target, ast.Name) and isinstance(text, str):
                yield target.id, text.strip()


def _dollars(text: str) -> Iterator[str]:
    """A text for `str.format` as one with `$names`."""
    for literal, field, _, _ in Formatter().parse(text):
        yield literal.replace("$", "$$")
        if field is not None:
            yield FIELDS[field]


def tree_in_words(name: str | Path, words: Words) -> bytes:
    """A tree's YAML with the definitions and the instruction of a wording file in place of ours.

    Raises UserError where the file has none for the tree.
    """
    tree = load_tree(name)
    definitions = words.definitions.get(tree.name)
    if definitions is None and tree.name not in words.instructions:
        raise UserError(
            f"the wording file says nothing of {tree.name!r}", "name another tree"
        )
    raw: Any = yaml.safe_load(source_of(name))
    if definitions:
        by_label = {fold(label): text for label, text in definitions.items()}
        _reword(raw["nodes"], tree, by_label)
        raw["source"] = f"{tree.source}; definitions here: {words.words}"
    if tree.name in words.instructions:
        raw["instruction"] = words.instructions[tree.name]
    return yaml.safe_dump(raw, allow_unicode=True, sort_keys=False, width=100).encode()


def _reword(
    entries: list[Any], tree: Tree, definitions: Mapping[str, str], above: str = ""
) -> None:
    """Put the definitions, by folded labels, into the leaves of a tree's YAML."""
    for k, entry in enumerate(entries):
        node: dict[str, Any] = {"name": entry} if isinstance(entry, str) else entry
        path = f"{above}{SEPARATOR}{node['name']}" if above else str(node["name"])
        label = fold(tree.label(tree.find(path)))
        if label in definitions and not node.get("children"):
            node["definition"] = definitions[label]
        _reword(node.get("children") or [], tree, definitions, path)
        entries[k] = node
