"""What kind of pair is it? Every key is compared on its own; the class names the first difference.

A person decides about every class but `exact`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import msgspec
from rapidfuzz.distance import Levenshtein

from .formula_tokens import figures_differ
from .items import LONGEST, Item
from .keys import PICTURE as PICTURE_CODE
from .keys import word_grams
from .likeness import (
    LIKELY,
    OTHER_FORMULAS,
    PICTURE,
    SHORTER,
    TRANSLATED,
    aligned,
    probability,
)
from .values import Values

CLASSES = {  # in the order in which they are tried
    "exact": "equal keys, answers and options, pictures whose decoded pixels are the same",
    "translation": "other language; formulas, numbers and answer tell that it is one problem",
    "contained": "the one stands in the other, among more",
    "formulas-differ": "made of formulas, and the formulas are others: a variant at most",
    "erratum": "one problem by all but its answer, and the two golds cannot both be right",
    "reworded": "one problem in other words, the same drawing or none",
    "redrawn": "one problem, the picture drawn anew",
    "picture-only": "the picture is the same, the question is another",
    "alike": "rare words in common, and not enough else to take the two for one problem",
    "numbers-differ": "a variant of one template: other numbers, or in another order",
    "picture-differs": "the pictures are not the same drawing, or one cannot be read",
    "options-differ": "other options, or options on one side only",
    "answer-differs": "everything that was asked is alike and the answers are not",
    "respelled": "one question in two spellings, or with its options in another order",
    "edited": "some words differ",
}
ONE_PROBLEM = (
    "exact",
    "translation",
    "contained",
    "erratum",
    "reworded",
    "redrawn",
    "respelled",
    "edited",
)
OVERLAP = 60  # percent of word 3-grams in common
GRAMS = (8, 13)  # GPT-3 (appendix C) and lm-evaluation-harness use 8 to 13
SURE = 1.0  # log-odds of all but the answer from which two golds contradict each other
PASSAGE = (
    0.5  # share of word 3-grams from which the passage in the longer question is shown
)
PART = 0.7  # of the longer question, up to which the shorter is contained in it
ALIKE = 0.75  # correlation of two drawings of one problem
WORDS = 2000  # words of a text that the diff shows


class Pair(msgspec.Struct, kw_only=True, rename={"kind": "class"}):
    """One proposed pair and its evidence: a row of pairs.jsonl."""

    a: str
    b: str
    kind: str
    score: float  # probability that both are one problem, by all parts but proof
    parts: dict[str, float]  # its evidence in log-odds, see likeness
    similarity: float  # of the questions as they are: 1 - edits / length of the longer
    key_similarity: (
        float  # of their comparison keys, without case and marks over letters
    )
    overlap: dict[
        str, float
    ]  # jaccard and containment of word 3-grams; share of 8- and 13-grams
    found: list[
        str
    ]  # what is near: text, key, overlap, marks, picture, meaning; else wording
    text: str  # identical, respelled, edited
    numbers: str  # equal, reordered, differ
    options: str  # none, identical, respelled, shuffled, differ, one side
    answer: str  # equal, differ, unknown
    answers: list[str]  # what each answer says
    formulas: str  # differ where questions are made of them
    picture: str  # as gallery.relation says, or not compared
    residual: float | None = None  # ink that the other drawing does not explain, 0 to 1
    diff: list[list[str]] = []  # [what a has, what b has], word by word
    passage: str = ""  # of the longer question, in which the shorter stands
    linked: bool = False  # taken for one problem
    automatic: bool = False  # may be decided without a person
    keep: str = ""  # the member that is kept if they are duplicates
    why_keep: str = ""
    a_hash: str = ""  # content hashes, for decisions
    b_hash: str = ""


class Compared(msgspec.Struct, array_like=True):
    """What two questions have in common, whatever else the set holds."""

    similarity: float
    key_similarity: float
    overlap: dict[str, float]
    text: str
    numbers: str
    options: str  # none, one side, identical; else "labels" where these are, or "other"
    part: bool  # the shorter is at most PART of the longer
    drawn: bool  # the places of pictures and the code that draws are the same
    asks: bool  # something is asked, or nothing of both in the same way
    figures: bool  # each has a number in figures that the other lacks
    diff: list[list[str]]
    passage: str


def compared(a: Item, b: Item, grams: Sequence[int] = ()) -> Compared:
    """All that is found of two questions alone; `grams` are lengths of which shares are told."""
    few, many = sorted((len(a.words), len(b.words)))
    overlap = _overlap(a, b, grams)
    within = overlap["containment"] >= PASSAGE and few < SHORTER * many
    same_text, same_key = a.question == b.question, a.key == b.key
    shorter, longest = sorted((len(a.key), len(b.key)))
    return Compared(
        similarity=_similarity(a.question, b.question),
        key_similarity=_similarity(a.bare, b.bare),
        overlap={name: round(share, 4) for name, share in overlap.items()},
        text="identical" if same_text else "respelled" if same_key else "edited",
        numbers=_numbers(a, b),
        options=_options(a.parted[1], b.parted[1]),
        part=shorter <= PART * longest,
        drawn=same_text or _drawn(a.question) == _drawn(b.question),
        asks=bool(a.key) or same_text,
        figures=not same_key and figures_differ(a.parted[0], b.parted[0]),
        diff=word_diff(a.question, b.question),
        passage=aligned(a, b)[1] if within else "",
    )


def compare(
    a: Item,
    b: Item,
    found: list[str],
    picture: tuple[str, float | None] = ("none", None),
    parts: dict[str, float] | None = None,
) -> Pair:
    """Class and evidence of one pair by itself.

    >>> one = Item(id="1", question="What is $1+1$?", answer="2")
    >>> two = Item(id="2", question="What is $1+2$?", answer="3")
    >>> compare(one, two, []).kind
    'numbers-differ'
    """
    return row_of(compared(a, b), a, b, Values(), found, picture, parts or {})


def row_of(
    both: Compared,
    a: Item,
    b: Item,
    values: Values,
    found: list[str],
    picture: tuple[str, float | None],
    parts: dict[str, float],
    percent: int = 85,
) -> Pair:
    """Class and evidence of one pair; `keep` is left to the caller, who knows the sources.

    `found` names what proposed it beside the texts, `parts` are the log-odds of `likeness`, its
    prior among them.
    """
    near = {
        "text": 100 * both.similarity >= percent,
        "key": 100 * both.key_similarity >= percent,
        "overlap": 100 * both.overlap["jaccard"] >= OVERLAP,
        "marks": parts.get("marks", 0) > 0,
        "meaning": parts.get("meaning", 0) > 0,
    }
    pair = Pair(
        a=a.id,
        b=b.id,
        kind="",
        score=probability(sum(parts.values())) if parts else 0.0,
        parts={
            name: log
            for name, value in parts.items()
            if value and (log := round(value, 2))
        },
        similarity=both.similarity,
        key_similarity=both.key_similarity,
        overlap=both.overlap,
        found=[*(name for name, is_near in near.items() if is_near), *found]
        or ["wording"],
        text=both.text,
        numbers=both.numbers,
        options=_same_options(both, a, b, values),
        answer=_same_answer(a, b, values),
        answers=[a.value or a.answer, b.value or b.answer],
        formulas="differ" if parts.get("formulas", 0) <= OTHER_FORMULAS else "",
        picture=picture[0],
        residual=picture[1],
        diff=both.diff,
        passage=both.passage,
        a_hash=a.content_hash(),
        b_hash=b.content_hash(),
    )
    pair.kind = _kind(pair, both, a, b)
    pair.linked = pair.kind in ONE_PROBLEM
    pair.automatic = pair.kind == "exact" and a.parts == b.parts
    return pair


def _same_answer(a: Item, b: Item, values: Values) -> str:
    """equal, differ or unknown; letters without values are compared as letters."""
    if a.value and b.value:
        return "equal" if values.number(a.value) == values.number(b.value) else "differ"
    if a.value or b.value or not (a.letters and b.letters):
        return "unknown"
    return "equal" if sorted(a.letters) == sorted(b.letters) else "differ"


def _options(ours: list[tuple[str, str]], theirs: list[tuple[str, str]]) -> str:
    if not ours or not theirs:
        return "one side" if ours or theirs else "none"
    if ours == theirs:
        return "identical"
    labels = ([label.strip() for label, _ in side] for side in (ours, theirs))
    return "labels" if next(labels) == next(labels) else "other"


def _same_options(both: Compared, a: Item, b: Item, values: Values) -> str:
    """none, one side, identical, respelled (equal in order), shuffled, or differ."""
    if both.options not in ("labels", "other"):
        return both.options
    x, y = (
        [values.number(text.strip()) for _, text in side.parted[1]] for side in (a, b)
    )
    if both.options == "labels" and x == y:
        return "respelled"
    return "shuffled" if sorted(x) == sorted(y) else "differ"


def _kind(pair: Pair, both: Compared, a: Item, b: Item) -> str:
    if _proven(pair, both, a, b):
        return "exact"
    by_text = {"text", "key", "overlap"} & set(pair.found)
    enough = pair.score >= probability(LIKELY)
    if "marks" in pair.parts and not by_text:
        if pair.score < probability(TRANSLATED):
            return "alike"
        other = pair.answer != "equal" and both.figures
        return "numbers-differ" if other else "translation"
    if "contained" in pair.parts and enough and both.part:
        return "contained"
    if pair.formulas == "differ":
        return "formulas-differ"
    if _golds_disagree(pair, a, b):
        return "erratum"
    same_drawing = pair.picture in ("none", "identical", "same", "not compared")
    likely = enough and pair.answer != "differ"
    other_numbers = (
        pair.numbers == "differ" and pair.text == "edited" and "text" in pair.found
    )
    if likely and (pair.numbers != "equal" or not by_text) and not other_numbers:
        return "reworded" if same_drawing else "redrawn"
    if not by_text:
        return "picture-only" if "picture" in pair.found else "alike"
    if pair.numbers != "equal":
        return "numbers-differ"
    if pair.picture in ("differ", "similar", "one side", "unreadable"):
        if pair.picture == "similar" and pair.answer == "equal":
            return "edited"
        return (
            "redrawn" if likely and pair.picture != "unreadable" else "picture-differs"
        )
    if pair.options == "differ" or (pair.options == "one side" and not likely):
        return "options-differ"
    if pair.answer == "differ":
        return "answer-differs"
    return "edited" if pair.text == "edited" else "respelled"


def _proven(pair: Pair, both: Compared, a: Item, b: Item) -> bool:
    """Nothing differs that a reader or a grader could see."""
    unanswered = pair.text == "identical" and not (a.answer.strip() or b.answer.strip())
    return (
        pair.text in ("identical", "respelled")
        and (pair.answer == "equal" or unanswered)
        and both.drawn
        and pair.options in ("none", "identical", "respelled")
        and pair.picture in ("none", "identical")
        and (both.asks or bool(a.pictures))
    )


def _drawn(question: str) -> list[str]:
    """The places of pictures, and the code of those that are drawn by code."""
    return [match[0] for match in PICTURE_CODE.finditer(question)]


def _golds_disagree(pair: Pair, a: Item, b: Item) -> bool:
    """One problem by everything else, and two answers with values that are graded different.

    Embeddings do not count: they are alike for questions about one topic.
    """
    without = sum(
        v for name, v in pair.parts.items() if name not in ("answer", "meaning")
    )
    near_in_text = bool({"text", "key", "overlap"} & set(pair.found))
    one_list = (
        pair.options != "none" and not near_in_text
    )  # both chosen from the same values
    other_figure = (
        pair.picture == "differ" and pair.parts.get("picture", 0.0) < ALIKE * PICTURE
    )
    return (
        bool(pair.parts)
        and pair.answer == "differ"
        and bool(a.value and b.value)
        and pair.options in ("none", "identical", "respelled", "shuffled")
        and (pair.numbers == "equal" or one_list)
        and without >= (0 if one_list else SURE)
        and not (near_in_text and other_figure)  # the figure tells the two apart
    )


def _overlap(a: Item, b: Item, lengths: Sequence[int]) -> dict[str, float]:
    """Jaccard and containment of word 3-grams, and the share of grams of these lengths."""
    fewest = min(len(a.words), len(b.words))
    if a.bare == b.bare:
        names = ["jaccard", "containment", *(str(n) for n in lengths if fewest >= n)]
        return dict.fromkeys(names, float(fewest > 0))
    shared = len(a.grams & b.grams)
    overlap = {
        "jaccard": shared / (len(a.grams) + len(b.grams) - shared),
        "containment": shared / max(min(len(a.grams), len(b.grams)), 1),
    }
    for n in lengths:
        if fewest >= n:
            left, right = word_grams(a.words, n), word_grams(b.words, n)
            overlap[str(n)] = len(left & right) / min(len(left), len(right))
    return overlap


def _similarity(a: str, b: str) -> float:
    if max(len(a), len(b)) > LONGEST:
        return float(a == b)
    return round(Levenshtein.normalized_similarity(a, b), 4)


def _numbers(a: Item, b: Item) -> str:
    """Numbers of two keys in order; number words only where both have as many.

    A word may be written as a numeral, or left out ("all five sides"): that changes no number.
    """
    if a.key == b.key:
        return "equal"
    (left, words_left), (right, words_right) = a.numbers, b.numbers
    same_set = Counter(left + words_left) == Counter(right + words_right)
    if left == right and (
        words_left == words_right or len(words_left) != len(words_right)
    ):
        return "equal"
    if same_set:
        return "reordered" if len(words_left) == len(words_right) else "equal"
    return "differ"


def word_diff(a: str, b: str) -> list[list[str]]:
    """The stretches of words in which two texts differ.

    >>> word_diff("find x now", "find the y now")
    [['x', 'the y']]
    """
    left, right = a.split()[:WORDS], b.split()[:WORDS]
    changes = []
    for equal, group in groupby(
        Levenshtein.opcodes(left, right), lambda step: step.tag == "equal"
    ):
        if not equal:
            steps = [*group]
            first, last = steps[0], steps[-1]
            ours, theirs = (
                left[first.src_start : last.src_end],
                right[first.dest_start : last.dest_end],
            )
            changes.append([" ".join(ours), " ".join(theirs)])
    return changes
