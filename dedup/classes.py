"""What kind of pair is it? Every key is compared on its own; the class names the first difference.

A person decides about every class but `exact`. Classes, in the order in which they are tried:

exact            question, options, answer and pictures are identical
translation      other language, same formulas and numbers
picture-only     the picture is the same, the question is another
numbers-differ   a variant of one template: other numbers, or the same in another order
picture-differs  the pictures are not the same drawing (another figure, or one drawn anew), or one
                 cannot be read
options-differ   other options, or options on one side only
answer-differs   everything that was asked is alike and the answers are not
respelled        one question in two spellings, or with its options in another order
edited           some words differ
"""

from __future__ import annotations

from collections import Counter

import msgspec
from rapidfuzz.distance import Levenshtein

from .items import LONGEST, Item
from .keys import answer_text, number_words, option_keys, quantities, text_key
from .overlap import containment, jaccard, word_grams

CLASSES = (
    "exact", "translation", "picture-only", "numbers-differ", "picture-differs", "options-differ",
    "answer-differs", "respelled", "edited",
)  # fmt: skip
WORDS = 2000  # words of a text that the diff shows


class Pair(msgspec.Struct, kw_only=True, rename={"kind": "class"}):
    """One proposed pair and its evidence: a row of pairs.jsonl."""

    a: str
    b: str
    kind: str
    similarity: float  # of the questions as they are: 1 - edits / length of the longer
    key_similarity: float  # of their comparison keys
    overlap: dict[str, float]  # jaccard and containment of word 3-grams
    found: list[str]  # what proposed the pair: text, key, overlap, formulas, picture
    text: str  # identical, respelled, edited
    numbers: str  # equal, reordered, differ
    options: str  # none, identical, respelled, shuffled, differ, one side
    answer: str  # equal, differ, unknown
    picture: str  # as gallery.relation says, or not compared
    residual: float | None = None  # ink that the other drawing does not explain, 0 to 1
    diff: list[list[str]] = []  # [what a has, what b has], word by word
    automatic: bool = False  # may be decided without a person
    keep: str = ""  # the member that is kept if they are duplicates
    why_keep: str = ""
    a_hash: str = ""  # content hashes, for decisions
    b_hash: str = ""


def compare(
    a: Item, b: Item, found: list[str], picture: tuple[str, float | None] = ("none", None)
) -> Pair:
    """Class and evidence of one pair; `keep` is left to the caller, who knows the sources.

    >>> one = Item(id="1", question="What is $1+1$?", answer="2")
    >>> two = Item(id="2", question="What is $1+2$?", answer="3")
    >>> compare(one, two, ["text"]).kind
    'numbers-differ'
    """
    key_a, key_b = text_key(a.question), text_key(b.question)
    grams_a, grams_b = word_grams(key_a), word_grams(key_b)
    pair = Pair(
        a=a.id,
        b=b.id,
        kind="",
        similarity=_similarity(a.question, b.question),
        key_similarity=_similarity(key_a, key_b),
        overlap={
            "jaccard": round(jaccard(grams_a, grams_b), 4),
            "containment": round(containment(grams_a, grams_b), 4),
        },
        found=found,
        text="identical"
        if a.question == b.question
        else "respelled"
        if key_a == key_b
        else "edited",
        numbers=_numbers(key_a, key_b),
        options=_options(a, b),
        answer=_answer(answer_text(a), answer_text(b)),
        picture=picture[0],
        residual=picture[1],
        diff=word_diff(a.question, b.question),
        a_hash=a.content_hash(),
        b_hash=b.content_hash(),
    )
    pair.kind = _kind(pair, a, b)
    pair.automatic = pair.kind == "exact" and a.parts == b.parts
    return pair


def _kind(pair: Pair, a: Item, b: Item) -> str:
    by_text = {"text", "key", "overlap"} & set(pair.found)
    same_rest = pair.picture in ("none", "identical") and a.answer == b.answer
    if pair.text == "identical" and pair.options in ("none", "identical") and same_rest:
        return "exact"
    if "formulas" in pair.found and not by_text:
        return "translation"
    if not by_text:
        return "picture-only"
    if pair.numbers != "equal":
        return "numbers-differ"
    similar_only = pair.picture == "similar" and pair.answer == "equal"
    if pair.picture in ("differ", "similar", "one side", "unreadable") and not similar_only:
        return "picture-differs"
    if pair.options in ("differ", "one side"):
        return "options-differ"
    if pair.answer == "differ":
        return "answer-differs"
    return "edited" if pair.text == "edited" else "respelled"


def _similarity(a: str, b: str) -> float:
    if max(len(a), len(b)) > LONGEST:
        return float(a == b)
    return round(Levenshtein.normalized_similarity(a, b), 4)


def _numbers(a: str, b: str) -> str:
    """Numbers of two keys in order; number words only where both have as many.

    A word may be written as a numeral, or left out ("all five sides"): that changes no number.
    """
    left, right = quantities(a), quantities(b)
    words_left, words_right = number_words(a), number_words(b)
    same_set = Counter(left + words_left) == Counter(right + words_right)
    if left == right and (words_left == words_right or len(words_left) != len(words_right)):
        return "equal"
    if same_set:
        return "reordered" if len(words_left) == len(words_right) else "equal"
    return "differ"


def _options(a: Item, b: Item) -> str:
    """Options compared as they are, then as keys, then as a multiset of keys."""
    if not a.options or not b.options:
        return "one side" if a.options or b.options else "none"
    if a.options == b.options:
        return "identical"
    keys_a, keys_b = option_keys(a), option_keys(b)
    if keys_a == keys_b:
        return "respelled"
    return "shuffled" if Counter(keys_a) == Counter(keys_b) else "differ"


def _answer(a: str, b: str) -> str:
    if not a or not b:
        return "unknown"
    return "equal" if a == b else "differ"


def word_diff(a: str, b: str) -> list[list[str]]:
    """The stretches of words in which two texts differ.

    >>> word_diff("find x now", "find the y now")
    [['x', 'the y']]
    """
    left, right = a.split()[:WORDS], b.split()[:WORDS]
    changes: list[tuple[int, int, int, int]] = []
    for step in Levenshtein.opcodes(left, right):
        if step.tag == "equal":
            continue
        if changes and changes[-1][1] == step.src_start and changes[-1][3] == step.dest_start:
            first = changes.pop()
            changes.append((first[0], step.src_end, first[2], step.dest_end))
        else:
            changes.append((step.src_start, step.src_end, step.dest_start, step.dest_end))
    return [[" ".join(left[i:j]), " ".join(right[k:m])] for i, j, k, m in changes]
