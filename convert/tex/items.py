"""A problem as it is written, role by role, and what becomes of it when it ends."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import compress
from operator import not_

import msgspec

from ...latex import CJK, group_end
from .nodes import RIGHT as RIGHT
from .roles import POINTS, inline_mark, of_label, of_name

PICTURE = "\u2063"  # stands before and behind the address of a picture
APART = "\u2064"  # and this one about the number of what is set apart
BLANK = "____"
SHORT_ANSWER = 80  # characters: more is a solution
MOST_APART = 50  # places in a problem
_MARKS = "，。；：？！、）（"
_WIDE_GAP = re.compile(
    rf"(?<=[{CJK}{_MARKS}]) (?=[{CJK}{_MARKS}])|(?<=[{_MARKS}]) (?=[$])"
)
_LETTERED = re.compile(r"\W*[A-Z](?:[\s,;]*[A-Z])*\W*")
_SET_APART = re.compile(f"{APART}\\d+{APART}")
_FORMULA_ANSWER = re.compile(r"\\([A-Za-z]{3,})\s*(?:\[[^\[\]]*\])?\{")
_FILLED = re.compile(r"\\(?:fillin|answerline)\s*\[([^\[\]]*)\](?:\s*\[[^\[\]]*\])?")
_PRINTED = {"---": "—", "--": "–", "``": "“", "''": "”", "\n": " "}
SAYS_POINTS = re.compile(
    rf"\bpoints?\s*=\s*\{{?(?P<set>\d+(?:\.\d+)?)"
    rf"|\A[(\[]?(?P<bare>\d{{1,3}}(?:\.\d+)?)\s*(?:{POINTS})?[)\]]?\Z",
    re.IGNORECASE,
)
_CODE = re.compile(r"[;}][ \t]*$", re.MULTILINE)  # of a drawing, as Asymptote has it


_JUDGED = re.compile(r"(?i)\((?:true|false|right|correct|wrong)\)\s+")


class TexOption(msgspec.Struct):
    text: str
    right: bool = False

    def __post_init__(self) -> None:
        """A judgement before the text, `(true)`, is no part of it."""
        if judged := _JUDGED.match(self.text):
            self.text = self.text[judged.end() :]
            self.right = self.right or RIGHT.search(judged[0]) is not None


class TexPart(msgspec.Struct):
    """A part, and what its blanks say."""

    label: str
    answers: list[str] = []
    sign: str = ""  # as it is printed, where nothing but that says that it is a part


class Own(msgspec.Struct):
    """What a problem's author sets apart by a name that says no role.

    `label` shows it, where words are its name; `asks`: the question goes on in it, or behind it.
    """

    name: str
    label: str = ""
    text: str = ""
    asks: bool = False
    unread: list[str] = []


class TexItem(msgspec.Struct):
    """One problem. `unread` names what is not understood, `lost` what its solution lacks.

    `outside` are labels that it refers to and does not hold, `doubts` what its place decided.
    """

    text: str = ""
    title: str = ""
    section: str = ""
    instruction: str = ""
    points: str = ""
    options: list[TexOption] = []
    answers: list[str] = []
    letters: str = ""
    parts: list[TexPart] = []
    solution: str = ""
    hint: str = ""
    labels: dict[str, str] = {}  # that the source's own commands say
    unread: list[str] = []
    lost: list[str] = []
    outside: list[str] = []
    own: list[Own] = []
    doubts: list[str] = []

    @property
    def whole(self) -> str:
        """All that an entry of a key says."""
        return "\n".join(filter(None, (self.text, *self.answers, self.solution)))

    @property
    def is_answered(self) -> bool:
        """Whether the document says anything of its answer."""
        said = self.solution or self.answers or self.letters
        return (
            bool(said)
            or any(o.right for o in self.options)
            or any(p.answers for p in self.parts)
        )

    def answered(self, entry: TexItem) -> None:
        """Take what a key says of the problem."""
        text = entry.text
        if text and _is_short(text) and not self.answers:
            if self.options and _LETTERED.fullmatch(text):
                self.letters = self.letters or text
            elif not any(part.answers for part in self.parts):
                self.answers.append(_bare(text))
            text = ""
        self.answers += entry.answers
        self.solution = _joined(self.solution, text, entry.solution)
        self.lost += entry.unread + entry.lost


class TexExam(msgspec.Struct):
    """A document's problems, what is not understood outside of them, and the prose there."""

    items: list[TexItem] = []
    issues: list[str] = []
    outside: list[str] = []

    def settle(self, key: list[TexItem], instructions: list[str]) -> None:
        """Answers of a key to their problems; instructions of a book's prose, which has none."""
        if sum(map(len, self.outside)) > sum(len(item.text) for item in self.items):
            self.outside += instructions
            for item in self.items:
                item.instruction = (
                    "" if item.instruction in instructions else item.instruction
                )
        solved = [
            not (i.text or i.options or i.unread) and bool(i.solution)
            for i in self.items
        ]
        key = [*key, *compress(self.items, solved)]
        self.items = [*compress(self.items, map(not_, solved))]
        _by_place([*self.items, *key])
        asking = [i for i in self.items if i.text or i.options or i.unread]
        if len(key) == len(asking):
            for item, entry in zip(asking, key, strict=True):
                item.answered(entry)
        else:
            self.outside += [f"in a key: {entry.whole}" for entry in key]


class Open(msgspec.Struct):
    """A problem as it is written: its text so far by role, and answers with who gives them."""

    item: TexItem
    opener: str = ""  # an environment or list, in which no other problem opens
    texts: defaultdict[str, list[str]] = msgspec.field(
        default_factory=lambda: defaultdict(list)
    )
    said: list[tuple[TexItem | TexPart, list[str]]] = []

    @property
    def holder(self) -> TexItem | TexPart:
        """What an answer answers: the part that was opened last, else the problem."""
        return self.item.parts[-1] if self.item.parts else self.item

    @property
    def asked(self) -> bool:
        """Whether something of the question stands already, and may be left."""
        return len(self.item.own) < MOST_APART and any(
            map(str.strip, self.texts["problem"])
        )

    def place(self, role: str, name: str = "", label: str = "") -> list[str]:
        """Where text of a role goes; for `own` one more place in the question, which it marks."""
        if role == "answer":
            self.said.append((self.holder, []))
            return self.said[-1][1]
        if role == "own":
            self.texts["problem"].append(f"{APART}{len(self.item.own)}{APART}")
            self.item.own.append(Own(name, label))
            role = f"own {len(self.item.own)}"
        elif role != "problem":
            self.texts[role].append("\n\n")
        return self.texts[role]

    def filled(self) -> list[str]:
        """Put what was written into the item; the marks in its lines, with what they say.

        A problem may be opened again for what stands behind it, and is filled once more.
        """
        item = self.item
        marks = list[str]()
        text = tidy("".join(self.texts["problem"]))
        for mark in reversed(list(inline_mark().finditer(text))):
            role = of_label(mark["label"] or "")
            if role == "points" or mark["points"]:
                item.points = item.points or mark["points"] or ""
            elif role == "answer":
                self.said.append((item, [mark["body"]]))
            elif role in ("hint", "solution"):
                self.texts[role].append(mark["body"])
            else:
                continue
            text = text[: mark.start()] + text[mark.end() :]
            marks.append(mark[0])
        self.texts["problem"] = [text]
        item.text = tidy(text).removesuffix("()").rstrip()  # in which an answer stood
        for number, own in enumerate(item.own, 1):
            own.text = _bare("".join(self.texts[f"own {number}"]))
        long = list[str]()
        for holder, pieces in self.said:
            answer = re.sub(r"\A\$\$([^$]+)\$\$\Z", r"$\1$", _bare("".join(pieces)))
            (holder.answers if _is_short(answer) else long).append(answer)
        self.said = []
        item.answers = [answer for answer in item.answers if answer]
        _without_doubtful_parts(item)
        letters = [answer for answer in item.answers if _LETTERED.fullmatch(answer)]
        if item.options and letters and not item.letters:  # "Answer: B"
            item.letters, item.answers = (
                letters[0],
                [a for a in item.answers if a not in letters],
            )
        item.solution = _joined(*long, _bare("".join(self.texts["solution"])))
        self.texts["solution"] = [item.solution]
        item.hint = _bare("".join(self.texts["hint"]))
        return marks


def _without_doubtful_parts(item: TexItem) -> None:
    """Signs in plain text count parts where two of them have answers, or all."""
    plain = [part for part in item.parts if part.sign]
    answered = sum(bool(part.answers) for part in plain)
    if len(plain) == 1 or answered < min(2, len(plain)):
        item.answers += [answer for part in plain for answer in part.answers]
        item.parts = [part for part in item.parts if not part.sign]


def _by_place(items: list[TexItem]) -> None:
    """The roles of what authors set apart by names that say none: by their places, or in doubt.

    What ends several problems, behind a question, and asks nothing there solves them; all else
    stays in the question. Either is told.
    """
    uses = defaultdict[str, list[tuple[TexItem, str, Own]]](list)
    for item in items:
        for number, own in enumerate(item.own):
            mark = f"{APART}{number}{APART}"
            behind = _SET_APART.sub("", item.text.partition(mark)[2]).strip()
            own.asks |= bool(behind or re.search("[?？]", own.text))
            uses[own.name].append((item, mark, own))
    for name, found in uses.items():
        code = any(own.unread or _CODE.search(own.text) for *_, own in found)
        several = len({own.text for *_, own in found}) > 1
        solves = several and not code and not any(own.asks for *_, own in found)
        for item, mark, own in found:
            stays = own.label and f"\n\n{own.label} {own.text}"
            item.text = tidy(
                item.text.replace(mark, "" if solves else stays or own.text)
            )
            if solves:
                item.solution = _joined(item.solution, own.text)
            else:
                item.unread += [name] if name.startswith("\\") else own.unread
            if own.text:
                what = "the solution" if solves else "part of the question"
                item.doubts.append(f"{name!r} says no role; it is read as {what}")


def _joined(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))


_COMMANDS = re.compile(r"\\(?:begin|end)\{[^{}]*\}|\\[A-Za-z]+|[{}&\\\s]")


def _is_short(answer: str) -> bool:
    """Whether a text is a value; of one formula the signs count that are seen."""
    alone = answer[:1] == answer[-1:] == "$" and answer.count("$") == 2
    seen = _COMMANDS.sub("", answer) if alone else answer
    return len(seen) <= SHORT_ANSWER and "\n" not in answer


def _bare(text: str) -> str:
    return re.sub(r"\A[\s:：.．]+", "", tidy(text))


def tidy(text: str) -> str:
    """Single blanks, lines without blanks at their ends, at most one empty line."""
    lines = [_WIDE_GAP.sub("", " ".join(line.split())) for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def blanks_in(tex: str, asked: bool) -> tuple[str, list[str]]:
    r"""A formula without the answers that stand in it, and these; where nobody is asked, with them.

    >>> blanks_in(r"x=\answer{5}", asked=True)
    ('x=\\underline{\\qquad}', ['$5$'])
    """
    out = list[str]()
    answers = list[str]()
    at = 0
    tex = _FILLED.sub(r"\\answer{\1}", tex)
    for match in _FORMULA_ANSWER.finditer(tex):
        end = group_end(tex, match.end() - 1)
        if end < 0 or match.start() < at or of_name(match[1]) != "answer":
            continue
        answer = tex[match.end() : end - 1]
        out += [tex[at : match.start()], r"\underline{\qquad}" if asked else answer]
        answers += [f"${answer.strip()}$"] * asked
        at = end
    return "".join([*out, tex[at:]]), answers


def typeset(text: str) -> str:
    """Text as it is printed: dashes, quotes, lines as one."""
    for sign, printed in _PRINTED.items():
        text = text.replace(sign, printed)
    return text
