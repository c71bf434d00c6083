"""Templates: questions that differ only in numbers and names: families, never pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from .items import Item
from .join import groups_of
from .keys import masked_word

LARGEST = 8  # distinct questions of one template that are still paired with one another


class Family(msgspec.Struct, kw_only=True):
    """One template with more than LARGEST distinct questions: a row of families.jsonl."""

    template: str  # the comparison key with # for every number, @ for words that vary
    size: int  # members
    questions: int  # distinct questions
    answers: int  # distinct answers
    diversity: float  # questions / members
    representative: str  # compared with all other questions, for its family
    members: list[str]


def families_of(items: Sequence[Item]) -> Iterator[tuple[Family, list[int]]]:
    """Every large family and the positions of its members, in order of first appearance.

    >>> items = [Item(id=str(k), question=f"Is {k} a prime?") for k in range(9)]
    >>> [(family.template, family.size) for family, _ in families_of(items)]
    [('is # a prime ?', 9)]
    >>> names = "Ann Ben Cara Dan Eve Finn Gail Hank Ian".split()
    >>> items = [Item(id=name, question=f"How old is {name}?") for name in names]
    >>> [(family.template, family.size) for family, _ in families_of(items)]
    [('how old is @ ?', 9)]
    """
    for general, rows in groups_of(item.general for item in items).items():
        if not general or len(rows) <= LARGEST:
            continue
        keys = [items[row].key for row in rows]
        questions = len(set(keys))
        if questions > LARGEST:
            family = Family(
                template=_template(keys),
                size=len(rows),
                questions=questions,
                answers=len({items[row].value for row in rows}),
                diversity=round(questions / len(rows), 4),
                representative=items[rows[0]].id,
                members=[items[row].id for row in rows],
            )
            yield family, rows


def _template(keys: Sequence[str]) -> str:
    """What keys have in common, with @ for words that vary."""
    masked = [[masked_word(word) for word in key.split()] for key in keys]
    columns = [set(words) for words in zip(*masked, strict=True)]
    return " ".join("@" if len(words) > 1 else words.pop() for words in columns)


def kinship(items: Sequence[Item], rows: Sequence[int]) -> Iterator[tuple[str, str]]:
    """What links a family: the first question of every set of numbers with the first of all."""
    head = items[rows[0]].id
    for positions in groups_of(items[row].key for row in rows).values():
        yield head, items[rows[positions[0]]].id
