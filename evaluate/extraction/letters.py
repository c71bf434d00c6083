"""Where in a reply option letters stand: alone, in a row, as an option's text.

The features are those of values (`candidates`) where they mean the same, and those of letters:
brackets, the option's own text behind it, "is right", a list of the options, an article.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from ...latex import WIDE_ASCII
from ...words import words
from ..answers import LimitExceeded, ParseError, read
from ..equivalence import Rules, same
from .candidates import EXPLICIT, Candidate
from .marked import answer_boxes, fields, tags
from .option_text import MOST, mentions_of, words_at
from .page import Page
from .refusals import declines, refusals
from .sentences import marks_of

_WIDE = {code: WIDE_ASCII[code] for code in (*range(0xFF21, 0xFF5B), 0xFF08, 0xFF09)}
_MARKUP = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|bf|rm|left|right|mbox|f?boxed|fbox)"
    r"(?![A-Za-z])|</?(?:s|b|i|strong|em|p|br)\s*/?>|[$`{}]|(?<![\w}])\*|\*(?!\w)"
    r"|\\[()\[\],;! ]|<0x0A>"
)
_LEAD = re.compile(
    rf"(?:[^\w.。;；?!]|\.(?=\s*[A-Z(])"
    rf"|{words('is', 'right', 'leads', 'so', 'option', 'answer', 'correct')}"
    r"|\b(?:final|best|most|with|es|label|likely|clearly|indeed|probably|la|el|il|die|der|a|o)\b)*",
    re.IGNORECASE,
)
_TOLD = r"(?:\([^()\n]{0,60}\)|,?\s*\"[^\"\n]{0,60}\")?"  # the option's text behind its letter
_VERBS = (
    r"(?:(?:选项|[均都全分别也]|[是がは은는이가—-]|(?:must|should|would|can) be|seems|is|are|was"
    r"|ist|es|est|é|è|both|all)\s*)*"
    r"(?:(?:clearly|also|definitely|obviously|therefore|thus|the|our|my|only|most)\s+)*"
)
_RIGHT = re.compile(
    rf"[\s\"')\]项項]*{_TOLD},?\s*{_VERBS}"
    rf"(?:{words('correct')}|best|answer|accurate|appropriate|suitable)(?![吗的])",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"[\s\"')\]项]{0,4}(?:,?\s+(?:but|which|that|and)\s+(?:it|this|that)?)?\s*"
    rf"{_TOLD}(?:\s*,[^,.\n]{{1,30}},)?\s*{_VERBS}(?:[与和]\w{{0,8}})*"
    r"(?:\bnot\b|n't|incorrect|wrong|false|ruled out|eliminated|invalid|impossible|can(?:no|')t"
    r"|不(?!是\s*[A-Z])|错)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\b(?:not|neither|nor|never|except|rather than|instead of|eliminate|rule out|exclude)|n't"
    r"|不是|不选|排除|并非|非)[^\w.!?\n]*(?:\b(?:the|be|option|choice|answer|is)\b[^\w.!?\n]*){0,3}$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\s+(?!because|since|as\b|and\b|or\b|which|with|for|due|in\b|that|based|is\b|are\b|given|rather"
    r"|instead|but\b|from|on\b|if\b|where|when|by\b|here|note|the\b|this|so\b|non?\b|not\b)[a-z]{2,}"
)
_NOUN = re.compile(r"(?<![\w\\])([a-z]{2,}|[A-Z][a-z]{2,}|∠|△)\s+$")
_YES, _NO = re.compile(words("yes"), re.IGNORECASE), re.compile(words("no"), re.IGNORECASE)
_NEGATES = re.compile(words("negates"), re.IGNORECASE)
_BETWEEN = re.compile(
    r"[)\]}\"'”.]{0,2}(?:[\s,，、;；&+]|and(?![a-z])|以及|[和与及]|(?P<or>or(?![a-z])|或者?|/)"
    r"|option|选项|[项)(\[\"'“])*"
)
_LISTED = re.compile(r"(?:(?:^|\n)\W{0,4}(?=[A-Z][).:：．、])|(?<=\()(?=[A-Z]\)))(?P<letter>[A-Z])")
NONE = "-"  # what is declared is no option
_LABELLED = re.compile(r"\s*[】\]」》]?\s*[:：]?\s*(\w[^\n]{0,60}?)\s*\Z")
_LATIN = re.compile(r"[A-Za-z]")
_IS = re.compile(
    rf"(?:{words('is')}|es|[=:：])\W*(?:{words('leads', 'option')}\W*)*$", re.IGNORECASE
)
_ASKS = re.compile(words("answer", "option", "choose", "is", "leads"), re.IGNORECASE)
_TWO_SENTENCES = re.compile(r"[.!?。！？]\s*\S")
_TEXT_LEAD = re.compile(r"[\s().:：、．\-,\]\"'，。]*")


# what reading two answers side by side may raise
UNREADABLE = (
    ParseError, LimitExceeded, RecursionError, ValueError, ArithmeticError, LookupError,
)  # fmt: skip


def equal_option(answer: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    """The one option that is equal to an answer."""
    hits = []
    for label, option in zip(labels, texts, strict=True):
        with suppress(*UNREADABLE):
            if option and same(read(option), read(answer), Rules()):
                hits.append(label)
    return hits[0] if len(hits) == 1 else None


@lru_cache(maxsize=64)
def _letter(labels: tuple[str, ...]) -> re.Pattern[str]:
    one = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    lower = one.lower()
    return re.compile(
        rf"(?<![A-Za-z0-9\\_'’])(?:(?P<run>(?:{one}){{2,}})|(?P<one>{one}|(?<=[(\[\"'])(?:{lower})(?=[)\]\"'])"
        rf"|(?:{lower})(?=[.)]?\s*$|[.)]\s)))(?![A-Za-z0-9_^°\\]|['’][a-z]|-[A-Za-z]|\s*[=+*^≤≥∈]|\s*[<>]\s*[\w(]|\s*/(?!\s*[A-Z]))"
    )


class Lettered:
    """The text of a page without markup, every sign in its place, and the letters in it."""

    def __init__(self, page: Page, labels: Sequence[str], texts: Sequence[str]) -> None:
        self.page, self.labels, self.texts = page, tuple(labels), texts
        text = page.text.translate(_WIDE)
        self.text = _MARKUP.sub(lambda m: " " * len(m[0]), text)
        self.marks: dict[int, list[tuple[str, int]]] = {}
        for mark in marks_of(self.text, "result", "solution", "so", "choose", "option"):
            number = page.sentence_at(mark.start)
            self.marks.setdefault(number, []).append((mark.kind, mark.end))

    def candidates(self, several: bool = False) -> list[Candidate]:
        groups = [*self._groups()]
        alone = self._restated(groups)
        found = [c for k, g in enumerate(groups) if (c := self._candidate(*g, k in alone))]
        found += self._mentioned()
        if several:
            found += self._together(found)
        found += self._marked()
        found += self._refused()
        return self._ranked(found)

    def _groups(self) -> Iterator[tuple[int, int, list[str], bool]]:
        """Letters, and letters in a row, with whether "or" stands between."""
        group: tuple[int, int, list[str], bool] | None = None
        told = self._told_by_texts()
        for match in _letter(self.labels).finditer(self.text):
            said = match["one"]
            if any(start <= match.start() < end for start, end in told):
                continue
            letters = (
                [said.upper() if said.upper() in self.labels else said]
                if said
                else list(match["run"])
            )
            if (
                group
                and match.start() - group[1] < 30
                and "\n" not in self.text[group[1] : match.start()]
            ):
                gap = _BETWEEN.fullmatch(self.text, group[1], match.start())
                if gap and self._text_of(group[2][-1]) != match[0].casefold():  # not (D) E
                    group = (
                        group[0],
                        match.end(),
                        [*group[2], *letters],
                        group[3] or bool(gap["or"]),
                    )
                    continue
            if group:
                yield group
            group = (*match.span(), letters, False)
        if group:
            yield group

    def _told_by_texts(self) -> list[tuple[int, int]]:
        """Where the reply says the text of an option in which letters stand: "AD", "A and C"."""
        text = self.page.text
        find = _letter(self.labels).search
        lettered = [t for t in self.texts if len(t) > 1 and find(_MARKUP.sub(" ", t))]
        return [
            place
            for option in dict.fromkeys(lettered)
            for place in islice(words_at(text, option), MOST)
        ]

    def _restated(self, groups: list[tuple[int, int, list[str], bool]]) -> set[int]:
        """The letters that only restate the options: A. ... B. ... C. ... in a row."""
        rows: list[list[re.Match[str]]] = []
        for mark in _LISTED.finditer(self.text):
            if rows and mark["letter"] > rows[-1][-1]["letter"]:
                rows[-1].append(mark)
            else:
                rows.append([mark])
        listed = {mark.start("letter") for row in rows if len(row) > 1 for mark in row}
        self.listed = {self.text.rfind("\n", 0, place) + 1 for place in listed}
        return {k for k, g in enumerate(groups) if g[0] in listed and len(g[2]) == 1}

    def _candidate(
        self, a: int, b: int, letters: list[str], either: bool, restated: bool
    ) -> Candidate | None:
        page, text = self.page, self.text
        number = page.sentence_at(a)
        start, end = page.sentences[number] if page.sentences else (0, len(text))
        here = {"letter"}
        near, rest = text[max(start, a - 60) : a], text[b : b + 80]
        line_start, line_end = text.rfind("\n", 0, a) + 1, text.find("\n", b)
        line_end = line_end if line_end >= 0 else len(text)
        distinct = sorted(set(letters), key=letters.index)
        if len(distinct) > 1:
            here.add("either" if either else "letters")
        if not re.search(r"\w", text[:a] + text[b:]):
            here.add("whole")
        alone = text[line_start:a] + text[b:line_end]
        if not re.search(r"\w", alone):
            here.add("alone on its line")
        elif not re.search(r"\w", text[line_start:a]):
            here.add("opens the line")
        if not re.search(r"\w", text[:a]):
            here.add("opens the reply")
        if not re.search(r"\w", text[b:]):
            here.add("ends the reply")
        elif not re.search(r"\w", text[b:end]):
            here.add("ends the sentence")
        if text[a - 1 : a] in ("(", "[") and text[b : b + 1] in (")", "]"):
            here.add("bracketed")
        elif re.match(r"[).:：．、，,。]", text[b : b + 1] or " "):
            here.add("with a stop")
        follows, tail = False, rest
        if len(distinct) == 1 and (own := self._text_of(distinct[0])):
            after = text[_TEXT_LEAD.match(text, b).end() :][: len(own)].casefold()  # type: ignore[union-attr]
            if follows := after.startswith(own[:20]) and after[: len(own)] == own[: len(after)]:
                here.add("own text follows")
                tail = rest.casefold().partition(own)[2]
        if _GOES_ON.match(rest) and not follows:
            here.add("goes on")
        if restated:
            here.add("restated")
        if _DENIED.search(near) or _WRONG.match(tail):
            here.add("denied")
        elif _RIGHT.match(rest):
            here.add("is right")
        noun = _NOUN.search(near)
        marks = [mark for mark in self.marks.get(number, []) if mark[1] <= a]
        marks += [
            m for m in self.marks.get(number - 1, []) if not re.search(r"\w", text[m[1] : start])
        ]
        for kind, at in marks:
            here.add(kind if a - at < 120 and _LEAD.fullmatch(text, at, a) else f"{kind}, further")
        if re.search(
            rf"(?:{words('is')}|es|[=:：])\W*(?:{words('leads', 'option')}\W*)*$", near, re.I
        ):
            here.add("behind is")
        elif noun and not here & {"answer", "option", "choose", "so", "result"}:
            here.add("behind a noun")
        if re.search(r"[一-鿿]$", near.strip()) and not here & {"answer", "choose"}:
            here.add("behind Chinese")
        rule = next((r for name, r in _RULES.items() if name in here), "stated")
        return Candidate(a, b, ",".join(distinct), rule, frozenset(here))

    def _together(self, found: list[Candidate]) -> Iterator[Candidate]:
        """Letters that are called right one by one, or that open the lines behind a label."""
        right = [c for c in found if "is right" in c.features and "restated" not in c.features]
        if len({c.said for c in right}) > 1:
            said = ",".join(dict.fromkeys(letter for c in right for letter in c.said.split(",")))
            yield right[-1]._replace(
                said=said, rule="judged one by one", features=frozenset(["one by one"])
            )
        listed = [c for c in found if c.features & {"opens the line", "alone on its line"}]
        declared = [k for k, c in enumerate(listed) if "answer" in c.features]
        if declared and len(listed) > declared[-1] + 1:
            own = listed[declared[-1] :]
            said = ",".join(dict.fromkeys(letter for c in own for letter in c.said.split(",")))
            yield own[0]._replace(said=said, features=own[0].features - {"restated"} | {"listed"})

    def _text_of(self, label: str) -> str:
        if label not in self.labels:
            return ""
        return self.texts[self.labels.index(label)].casefold().strip()

    def _mentioned(self) -> Iterator[Candidate]:
        """Options that are named by their text."""
        page = self.page
        reach = max((len(t) + 40 for t in self.texts if _TWO_SENTENCES.search(t)), default=0)
        for number in range(len(page.sentences) - 1, max(-1, len(page.sentences) - 13), -1):
            start, end = page.sentences[number]
            found = mentions_of(page.text[start : max(end, start + reach)], self.labels, self.texts)
            for label, features in found:
                here = {"text", *features}
                for kind, _ in self.marks.get(number, []):
                    here.add(f"{kind}, further")
                if self.text.rfind("\n", 0, start) + 1 in self.listed:
                    here.add("restated")
                if number == 0:
                    here.add("first sentence")
                yield Candidate(start, end, label, "option text", frozenset(here))
        said = {text.strip(" .").casefold(): k for k, text in enumerate(self.texts)}
        yes = [k for text, k in said.items() if _YES.fullmatch(text)]
        no = [k for text, k in said.items() if _NO.fullmatch(text)]
        if len(said) == 2 and yes and no and page.sentences:  # a first sentence that denies
            start, end = page.sentences[0]
            if _NEGATES.search(self.text, start, end):
                denied = frozenset(["first sentence", "denied statement"])
                yield Candidate(start, end, self.labels[no[0]], "denied statement", denied)

    def _marked(self) -> Iterator[Candidate]:
        text = self.page.text
        boxed = answer_boxes(text)
        places = [(b.start, b.end, b.content, "boxed") for b in boxed[-1:]]
        places += [(s, e, c, "tag") for c, s, e in tags(text)[-1:] if c]
        places += [(s, e, c, "field") for c, s, e in fields(text)[-1:]]
        for start, end, content, name in places:
            said = self._short(content)
            empty = not re.search(r"\w", content) or (declines(content) and not said)
            rule = {"boxed": "boxed", "tag": "answer tag", "field": "answer field"}[name]
            if empty:
                yield Candidate(start, end, "", "declined", frozenset([name, "refuses"]))
            else:
                yield Candidate(start, end, said or NONE, rule, frozenset([name]))
        labelled = [at for marks in self.marks.values() for kind, at in marks if kind == "answer"]
        if (
            (
                labelled
                and (label := _LABELLED.match(self.text, max(labelled)))
                and not _LATIN.search(label[1])
            )
            and not mentions_of(label[1], self.labels, self.texts)
            and not self._equal(label[1])
        ):
            yield Candidate(*label.span(1), NONE, "declared", frozenset(["answer"]))

    def _short(self, content: str) -> str:
        """The letters, or the option's text, of a short answer: `(B)`, `B. value`, `A, C`."""
        inner = Lettered(Page(content), self.labels, self.texts)
        groups = [*inner._groups()]
        bare = inner.text
        for a, b, letters, either in groups:
            before = re.sub(
                rf"{words('answer', 'option', 'choose', 'is', 'leads')}", "", bare[:a], flags=re.I
            )
            stops = re.match(r"\s*(?:[.):：,，、(（-]|$)", bare[b:]) or not re.search(
                r"[A-Za-z]", bare[b:]
            )
            if not re.search(r"\w", before) and stops:
                return NONE if either else ",".join(dict.fromkeys(letters))
        found = mentions_of(content, self.labels, self.texts)
        if len({label for label, _ in found}) == 1:
            return found[-1][0]
        return self._equal(content)

    def _equal(self, answer: str) -> str:
        return equal_option(answer, self.labels, self.texts) or ""

    def _refused(self) -> Iterator[Candidate]:
        if not any(declines(text) for text in self.texts):
            for number in refusals(self.page):
                place = self.page.sentences[number][0]
                yield Candidate(place, place, "", "declined", frozenset(["refuses"]))

    def _ranked(self, found: list[Candidate]) -> list[Candidate]:
        page = self.page
        sides = (
            [c for c in found if c.start <= page.asked],
            [c for c in found if c.start > page.asked],
        )
        ranked = []
        for side in sides:
            last = sorted({page.sentence_at(c.start) for c in side if not c.features & _MENTIONED})
            explicit = sorted(
                c.start for c in side
                if c.features & EXPLICIT and not c.features & {"denied", "goes on"}
            )  # fmt: skip
            unasked = {"behind a question"} if sides[0] and side is sides[1] else set()
            ranked += [
                c._replace(
                    later=len(last) - bisect_right(last, page.sentence_at(c.start)),
                    overtaken=len(explicit) - bisect_right(explicit, c.start),
                    features=c.features | unasked,
                )
                for c in side
            ]
        return sorted(ranked)


_MENTIONED = frozenset(["goes on", "behind a noun", "denied", "restated"])
_RULES = {
    "hash": "labelled", "answer": "declared", "choose": "declared", "is right": "declared",
    "result": "declared", "whole": "whole reply", "so": "concluded", "so, further": "concluded",
    "option": "declared", "own text follows": "letter with text", "opens the reply": "leading",
    "ends the reply": "closing", "bracketed": "bracketed", "alone on its line": "closing",
}  # fmt: skip
