"""The values of a reply, and where its words are asked for its phrases, as candidates."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from ...latex import HAN
from ...problem import AnswerKind
from ...words import HAN_NAMES, NAMES, Numeral, numbers, scale_at, unit, words
from .candidates import Candidate, declines, marked, scanned
from .page import LONGEST, Page
from .sentences import ASIDES, Sentence

VALUES = 40  # of one sentence, from its end
SHORT = 60  # characters of a sentence that may be nothing but an answer in words


def values(page: Page, kind: AnswerKind | None, whole: bool = False) -> list[Candidate]:
    """The values of a reply that may be its answer."""

    def content(said: str) -> str:
        """What a box holds; nothing where a value is asked for and it refuses."""
        return "" if kind == "number" and declines(said) else said

    return scanned(page, lambda sentence: _values(sentence, kind), marked(page, content), whole)


def _values(sentence: Sentence, kind: AnswerKind | None) -> Iterator[Candidate]:
    """The values of a sentence with what the sentence says of them."""
    page, start = sentence.page, sentence.start
    end = min(sentence.end, start + LONGEST)
    places = _phrases(sentence, end) if kind == "text" else _places(page, start, end)[-VALUES:]
    if not places and sentence.marks:  # "The answer is C", of a question without options
        places = [place for place in _phrases(sentence, end) if _ALONE.fullmatch(place[2])]
    if not places:
        return
    first_end = places[0][1]
    words_behind = re.search(r"[A-Za-z]{2}|[一-鿿]", page.masked[first_end : sentence.line_end])
    label = not words_behind and sentence.labels(places[0][0])
    figures = any("in words" not in features for *_, features in places)
    joined = any("joined" in features for *_, features in places)
    outer = [k for k, place in enumerate(places) if not sentence.in_brackets(place[0])]
    stated: list[Candidate] = []
    for k, (a, b, said, features) in enumerate(places):
        here = features | sentence.around(a, b, first_end) | _kind(said, kind, features)
        here -= _OF_LETTERS
        if k not in outer or ("behind is" not in here and _REMARK.fullmatch(page.masked, a, b)):
            here.add("in brackets")
        if here & {"aside", "in brackets"}:
            here -= {"ends the sentence", "nearly ends the sentence"}
        elif k in (0, outer[-1]):
            here.add("only value" if outer[-1] == 0 else "last value" if k else "first value")
        if _COMPUTED.search(said):
            here.add("computed here")
        elif "behind a preposition" in here and page.used(said, a):
            here.add("used, behind a preposition")
        if k == 0 and label:
            here.add("label")
        if k == 0 and sentence.opens("corrects") and "behind is" in here:
            here.add("correction")
        if "in words" in here and figures:
            here.add("beside figures")
        found = Candidate(a, b, said, frozenset(here))
        yield found
        if "behind is" in here or "=" in said:
            stated.append(found)
    if kind in ("set", "tuple") and len(stated) > 1 and not joined:
        last = stated[-1]
        yield last._replace(
            start=stated[0].start, said=", ".join(c.said for c in stated),
            features=last.features - {"no collection"},
        )  # fmt: skip


_OF_LETTERS = frozenset(["choose", "choose, further", "option", "option, further"])


def _places(page: Page, start: int, end: int) -> list[tuple[int, int, str, set[str]]]:
    """Values with their units, lists of them, and numbers in words."""
    text = page.text
    runs = [(a, with_unit(text, b, end)) for a, b in page.runs(start, end)]
    found: list[tuple[int, int, str, set[str]]] = [(a, b, text[a:b], set()) for a, b in runs]
    first = None
    for k, ((a, b), (c, d)) in enumerate(pairwise(runs)):
        if (join := JOIN.match(text, b, c + 1)) and join.end() == c:
            first = a if first is None else first
            found.append((first, d, text[first:d], {"joined"}))
            found[k][3].add("in a list")
            found[k + 1][3].add("in a list")
        else:
            first = None
    taken = [a for a, _ in runs]
    for numeral in numbers(text[start:end]):
        a, b = start + numeral.start, start + numeral.end
        k = bisect_right(taken, a) - 1
        if not is_value(text, a, b, numeral):
            continue
        if k >= 0 and a == runs[k][0] and b > runs[k][1]:
            found[k] = (a, b, text[a:b], found[k][3])  # 3万5千
        elif k < 0 or a >= runs[k][1]:
            found.append((a, b, text[a:b], {"in words"}))
    for none in _NONE.finditer(page.masked, start, end):
        found.append((*none.span(1), "0", {"in words"}))
    return sorted(found, key=lambda place: place[:2])


_NONE = re.compile(  # there are no bars
    r"(?:\bthere\s+\w+|\b(?:has|have|had))\s+(no)\b(?=\s)(?!\s+(?:more|less|fewer|other))",
    re.IGNORECASE,
)
_COMPUTED = re.compile(r"\d.*=[^=]*\d")
_REMARK = re.compile(r"\(\d+\)")


_BOLD = re.compile(r"\*\*\s*([^*\n]{1,200}?)\s*\*\*")
_EDGES = "✓✔✅ \t*_`#>\"“”'.,。，;；！!:：()|"


def _phrases(sentence: Sentence, end: int) -> list[tuple[int, int, str, set[str]]]:
    """What is said in words: behind a mark or the verb, in bold, or all of a short sentence."""
    text, start = sentence.page.text, sentence.start
    leads = {place for place, _ in sentence.marks}
    leads |= {w.end for w in sentence.words if w.roles & {"is", "equates"}}
    spans = {sentence.leads_from(place): end for place in sorted(leads)[-VALUES:]}
    spans |= {bold.start(1): bold.end(1) for bold in _BOLD.finditer(text, start, end)}
    if end - start <= SHORT:
        spans[start] = end
    places: list[tuple[int, int, str, set[str]]] = []
    for a, b in sorted(spans.items()):
        b = min([b, *(c for c, kind in sentence.clauses if c > a and kind in ASIDES)])
        a += len(text[a:b]) - len(text[a:b].lstrip(_EDGES))
        b -= len(text[a:b]) - len(text[a:b].rstrip(_EDGES))
        if a < b:
            places.append((a, b, text[a:b], set()))
    return places


_ALONE = re.compile(r"[A-Za-z]|[+−-]?\\[A-Za-z]+\S{0,40}")  # one sign
_PLAIN = re.compile(r"[\s$¥€£\\{}()~+−-]*[\d.,\s]*\d[\d.,\s]*(?:\\?%|°|\^?\{?\\circ\}?)?[\s$}\\)]*")
_COLLECTION = re.compile(
    r"[(\[{].*,.*[)\]}]|[<>≤≥∪∈]|\\(?:le|ge|cup|in|infty|lt|gt)|[,，、]|\bor\b|或|和|±|\\pm"
)


def _has_value(said: str) -> bool:
    """Whether a formula may have a value: one of names and signs alone, $ABF$ or $a$, has none."""
    return any(map(str.isnumeric, said)) or any(name in said for name in _CONSTANTS)


# closed: the numbers and sets that mathematics writes without a figure, and upright words
_CONSTANTS = r"π ∞ √ ∅ \pi \infty \sqrt \empty \math \text e$ e}".split()


def _kind(said: str, kind: AnswerKind | None, features: set[str]) -> set[str]:
    """How a value agrees with the gold's kind."""
    last = said.rsplit("=", 1)[-1]
    if kind in ("number", "choice"):
        if "joined" in features:
            return {"several"} if kind == "number" else set()
        if kind == "number" and not (features & {"in words"} or _has_value(last)):
            return {"no value"}
        return {"plain number"} if _PLAIN.fullmatch(last) else set()
    if kind in ("set", "tuple", "interval"):
        if _COLLECTION.search(said):
            return set()
        return {"no collection"} if _has_value(last) else {"no collection", "no value"}
    if kind == "equation":
        return set() if "=" in said else {"no collection"}
    return set()


_UNIT = re.compile(
    r"[^\S\n]?(?:%|°[CF]?|(?!in\b|a\b|as\b|at\b|am\b)"
    r"(?:(?:[mgshlLtNJWVAKCF]|[a-zA-Zµμ]{2,3})(?:[²³]|\^\{?\d\}?|(?:/|\sper\s)[a-z]{1,6}[²³]?)?"
    r"(?![A-Za-z\d=(])"
    rf"|{NAMES}\b(?:\s(?:squared|cubed)|(?:/| per )[a-z]{{1,8}})?"
    r"|\$?\\(?:mathrm|text|rm)\s?\{~?\s?[^{}$]{1,20}\}(?:\^\{?\d\}?)?\$?"
    rf"|{HAN_NAMES}))"
)
JOIN = re.compile(
    rf"\s*(?:,\s*(?:and|or)\b|[,，、;；&]|{words('joins')})\s*(?=[-−+$\\(\d])", re.IGNORECASE
)
_OF_THE = re.compile(r"(?i)\s+of\s+the\b")  # one of the two
_STANDS = re.compile(rf"(?:个|(?<=..)[{HAN}]{{1,3}})?(?![{HAN}])")  # not the 三 of 三角形


def with_unit(text: str, end: int, bound: int) -> int:
    """The end of a value with its scale and unit: 5 million km."""
    scaled = scale_at(text, end)[1] if end < bound else end
    found = _UNIT.match(text, scaled, bound)
    if not found or (found[0].strip().isalpha() and unit(found[0].strip()) is None):
        return scaled
    return found.end()


def is_value(text: str, start: int, end: int, numeral: Numeral) -> bool:
    """Is a number in words at a place a value? An ordinal is none."""
    if not numeral.counts or (numeral.form == "cardinal" and _OF_THE.match(text, end)):
        return False
    return text[start].isascii() or bool(_STANDS.match(text[start : end + 4], end - start))


_WRAP = re.compile(
    r"^(?:\\[(\[]|\$+)|(?:\\[)\]]|\$+)$|&(?=\s*[=≈])|(?<=[=≈])\s*&"
    r"|\\(?:begin|end)\{(?:aligned|align\*?|split|gathered|equation\*?)\}|\\nonumber"
)
_TOP = re.compile(
    r"(?P<open>[({\[]|\\begin\b)|(?P<close>[)}\]]|\\end\b)"
    r"|(?P<equals>(?<![<>!:\\])[=≈≡](?!=)|\\(?:approx|equiv|simeq|cong)\b)"
    r"|(?P<several>,(?!\d{3}(?!\d))|[，;<>≤≥]|\\(?:le|ge|leq|geq|in|text|quad|lt|gt)(?![A-Za-z])"
    r"|\b(?:or|and)\b|[或和])|(?P<row>\\\\|\\Rightarrow|\\implies|[⇒→])|\\[A-Za-z]+|\\."
)
_CLOSES = re.compile(
    r"(?<![\s,;])(?:(?:\(\s*+)?\\?p?mod(?![a-z]).*|[\s,;]|\.(?=\s*$)|\\[\\\s,;]?+)*$"
)
_UNITS = re.compile(r"\\[a-z]+|\b(?:m|cm|km|mm|ft|g|kg|s|h)\b")
_NUMBERED = re.compile(r"[\d\s.,+*/×÷·$()\\^{}%°-]*\d[\d\s.,+*/×÷·$()\\^{}%°-]*")


def chain_end(text: str, keep: bool = True) -> str:
    """The last value of a chain of equations: 4 of `2 + 2 = 4`; `x = 4` and `y = 2x` stay.

    >>> chain_end("4 m + 4 m = 8 m"), chain_end("$S = 2+3 = 5$"), chain_end("y = 2x")
    ('8 m', '5', 'y = 2x')
    """
    if not re.search(r"[=≈]|\\(?:approx|simeq|cong)\b", text):
        return text
    bare = _CLOSES.sub("", _WRAP.sub(" ", _WRAP.sub(" ", text.strip()).strip()))
    signs, depth, row = [], 0, 0
    for token in _TOP.finditer(bare):
        depth += (token.lastgroup == "open") - (token.lastgroup == "close")
        if depth > 0:
            continue
        if token.lastgroup == "equals":
            signs.append(token)
        elif token.lastgroup == "row":
            row = token.end()
        elif token.lastgroup == "several":
            return text
    if row:
        signs = [s for s in signs if s.start() >= row] or signs
    if not signs:
        return text
    row = row if row <= signs[0].start() else 0
    left, last = bare[row : signs[0].start()].strip(), bare[signs[-1].end() :].strip()
    if not last or (keep and len(signs) == 1 and not _NUMBERED.fullmatch(_UNITS.sub("", left))):
        return f"{left} = {last}" if row else text
    exact = [s for s in signs if s[0] == "="]
    if signs[-1][0] != "=" and exact:  # what stands before an approximation
        return bare[exact[-1].end() : signs[-1].start()].strip() or last
    return last
