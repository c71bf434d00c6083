r"""What opens a problem in a document: found by what repeats, before anything is written.

Commands and environments whose name or definition says "problem" (`\question`, `uppgift` defined by
`\newtheorem{uppgift}{Exercise}`), environments that hold solutions or options, labels in bold or in
headings that count ("Problem 3."), items of lists, own environments that repeat, plain numbers at
line starts: the first of these that a document has. A list that is part of a sentence
("... is lucky if (i) ..., (ii) ...") opens nothing; where nothing else does, all is one problem.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise, takewhile

import msgspec

from ...words import roman
from . import vocabulary as known
from .nodes import Node, Roles, entries, flat, words_of
from .roles import of_definition, of_label, of_name

_NUMBER = re.compile(r"\d{1,4}|(?<![A-Za-z])[IVX]{1,6}(?![A-Za-z])")
_JOINED = re.compile(
    r"(?:[,;，；、]|(?:\b(?:and|or|und|oder|et|ou|y|e|и)|且|或|和))\s*\Z"
)


class Outline(msgspec.Struct):
    """What opens the problems; `keys` are headings behind which answers stand (ids of nodes)."""

    environments: set[str] = set()
    nodes: set[int] = set()  # theorems and the like with a solution behind them (ids)
    labels: set[str] = set()  # templates of labels
    lists: bool = False
    numbers: bool = False
    whole: bool = False
    keys: set[int] = set()
    titles: set[str] = set()  # commands that sound like a problem, and head several

    def opened_by(self, node: Node) -> bool:
        """Whether an environment is a problem."""
        return node.kind == "environment" and (
            node.text in self.environments or id(node) in self.nodes
        )

    def inside(self, nodes: list[Node]) -> bool:
        """Whether problems open inside, so that what is around them only frames them."""
        return any(self.opened_by(n) or self.inside(n.held) for n in nodes)


class Event(msgspec.Struct):
    """Something that may open a problem, and the environments that it stands in."""

    kind: str  # heading, command, problem, own, list, part of a sentence, label, role
    name: str
    node: Node
    within: tuple[str, ...] = ()
    strong: bool = False

    def size(self, outline: Outline) -> int:
        """How many problems it opens."""
        if self.kind == "list":
            return len(self.node.items)
        return (
            self.kind in ("command", "problem") or template(self.name) in outline.labels
        )

    def is_above(self, other: Event) -> bool:
        return other.kind != "heading" or other.node.level > self.node.level


def outlined(nodes: list[Node], roles: Roles) -> Outline:
    """What opens problems in a document's body."""
    events = list(_events(nodes, roles, ()))
    outline = _chosen(events)
    if sum(e.kind == "problem" for e in events) > 1:
        alone = Counter(e.name for e in events if e.kind == "command" and not e.within)
        outline.titles = {name for name, times in alone.items() if times == 1}
    above = 0
    for k, event in enumerate(events):
        above += event.size(outline)
        if event.kind != "heading":
            continue
        below = list(takewhile(event.is_above, events[k + 1 :]))
        opened = sum(e.size(outline) for e in below)
        if of_label(event.name) in ("solution", "answer"):
            # solutions that stand there, or below headings of their own
            headed = sum(
                e.kind == "heading" and of_label(e.name) in ("solution", "answer")
                for e in below
            )
            said = sum(e.kind == "role" for e in below)
            is_key = opened > 0 or said > 1 or headed > 1
        elif of_definition(event.name) in ("solution", "answer"):
            # "Answers to the odd problems", where as many stand below it as above
            is_key = 0 < opened == above
        else:
            is_key = False
        if is_key:
            outline.keys.add(id(event.node))
    return outline


def _chosen(events: list[Event]) -> Outline:
    problems = [
        e for e in events if e.kind == "problem" or (e.kind == "own" and e.strong)
    ]
    if problems or any(e.kind == "command" for e in events):
        stated = [e for e in problems if e.node.plain in known.STATED]
        named = [e for e in problems if e.node.plain not in known.STATED]
        return Outline({e.name for e in named}, {id(e.node) for e in stated})
    top = [e for e in events if not set(e.within) & known.STATED]
    lists = [e for e in top if e.kind == "list"]
    apart = [e for e in top if e.kind in ("label", "heading")]
    # beside lists or own environments a bare heading "Exercises" is no problem
    free = {"own", "list"}.isdisjoint(e.kind for e in top)
    may_open = [e for e in apart if e.kind == "label" or _NUMBER.search(e.name) or free]
    labels = _counting(may_open)
    if labels and (not lists or any(of_label(label) == "problem" for label in labels)):
        return Outline(labels=labels)
    own = Counter(e.name for e in top if e.kind == "own")
    repeated = {name for name, times in own.items() if times > 1}
    if lists:
        outer = {name for e in lists for name in e.within} & own.keys()
        all_inside = all(e.within for e in lists)
        below_stems = all(e.strong for e in lists if e.within)
        if outer and all_inside and (below_stems or outer <= repeated):
            return Outline(environments=outer | repeated)
        return Outline(lists=True)
    if repeated:
        return Outline(environments=repeated)
    if labels:
        return Outline(labels=labels)
    whole = any(e.kind == "part of a sentence" for e in events)
    return Outline(whole=whole, numbers=not whole)


def _counting(events: list[Event]) -> set[str]:
    """Templates of labels that count on, or that say "problem" by themselves."""
    numbers = defaultdict(list)
    for event in events:
        found = _NUMBER.search(event.name)
        numbers[template(event.name)].append(found[0] if found else "")
    labels = set()
    for label, numerals in numbers.items():
        values = [int(n) for n in numerals if n.isdigit()]
        values = values or [roman(n) for n in numerals if n]
        counts = len(values) > 1 and _go_on(values)
        says = of_label(label.replace("#", "1")) == "problem"
        if says or (counts and len(label.split()) < 4):
            labels.add(label)
    return labels


def _go_on(values: list[int]) -> bool:
    """Whether numbers go on one by one, perhaps from 1 again in another section."""
    steps = [*pairwise(values)]
    following = sum(b - a == 1 for a, b in steps)
    restarts = sum(b == 1 for _, b in steps)
    return following + restarts == len(steps) and following >= restarts


def template(label: str) -> str:
    """A label with a slot for its number.

    >>> template("Problem 12. "), template("Problem 3 (5 points).")
    ('problem #', 'problem #')
    """
    label = _NUMBER.sub("#", re.sub(r"[(\[（].*?[)\]）]", "", label), count=1)
    return " ".join(re.sub(r"[^\w#]+", " ", label).split()).casefold()


def _events(
    nodes: list[Node], roles: Roles, within: tuple[str, ...]
) -> Iterator[Event]:
    for k, node in enumerate(nodes):
        if node.kind == "environment":
            if _followed(nodes, k, roles):
                yield Event("problem", node.text, node, within)
            else:
                before = [
                    n for n in nodes[max(0, k - 12) : k] if n.kind != "environment"
                ]
                yield from _of_environment(node, words_of(before), roles, within)
        elif node.level > 0:
            yield Event("heading", words_of(node.held), node, within)
        elif node.opens:
            yield Event("command", node.plain, node, within)
        elif label := node.label:
            yield Event("label", label, node, within)
        elif node.kind == "command" and (
            node.is_options or of_name(node.plain) in ("solution", "answer", "hint")
        ):
            yield Event("role", node.plain, node, within)
        if node.kind in ("group", "command"):
            yield from _events(node.held, roles, within)


def _followed(nodes: list[Node], k: int, roles: Roles) -> bool:
    """Does a solution stand right behind it? A theorem's proof is none."""
    if roles.means(nodes[k]) not in ("problem", "stated", "own"):
        return False
    for after in nodes[k + 1 : k + 4]:
        if after.kind == "environment":
            return roles.of(after.text) == "solution" and after.text != "proof"
        if after.kind not in ("text", "sign") or after.text.strip():
            return False
    return False


def _of_environment(
    node: Node, before: str, roles: Roles, within: tuple[str, ...]
) -> Iterator[Event]:
    name = node.text
    means = roles.means(node)
    if means in ("outside", "table"):
        return
    inner = list(_events(node.inside, roles, (*within, name)))
    opened = {e.kind for e in inner}
    asked = any(e.kind == "problem" and e.node.plain not in known.STATED for e in inner)
    if means in ("solution", "answer", "hint") and not asked:
        yield Event("role", name, node, within)  # a claim that it proves asks nothing
    elif means == "options" or (means == "list" and node.items):
        if means == "list":
            joined = roles.of(name) != "problem" and in_sentence(before, node)
            kind = "part of a sentence" if joined else "list"
            yield Event(kind, name, node, within, bool(before.strip()))
        yield from (e for e in inner if e.kind in ("problem", "command", "role"))
    elif means == "problem" and not opened & {"problem", "command"}:
        yield Event("problem", name, node, within)
    else:
        if means not in ("problem", "stated"):
            strong = any(
                e.kind == "role" and e.within == (*within, name) for e in inner
            )
            strong |= any(n.is_options or roles.of_options(n) for n in node.inside)
            yield Event("own", name, node, within, strong)
        yield from inner


def in_sentence(before: str, node: Node) -> bool:
    """Is a list part of the sentence that stands before it?"""
    stem = before.rpartition("\n\n")[2].strip()
    items = entries(node.inside, lambda n: n.is_item)[1]
    if not stem or len(items) < 2:
        return False
    joined = [_JOINED.search(flat(body).strip()) for _, body in items[:-1]]
    loose = not re.search(r"[.:?!。：？！]\s*\Z", stem)
    return all(joined) or (loose and all(mark.option is not None for mark, _ in items))
