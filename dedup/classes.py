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

# In the order in which they are tried.
CLASSES = {
    "exact": "equal keys, answers and options, pictures whose decoded pixels are the same",
    "template": "one text of several problems, each with a picture of its own: no evidence",
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
# Share of word 3-grams from which the passage in the longer question is shown.
PASSAGE = 0.5
PART = 0.7  # of the longer question, up to which the shorter is contained in it
ALIKE = 0.75  # correlation of two drawings of one problem
WORDS = 2000  # words of a text that the diff shows


OF_SET = ("score", "parts")
LIKENESS = "likeness"  # the table of what OF_SET names


class Pair(msgspec.Struct, kw_only=True, rename={"kind": "class"}):
    """One proposed pair and its evidence: a row of pairs.jsonl.

    What depends on the whole set (OF_SET) stands in a table of its own beside a stage's pairs,
    so that one more problem changes few rows. `score` is the probability that both are one
    problem, by all parts but proof; `parts` its evidence in log-odds (see likeness).
    `similarity` is 1 - edits / length of the longer question; `key_similarity` the same of
    comparison keys, without case and marks over letters. `overlap` has jaccard and containment
    of word 3-grams, and the share of 8- and 13-grams. `found` says what is near: text, key,
    overlap, marks, picture, meaning; else wording.
    """

    a: str
    b: str
    kind: str
    score: float = 0.0
    parts: dict[str, float] = {}
    similarity: float
    key_similarity: float
    overlap: dict[str, float]
    found: list[str]
    text: str  # identical, respelled, edited
    numbers: str  # equal, reordered, differ
    options: str  # none, identical, respelled, shuffled, differ, one side
    answer: str  # equal, differ, unknown
    answers: list[str]  # what each answer says
    formulas: str  # differ where questions are made of them
    picture: str  # as picture_index.relation says, or not compared
    residual: float | None = None  # ink that the other drawing does not explain, 0 to 1
    diff: list[list[str]] = []  # [what a has, what b has], word by word
    passage: str = ""  # of the longer question, in which the shorter stands
    linked: bool = False  # taken for one problem
    automatic: bool = False  # may be decided without a person
    keep: str = ""  # the member that is kept if they are duplicates
    why_keep: str = ""
    a_hash: str = ""  # content hashes, for decisions
    b_hash: str = ""


class Comparison(msgspec.Struct, array_like=True):
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


def comparison(a: Item, b: Item, grams: Sequence[int] = ()) -> Comparison:
    """All that is found of two questions alone; `grams` are lengths of which shares are told."""
    same_text = a.question == b.question
    same_key = a.key == b.key and a.instruction == b.instruction
    overlap = _overlap(a, b, grams)
    fewer_words, more_words = sorted((len(a.words), len(b.words)))
    shorter, longer = sorted((len(a.key), len(b.key)))
    passage = ""
    if overlap["containment"] >= PASSAGE and fewer_words < SHORTER * more_words:
        _, passage = aligned(a, b)
    return Comparison(
        similarity=_similarity(a.own, b.own),
        key_similarity=_similarity(a.bare, b.bare),
        overlap={name: round(share, 4) for name, share in overlap.items()},
        text=_text_relation(same_text, same_key),
        numbers=_numbers(a, b),
        options=_options(a.parted[1], b.parted[1]),
        part=shorter <= PART * longer,
        drawn=same_text or _drawn(a.own) == _drawn(b.own),
        asks=bool(a.key) or same_text,
        figures=not same_key and figures_differ(a.parted[0], b.parted[0]),
        diff=word_diff(a.own, b.own),
        passage=passage,
    )


def _text_relation(same_text: bool, same_key: bool) -> str:
    if same_text:
        return "identical"
    return "respelled" if same_key else "edited"


def compare(
    a: Item,
    b: Item,
    found: list[str],
    picture: tuple[str, float | None] = ("none", None),
    parts: dict[str, float] | None = None,
) -> Pair:
    """Class and evidence of one pair by itself.

    >>> two = Item(id="1", question="What is $1+1$?", answer="2")
    >>> three = Item(id="2", question="What is $1+2$?", answer="3")
    >>> compare(two, three, []).kind
    'numbers-differ'
    """
    return row_of(comparison(a, b), a, b, Values(), found, picture, parts or {})


def row_of(
    both: Comparison,
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
    relation, residual = picture
    near = {
        "text": 100 * both.similarity >= percent,
        "key": 100 * both.key_similarity >= percent,
        "overlap": 100 * both.overlap["jaccard"] >= OVERLAP,
        "marks": parts.get("marks", 0) > 0,
        "meaning": parts.get("meaning", 0) > 0,
    }
    signals = [name for name, is_near in near.items() if is_near] + found
    rounded = {name: round(log_odds, 2) for name, log_odds in parts.items()}
    pair = Pair(
        a=a.id,
        b=b.id,
        kind="",
        score=probability(sum(parts.values())) if parts else 0.0,
        parts={name: log_odds for name, log_odds in rounded.items() if log_odds},
        similarity=both.similarity,
        key_similarity=both.key_similarity,
        overlap=both.overlap,
        found=signals or ["wording"],
        text=both.text,
        numbers=both.numbers,
        options=_same_options(both, a, b, values),
        answer=_same_answer(a, b, values),
        answers=[a.value or a.answer, b.value or b.answer],
        formulas="differ" if parts.get("formulas", 0) <= OTHER_FORMULAS else "",
        picture=relation,
        residual=residual,
        diff=both.diff,
        passage=both.passage,
        a_hash=a.content_hash(),
        b_hash=b.content_hash(),
    )
    pair.kind = _kind(pair, both, a, b)
    pair.linked = pair.kind in ONE_PROBLEM
    pair.automatic = pair.kind == "exact" and a.parts == b.parts
    return pair


def as_template(pair: Pair) -> None:
    """Take a pair of one common text for what it is where its pictures are others."""
    if pair.kind != "exact" and pair.picture in ("differ", "similar", "one side"):
        pair.kind = "template"
        pair.linked = False


def _same_answer(a: Item, b: Item, values: Values) -> str:
    """equal, differ or unknown; letters without values are compared as letters."""
    if a.value and b.value:
        same = values.number(a.value) == values.number(b.value)
    elif a.value or b.value or not (a.letters and b.letters):
        return "unknown"
    else:
        same = sorted(a.letters) == sorted(b.letters)
    return "equal" if same else "differ"


def _options(ours: list[tuple[str, str]], theirs: list[tuple[str, str]]) -> str:
    if not ours or not theirs:
        return "one side" if ours or theirs else "none"
    if ours == theirs:
        return "identical"
    our_labels = [label.strip() for label, _ in ours]
    their_labels = [label.strip() for label, _ in theirs]
    return "labels" if our_labels == their_labels else "other"


def _same_options(both: Comparison, a: Item, b: Item, values: Values) -> str:
    """none, one side, identical, respelled (equal in order), shuffled, or differ."""
    if both.options not in ("labels", "other"):
        return both.options
    ours, theirs = (
        [values.number(text.strip()) for _, text in item.parted[1]] for item in (a, b)
    )
    if both.options == "labels" and ours == theirs:
        return "respelled"
    return "shuffled" if sorted(ours) == sorted(theirs) else "differ"


def _kind(pair: Pair, both: Comparison, a: Item, b: Item) -> str:
    """The class, in the order of CLASSES: the first that fits."""
    if _proven(pair, both, a, b):
        return "exact"
    by_text = _near_in_text(pair)
    enough = pair.score >= probability(LIKELY)
    if "marks" in pair.parts and not by_text:
        return _kind_across_languages(pair, both)
    if "contained" in pair.parts and enough and both.part:
        return "contained"
    if pair.formulas == "differ":
        return "formulas-differ"
    if _golds_disagree(pair, a, b):
        return "erratum"
    likely = enough and pair.answer != "differ"
    other_numbers = (
        pair.numbers == "differ" and pair.text == "edited" and "text" in pair.found
    )
    if likely and (pair.numbers != "equal" or not by_text) and not other_numbers:
        same_drawing = pair.picture in ("none", "identical", "same", "not compared")
        return "reworded" if same_drawing else "redrawn"
    if not by_text:
        return "picture-only" if "picture" in pair.found else "alike"
    return _kind_by_difference(pair, likely)


def _kind_across_languages(pair: Pair, both: Comparison) -> str:
    if pair.score < probability(TRANSLATED):
        return "alike"
    if pair.answer != "equal" and both.figures:
        return "numbers-differ"
    return "translation"


def _kind_by_difference(pair: Pair, likely: bool) -> str:
    """The class of a pair that is near in its text: by the first part that differs."""
    if pair.numbers != "equal":
        return "numbers-differ"
    if pair.picture == "similar" and pair.answer == "equal":
        return "edited"
    if pair.picture == "unreadable":
        return "picture-differs"
    if pair.picture in ("differ", "similar", "one side"):
        return "redrawn" if likely else "picture-differs"
    if pair.options == "differ" or (pair.options == "one side" and not likely):
        return "options-differ"
    if pair.answer == "differ":
        return "answer-differs"
    return "edited" if pair.text == "edited" else "respelled"


def _near_in_text(pair: Pair) -> bool:
    return not {"text", "key", "overlap"}.isdisjoint(pair.found)


def _proven(pair: Pair, both: Comparison, a: Item, b: Item) -> bool:
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
    answers_differ = pair.answer == "differ" and bool(a.value and b.value)
    same_options = pair.options in ("none", "identical", "respelled", "shuffled")
    if not (pair.parts and answers_differ and same_options):
        return False
    evidence = sum(
        log_odds
        for name, log_odds in pair.parts.items()
        if name not in ("answer", "meaning")
    )
    near_in_text = _near_in_text(pair)
    if near_in_text:
        drawings = pair.parts.get("picture", 0.0)
        if pair.picture == "differ" and drawings < ALIKE * PICTURE:
            return False  # the figure tells the two apart
    elif pair.options != "none":  # both chosen from the same values
        return evidence >= 0
    return pair.numbers == "equal" and evidence >= SURE


def _overlap(a: Item, b: Item, lengths: Sequence[int]) -> dict[str, float]:
    """Jaccard and containment of word 3-grams, and the share of grams of these lengths."""
    fewest = min(len(a.words), len(b.words))
    lengths = [n for n in lengths if n <= fewest]
    if a.bare == b.bare:
        names = ["jaccard", "containment", *map(str, lengths)]
        return dict.fromkeys(names, float(fewest > 0))
    shared = len(a.grams & b.grams)
    overlap = {
        "jaccard": shared / (len(a.grams) + len(b.grams) - shared),
        "containment": shared / max(min(len(a.grams), len(b.grams)), 1),
    }
    for n in lengths:
        ours, theirs = word_grams(a.words, n), word_grams(b.words, n)
        overlap[str(n)] = len(ours & theirs) / min(len(ours), len(theirs))
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
    our_figures, our_words = a.numbers
    their_figures, their_words = b.numbers
    as_many_words = len(our_words) == len(their_words)
    if our_figures == their_figures and (our_words == their_words or not as_many_words):
        return "equal"
    if Counter(our_figures + our_words) != Counter(their_figures + their_words):
        return "differ"
    return "reordered" if as_many_words else "equal"


def word_diff(a: str, b: str) -> list[list[str]]:
    """The stretches of words in which two texts differ.

    >>> word_diff("find x now", "find the y now")
    [['x', 'the y']]
    """
    ours, theirs = a.split()[:WORDS], b.split()[:WORDS]
    steps = Levenshtein.opcodes(ours, theirs)
    changes = []
    for equal, group in groupby(steps, lambda step: step.tag == "equal"):
        if not equal:
            stretch = [*group]
            first, last = stretch[0], stretch[-1]
            our_words = ours[first.src_start : last.src_end]
            their_words = theirs[first.dest_start : last.dest_end]
            changes.append([" ".join(our_words), " ".join(their_words)])
    return changes
