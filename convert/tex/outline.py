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
from functools import partial
from itertools import pairwise, takewhile

import msgspec

from .roles import Role, of_definition, of_label, of_name
from .tree import Node, flat
from .vocabulary import (
    ACCENTS,
    FONTS,
    HEADINGS,
    ITEMS,
    OUTSIDE,
    PARTS,
    SIGNS,
    SILENT,
    STATED,
    TABLES,
    TRANSPARENT,
    WRAPPERS,
)

LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NUMBER = re.compile(r"\d{1,4}|(?<![A-Za-z])[IVX]{1,6}(?![A-Za-z])")
_SWITCHES = frozenset("bf bfseries it itshape em sc scshape sl large Large".split())
_CHOICE = re.compile(r"choi[cx]|option|wrong|correct", re.I)
RIGHT = re.compile(r"(?i)correct|right|true|bonne|dung\b")
_JOINED = re.compile(r"(?:[,;，；、]|(?:\b(?:and|or|und|oder|et|ou|y|e|и)|且|或|和))\s*\Z")


class Outline(msgspec.Struct):
    """What opens the problems; `keys` are headings behind which answers stand (ids of nodes)."""

    environments: set[str] = set()
    nodes: set[int] = set()  # environments that are told, but for those before a solution (ids)
    labels: set[str] = set()  # templates of labels
    lists: bool = False
    numbers: bool = False
    whole: bool = False
    keys: set[int] = set()


class Event(msgspec.Struct):
    """Something that may open a problem, and the environments that it stands in."""

    kind: str  # heading, command, problem, own, list, part of a sentence, label, role
    name: str
    node: Node
    within: tuple[str, ...] = ()
    strong: bool = False


class Roles(msgspec.Struct):
    """The roles of environments, by their names, else by their definitions in the document."""

    titles: dict[str, str]

    def of(self, name: str) -> Role | None:
        if name in (*WRAPPERS, *TABLES, "tasks") or name.rstrip("*") in STATED:
            return None
        return of_name(name) or of_definition(self.titles.get(name, ""))


def outlined(nodes: list[Node], roles: Roles) -> Outline:
    """What opens problems in a document's body."""
    events = list(_events(nodes, roles, ()))
    outline = _chosen(events)
    above = 0
    for k, event in enumerate(events):
        above += _size(event, outline)
        if event.kind != "heading":
            continue
        below = list(takewhile(partial(_is_below, event), events[k + 1 :]))
        opened = sum(_size(e, outline) for e in below)
        worked = sum(e.kind == "role" for e in below) > 1
        if of_label(event.name) in ("solution", "answer"):
            key = bool(opened) or worked
        else:  # "Answers to the odd problems", where as many stand below it as above
            said = of_definition(event.name) in ("solution", "answer")
            key = said and 0 < opened == above
        if key:
            outline.keys.add(id(event.node))
    return outline


def level(heading: str) -> int:
    """How deep a heading's command is."""
    return HEADINGS.index(heading.rstrip("*"))


def _is_below(heading: Event, event: Event) -> bool:
    return event.kind != "heading" or level(event.node.text) > level(heading.node.text)


def _size(event: Event, outline: Outline) -> int:
    """How many problems an event opens."""
    if event.kind == "list":
        return len(items_of(event.node))
    opens = event.kind in ("command", "problem") or template(event.name) in outline.labels
    return int(opens)


def _chosen(events: list[Event]) -> Outline:
    found = [e for e in events if e.kind == "problem" or (e.kind == "own" and e.strong)]
    if found or any(e.kind == "command" for e in events):
        told = {id(e.node) for e in found if e.name.rstrip("*") in STATED}
        return Outline({e.name for e in found if e.name.rstrip("*") not in STATED}, told)
    top = [e for e in events if not set(e.within) & STATED]
    lists = [e for e in top if e.kind == "list"]
    apart = [e for e in top if e.kind in ("label", "heading")]
    free = not {e.kind for e in top} & {"own", "list"}  # a bare heading "Exercises" is no problem
    labels = _counting([e for e in apart if e.kind == "label" or _NUMBER.search(e.name) or free])
    if labels and (not lists or any(of_label(label) == "problem" for label in labels)):
        return Outline(labels=labels)
    own = Counter(e.name for e in top if e.kind == "own")
    repeated = {name for name, times in own.items() if times > 1}
    if lists:
        outer = {name for e in lists for name in e.within} & own.keys()
        stems = all(e.strong for e in lists if e.within)
        if not outer or not all(e.within for e in lists) or not (stems or outer <= repeated):
            return Outline(lists=True)
        return Outline(environments=outer | repeated)
    if repeated:
        return Outline(environments=repeated)
    if labels:
        return Outline(labels=labels)
    if any(e.kind == "part of a sentence" for e in events):
        return Outline(whole=True)
    return Outline(numbers=True)


def _counting(events: list[Event]) -> set[str]:
    """Templates of labels that count on, or that say "problem" by themselves."""
    numbers = defaultdict(list)
    for event in events:
        found = _NUMBER.search(event.name)
        numbers[template(event.name)].append(found[0] if found else "")
    kept = set()
    for label, seen in numbers.items():
        values = [int(n) for n in seen if n.isdigit()] or [_roman(n) for n in seen if n]
        counts = len(values) > 1 and all(b - a == 1 for a, b in pairwise(values))
        says = of_label(label.replace("#", "1")) == "problem"
        if says or (counts and len(label.split()) < 4):
            kept.add(label)
    return kept


def _roman(numeral: str) -> int:
    value = [{"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}.get(c, 0) for c in numeral]
    return sum(-a if a < b else a for a, b in zip(value, [*value[1:], 0], strict=True))


def template(label: str) -> str:
    """A label with a slot for its number.

    >>> template("Problem 12. "), template("Problem 3 (5 points).")
    ('problem #', 'problem #')
    """
    label = _NUMBER.sub("#", re.sub(r"[(\[（].*?[)\]）]", "", label), count=1)
    return " ".join(re.sub(r"[^\w#]+", " ", label).split()).casefold()


def _events(nodes: list[Node], roles: Roles, within: tuple[str, ...]) -> Iterator[Event]:
    for k, node in enumerate(nodes):
        if node.kind == "command":
            name = node.text.rstrip("*")
            if name in HEADINGS and name not in PARTS:
                yield Event("heading", words_of(_group_behind(nodes, k)), node, within)
            elif opens_by_name(node.text):
                yield Event("command", name, node, within)
            elif label := label_at(nodes, k):
                yield Event("label", label, node, within)
            elif is_options(nodes, k) or of_name(name) in ("solution", "answer", "hint"):
                yield Event("role", name, node, within)
        elif node.kind == "group":
            if label := label_at(nodes, k):
                yield Event("label", label, node, within)
            else:
                yield from _events(node.inside, roles, within)
        elif node.kind == "environment":
            if _followed(nodes, k, roles):
                yield Event("problem", node.text, node, within)
            else:
                yield from _of_environment(node, nodes[max(0, k - 12) : k], roles, within)


def _followed(nodes: list[Node], k: int, roles: Roles) -> bool:
    """Does a solution stand right behind it? A theorem's proof is none."""
    node = nodes[k]
    if node.text in (*WRAPPERS, *TABLES) or items_of(node) or is_choices(node, roles):
        return False
    if roles.of(node.text) not in (None, "problem"):
        return False
    for after in nodes[k + 1 : k + 4]:
        if after.kind == "environment":
            return roles.of(after.text) == "solution" and after.text != "proof"
        if after.kind != "text" or after.text.strip():
            return False
    return False


def _of_environment(
    node: Node, before: list[Node], roles: Roles, within: tuple[str, ...]
) -> Iterator[Event]:
    name, role = node.text, roles.of(node.text)
    if name in OUTSIDE or name in TABLES:
        return
    inner = list(_events(node.inside, roles, (*within, name)))
    if role in ("solution", "answer", "hint") and not any(e.kind == "problem" for e in inner):
        yield Event("role", name, node, within)
        return
    if items_of(node):
        if not is_choices(node, roles) and not set(within) & {"@list"}:
            joined = role != "problem" and in_sentence(before, node)
            stem = bool(words_of(before).strip())
            yield Event("part of a sentence" if joined else "list", name, node, within, stem)
        yield from (e for e in inner if e.kind in ("problem", "command", "role"))
    elif role == "problem" and not any(e.kind in ("problem", "command") for e in inner):
        yield Event("problem", name, node, within)
    elif name in WRAPPERS or role == "problem" or name.rstrip("*") in STATED:
        yield from inner
    else:
        direct = any(e.kind == "role" and e.within == (*within, name) for e in inner)
        yield Event("own", name, node, within, direct or _holds_choices(node, roles))
        yield from inner


def opens_by_name(name: str) -> bool:
    """Does a command open a problem, by what it is called?"""
    plain = name.rstrip("*").removesuffix("@problem")
    return (
        plain not in SILENT
        and plain not in TRANSPARENT
        and plain not in ITEMS
        and (
            plain in ("titledquestion", "bonusquestion", "bonustitledquestion", "newproblem")
            or (of_name(plain) == "problem" and not plain.startswith(("the", "end")))
        )
    )


def items_of(node: Node) -> list[Node]:
    r"""The `\item`s of an environment that is a list, those in columns, too."""
    found = [n for n in node.inside if n.kind == "command" and n.text in ITEMS]
    for inner in node.inside:
        if inner.kind == "environment" and inner.text.startswith("multicols"):
            found += items_of(inner)
    return found


def is_choices(node: Node, roles: Roles) -> bool:
    """Are these the options of a problem?"""
    style = flat(node.inside[:12]).split("]")[0] if flat(node.inside[:1]) == "[" else ""
    style += roles.titles.get(node.text, "")
    capital = re.search(r"\\Alph|(?<![A-Za-z\\])A(?![A-Za-z])", style)
    return bool(_CHOICE.search(node.text) or node.text.startswith("oneparcheck")
                or node.text == "checkboxes" or (capital and items_of(node)))  # fmt: skip


def _holds_choices(node: Node, roles: Roles) -> bool:
    return any(
        (n.kind == "environment" and is_choices(n, roles))
        or (n.kind == "command" and is_options(node.inside, k))
        for k, n in enumerate(node.inside)
    )


def is_options(nodes: list[Node], k: int) -> bool:
    r"""`\choice{a}{\True b}{c}`: a command of several groups, called so, or of four."""
    name = nodes[k].text
    behind = [n for n in nodes[k + 1 : k + 9] if n.kind != "text" or n.text.strip()]
    groups = len([*takewhile(lambda n: n.kind == "group", behind)])
    known = name in (*SIGNS, *ACCENTS, *SILENT, *TRANSPARENT) or opens_by_name(name)
    return groups > 1 and bool(_CHOICE.search(name) or (groups > 3 and not known))


def in_sentence(before: list[Node], node: Node) -> bool:
    """Is a list part of the sentence that stands before it?"""
    stem = words_of(before).rpartition("\n\n")[2].strip()
    if not stem:
        return False
    ends, labelled, start = list[bool](), 0, -1
    for k, one in enumerate([*node.inside, Node("command", "item")]):
        if one.kind == "command" and one.text in ITEMS:
            if start >= 0:
                body = flat(node.inside[start:k]).strip()
                ends.append(bool(_JOINED.search(body)))
                labelled += body.startswith("[")
            start = k + 1
    loose = not re.search(r"[.:?!。：？！]\s*\Z", stem)
    return len(ends) > 1 and (all(ends[:-1]) or (loose and labelled == len(ends)))


def label_at(nodes: list[Node], k: int) -> str:
    """The words that are set apart at this place: in bold, say; "" where none are."""
    node = nodes[k]
    if node.kind == "command" and node.text in FONTS:
        return words_of(_group_behind(nodes, k)).strip()[:80]
    if node.kind == "group" and node.inside and node.inside[0].kind == "command":
        switch = node.inside[0].text
        if switch in _SWITCHES:
            return words_of(node.inside).strip()[:80]
    return ""


def _group_behind(nodes: list[Node], k: int) -> list[Node]:
    for node in nodes[k + 1 : k + 3]:
        if node.kind == "group":
            return node.inside
        if node.kind != "text" or node.text.strip():
            break
    return []


def words_of(nodes: list[Node]) -> str:
    """The words of nodes, without commands."""
    return "".join(
        n.text if n.kind == "text" else f"${n.text}$" if n.kind in ("formula", "display")
        else "\n\n" if n.kind == "command" and n.text in ("par", "\\")
        else words_of(n.inside) if n.kind == "group" else " "
        for n in nodes
    )  # fmt: skip
