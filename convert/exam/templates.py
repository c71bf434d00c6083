"""Numerals at the starts of lines, each with its template: what else stands there.

    **Problem 3 (4 points).** Find ..     word "problem", an arabic numeral
    【例三】..                             word "例", bracket, a Chinese numeral, bracket
    3.12) ..                              chapter "3.", an arabic numeral, bracket

Which templates number the problems of an exam is found by `numbering`, not listed here. Emphasis,
headings, bullets, table bars and points in brackets are wild; where a word stands before the
numeral, the marks behind it are, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import name, normalize

import msgspec

from ...latex import HAN
from ...words import (
    CLOSING,
    ENCLOSED,
    HAN_ORDER,
    OPENING,
    OPTION_IN_EITHER_CASE,
    ROMAN_SIGN,
    number,
    roman,
    sign_number,
)
from ..documents import FILLER

_NEED_MARKS = ("han", "I", "i", "A", "a", "said")  # they may begin a word
_OF_PARTS = ("a", "A", "i", "circled", "parenthesized")


class Candidate(msgspec.Struct, frozen=True):
    """A number at the start of a line: text[start:end] is the number with its marks.

    `chapter` is what counts above it (`3.` of 3.12, `A` of A7); a `weak` one may be a decimal.
    """

    number: int
    start: int
    end: int
    chapter: str = ""
    weak: bool = False

    @property
    def label(self) -> str:
        return f"{self.chapter}{self.number}"


class Template(msgspec.Struct, frozen=True):
    """The word before a numeral, its script, and the marks around it where no word stands."""

    word: str
    script: str
    marks: str

    @property
    def of_parts(self) -> bool:
        """Whether it rather counts parts of a problem: small letters and numerals, circles."""
        return self.script == "bullet" or (not self.word and self.script in _OF_PARTS)


_S = "[ \t　]"
_OPEN = f"[{OPENING}]"
_SHUT = f"[{CLOSING}]"
_SIGNS = f"{ENCLOSED}{ROMAN_SIGN}"
_UNIT = r"[^\W\d_]{1,12}\.?"
POINTS = (  # `(4 points)`, `[12 P.]`, `（本小题满分 12 分）`: one number and its unit in brackets
    rf"[(（\[【]{_S}*(?:{_UNIT}{_S}*){{0,3}}\d{{1,3}}(?:[.,]\d)?{_S}*(?:{_UNIT}{_S}*){{1,3}}[)）\]】]"
)
_DRESS = (  # possessive: a line of spaces can be cut at each of them
    rf"(?m)^(?:{_S}|>)*+(?P<dress>(?:\#{{1,6}}|[-*+•]){_S}++|\|{_S}*+)?(?P<bold>\*\*|__|\\textbf{_S}*+\{{)?{_S}*+"
    rf"(?:{POINTS}{_S}*+)?(?P<open>{_OPEN}?){_S}*+"
)
_WORD = rf"(?P<word>(?:[^\W\d_{_SIGNS}]{{1,16}}+\.?{_S}{{0,2}}){{0,3}}(?:[#№°º]{_S}?)?)(?<![第제])"
_SUFFIX = rf"(?:[{HAN}\uac00-\ud7a3](?=[\s.．、:：)）\]】]|$))?"  # 1번, 3問
_MARK = rf"(?P<mark>{_S}*(?:(?:[.．。、:：/|°º]|{_SHUT}){{1,3}}|[-–—](?={_S})"
_MARK += rf"|(?=[\s(（\[*}}{HAN}{FILLER}])|$))"
_CLOSE = r"(?(bold)(?:\*\*|__|\})?|)"
_BEHIND = rf"{_CLOSE}(?P<points>{_S}*{POINTS})?{_CLOSE}[.:：]?{_CLOSE}{_S}*"
_DIGITS = r"(?P<digits>\d{1,4})(?!\d)"
_HAN = rf"(?P<han>[{HAN_ORDER}百零〇]{{1,5}})"
_ROMAN = r"(?P<roman>[IVXLC]{1,8}|[ivxlc]{1,8})(?![^\W_])"
_PATTERNS = [
    re.compile(f"{_DRESS}{slot}{_MARK}{_BEHIND}")
    for slot in (
        rf"{_WORD}(?P<open2>{_OPEN}?)(?P<chapter>(?:\d{{1,3}}\.){{0,3}}){_DIGITS}{_SUFFIX}",
        rf"(?P<word>第|제){_S}*(?:{_DIGITS}|{_HAN}){_S}*[大小]?[{HAN}\uac00-\ud7a3]",
        rf"(?P<word>(?:[{HAN}]{{1,4}}?)??(?<!第)){_S}?{_HAN}{_SUFFIX}",
        rf"(?P<word>(?:[^\W\d_]{{2,16}}+\.?{_S}{{1,2}}){{0,2}}){_ROMAN}",
        rf"(?P<word>(?:[^\W\d_]{{2,16}}+\.?{_S}{{1,2}}){{0,2}})(?P<letter>[A-Za-z])(?![^\W_])",
        rf"(?P<word>[^\W\d_]{{2,16}}+{_S}{{1,2}})(?P<said>[^\W\d_]{{3,14}}+)(?=[.:)\s*])",
        rf"(?P<word>)(?P<sign>[{_SIGNS}])",
    )
]
_PATTERNS.append(re.compile(r"(?m)^(?P<bullet>[-*•+])[ \t]+"))
_PATTERNS.append(  # `#### Q. ..`, `**Question:** ..`: a word that starts every problem
    re.compile(
        rf"(?m)^(?P<bullet>\#{{1,6}}{_S}+|\*\*)(?P<word>[^\W\d_]{{1,16}}){_S}*"
        rf"(?:[.:：]{_S}*(?:\*\*)?|\*\*[.:：]?|$){_S}*"
    )
)


def candidates(covered: str) -> dict[Template, list[Candidate]]:
    """Per template, the numerals at the starts of lines of a blinded text."""
    found: dict[Template, list[Candidate]] = {}
    for pattern in _PATTERNS:
        for match in pattern.finditer(covered):
            for template, candidate in _read(match, covered):
                found.setdefault(template, []).append(candidate)
    return found | _lettered(found)


def _lettered(
    found: dict[Template, list[Candidate]],
) -> dict[Template, list[Candidate]]:
    """A1, A2, B1, B2: letters that follow each other, each with numbers from 1, are chapters."""
    letters = [
        (t.word.upper(), lines)
        for t, lines in found.items()
        if re.fullmatch("[a-z]", t.word)
        and t.script == "arabic"
        and lines[0].number == 1
    ]
    letters.sort()
    if (
        len(letters) < 2
        or "".join(x for x, _ in letters) not in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    ):
        return {}
    chapters = [
        msgspec.structs.replace(line, chapter=letter)
        for letter, lines in letters
        for line in lines
    ]
    return {Template("*", "arabic", ""): sorted(chapters, key=lambda line: line.start)}


def _read(match: re.Match[str], covered: str) -> Iterator[tuple[Template, Candidate]]:
    groups = {name: text or "" for name, text in match.groupdict().items()}
    start, end = match.span()
    if groups.get("bullet"):
        word = groups.get("word", "").casefold()
        yield Template(word, "bullet", ""), Candidate(1, start, end)
        return
    read = _numeral(groups)
    if read is None:
        return
    value, script = read
    if re.fullmatch(rf"[{OPTION_IN_EITHER_CASE}]\W+", groups["word"]):
        return  # an option
    word = re.sub(r"[\W_]+", " ", groups["word"]).strip().casefold()
    signs = "" if word else groups["word"].strip(" \t　")[-1:]
    mark = normalize("NFKC", groups["mark"].strip(" \t　")).replace("、", ".")
    opened = normalize("NFKC", groups["open"] + groups.get("open2", ""))
    digit = covered[match.end("mark") : match.end("mark") + 1].isdigit()
    bare = not (word or signs or mark)
    if digit and not (word or signs) and groups["mark"].strip() in (":", "/", "-"):
        return  # 1:30, 1/2
    chapter = groups.get("chapter", "")
    if chapter:
        if not (mark or opened) and chapter.count(".") == 1:
            decimal = Candidate(
                int(chapter[:-1]), start, match.end("chapter"), weak=True
            )
            yield Template(word, "arabic", "" if word else "."), decimal
        script = "dotted"
    if bare and script in _NEED_MARKS:
        return
    if opened and not word and not re.match(_SHUT, mark):
        return
    points = bool(groups["points"])
    if points and mark and not word and covered[end : end + 1].strip():
        end = match.start("points")  # a remark of the problem
    marks = f"{opened}{signs}{mark}"
    if bare:  # a decimal in a cell or an item is no number of a heading
        dress = "#" if groups["bold"] else groups["dress"].strip()[:1]
        marks = dress if chapter or dress == "#" else "()" if points else ""
    weak = groups["mark"].strip() == "." and digit and not word
    yield (
        Template(word, script, "" if word else marks),
        Candidate(value, start, end, chapter, weak),
    )


def _numeral(groups: dict[str, str]) -> tuple[int, str] | None:
    """The value and the script of what stands in the slot."""
    if digits := groups.get("digits"):
        return int(digits), "arabic"
    if letter := groups.get("letter"):
        return ord(letter.upper()) - 64, "A" if letter.isupper() else "a"
    if numeral := groups.get("roman"):
        value = roman(numeral)
        return (value, "I" if numeral.isupper() else "i") if value else None
    for script in ("han", "said"):
        if word := groups.get(script):
            read = number(word.lower())
            counts = read and read.counts and read.value.denominator == 1
            return (int(read.value), script) if read and counts else None
    sign = groups["sign"]
    value = sign_number(sign)
    return (value, name(sign).split()[0].lower()) if value else None


def alike(one: str, other: str) -> bool:
    """Whether two titles go on from each other: the same template, or a word in common."""
    a, b = (
        {w.casefold() for w in re.findall(r"[^\W\d_]+", t) if w} for t in (one, other)
    )
    return bool(a & b) or bool(candidates(one).keys() & candidates(other).keys())
