"""The prompts of the judges: our own words, the papers' printed ones, or files of one's own.

| task | own words | printed in |
|---|---|---|
| answers | answer-match | MathVerse takes MathVista's template and prints none |
| cot-extract | cot-extract | mathverse-extract: MathVerse, table 7, key-step extraction |
| cot-score | cot-score | mathverse-score: MathVerse, table 7, multi-step scoring |
| process | first-error | mm-math-process: MM-MATH, table 4, process evaluation |
| wo-extract, wo-match | files of these names | MathVerse's code: a wording file |

Table 7 abbreviates its one sample to 'XXX'; ours stands there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from ...errors import UserError, nearest
from ...taxonomy import Words
from ..prompts import check_template, fenced, read_template, template

_PROBLEM = ("question", "options", "problem", "answer")
NAMES = {
    "answers": (*_PROBLEM, "reply"),
    "cot-extract": ("reply",),
    "cot-score": (*_PROBLEM, "diagram", "steps", "count"),
    "process": (*_PROBLEM, "solution", "kinds", "reply"),
    "wo-extract": ("reply",),
    "wo-match": ("question", "answer", "extraction"),
}
NEEDED = {
    "answers": ["reply"],
    "cot-extract": ["reply"],
    "cot-score": ["steps"],
    "process": ["reply"],
    "wo-extract": ["reply"],
    "wo-match": ["extraction"],
}
OWN = {
    "answers": "answer-match",
    "cot-extract": "cot-extract",
    "cot-score": "cot-score",
    "process": "first-error",
    "wo-extract": "wo-extract",
    "wo-match": "wo-match",
}
PRINTED = {
    "cot-extract": "mathverse-extract",
    "cot-score": "mathverse-score",
    "process": "mm-math-process",
}


class Wording(msgspec.Struct, frozen=True):
    """A judge's prompt; replies to a `printed` one come in the paper's form, others as JSON.

    Into a `verbatim` one go replies as they are, without a fence: the bytes that a paper sent.
    """

    text: str
    printed: bool = False
    verbatim: bool = False
    classes: Mapping[
        str, Mapping[str, str]
    ] = {}  # benchmark -> class of errors -> meaning
    words: str = ""  # whose, of a wording file

    def shown(self, reply: str) -> str:
        """A reply as it stands in the prompt."""
        return reply if self.verbatim else fenced(reply)


def wordings(
    printed: bool | Literal["verbatim"] = False,
    files: Mapping[str, str | Path] | None = None,
    words: Words | None = None,
) -> dict[str, Wording]:
    """The prompt of each task; `files` are one's own, by task, for replies in the JSON of ours.

    The papers' `printed` prompts have replies in a fence, unless they are to be "verbatim". The
    prompts of a wording file are taken as such files are, its classes of errors with any.

    Raises UserError for an unknown task, unknown $names, and a prompt that shows no reply.

    >>> wordings(printed=True)["cot-score"].printed, wordings(printed=True)["answers"].printed
    (True, False)
    """
    chosen = {
        task: Wording(template(PRINTED[task]), True, printed == "verbatim")
        if printed and task in PRINTED
        else Wording(template(name))
        for task, name in OWN.items()
    }
    own = {**(files or {}), **(words.prompts if words else {})}
    if foreign := next((task for task in own if task not in OWN), ""):
        raise UserError(
            f"no judge's prompt is called {foreign!r}", nearest(foreign, list(OWN))
        )
    for task, path in (files or {}).items():
        chosen[task] = Wording(read_template(Path(path), NAMES[task], NEEDED[task]))
    for task, text in (words.prompts if words else {}).items():
        where = f"the prompt {task!r} of the wording file"
        checked = check_template(text, where, NAMES[task], NEEDED[task])
        chosen[task] = Wording(checked, verbatim=words.verbatim if words else False)
    if words:
        chosen = {
            task: replace(w, classes=words.errors, words=words.words)
            for task, w in chosen.items()
        }
    return chosen
