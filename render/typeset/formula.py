"""One formula -> an outline in em units; whatever sets a part of it gives the same kind of box.

mathtext and ziamath set what they can. What neither sets right is composed here of their boxes:
environments, frames, strokes, colours, rules, and whatever holds Chinese words. Nothing is drawn
wrongly in silence: each box knows its ink, and one whose ink is not what the formula says is
refused, with every engine's reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ...latex import (
    EM,
    FULL_WIDTH,
    RULE,
    UnreadableError,
    expected_ink,
    group_end,
    ink_of,
    maths_spans,
    outside,
    undrawable,
    unlike,
)
from .arrows import BETWEEN, OVER, between, over_arrow
from .engines import delimiter, mathtext, open_font, ziamath_box
from .fonts import Face, cjk_face, covers, text_face
from .mathtext_dialect import GLUED, needs_ziamath
from .outlines import (
    AXIS,
    UNIT,
    MathBox,
    RefusedError,
    assembled,
    beside,
    coloured,
    fraction,
    framed,
    make_box,
    rectangle,
    rooted,
    scripted,
    shifted,
    stacked,
    struck,
)
from .tables import layout_of, table

DEEPEST = 20  # levels of nesting
_CJK = f"[{FULL_WIDTH}]"
_OURS = re.compile(
    r"\\(?:begin|f?box(?:ed)?|framebox|[bx]?cancel|rule|(?:text)?color|tag|[bB]igg?[lrm]?)(?![A-Za-z])|"
    + _CJK
)
_ARROW = re.compile(
    r"\\(?:over(?:left|right|leftright)arrow|x(?:left|right|leftright)arrow|xlongequal"
    r"|vec(?=\s*\{\s*[A-Za-z]\s*[A-Za-z]))(?![A-Za-z])"
)
_COMPOSED = re.compile(f"{_OURS.pattern}|{_ARROW.pattern}")
_LETTERS = re.compile(r"\s*\{\s*[A-Za-z]\s*[A-Za-z]")
_STYLE = re.compile(r"\\(?:display|text)style(?![A-Za-z])")
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|.", re.DOTALL)
_FRACTIONS = {r"\frac": 0.75, r"\dfrac": 1.0, r"\tfrac": 0.7, r"\cfrac": 1.0}
_STRIKES = {r"\cancel": "/", r"\bcancel": "\\", r"\xcancel": "/\\"}
_BOXES = (r"\boxed", r"\fbox", r"\framebox")
_WORDS = (r"\text", r"\mbox", r"\textrm", r"\textbf", r"\textit", r"\textnormal", r"\hbox",
          r"\mathrm", r"\mathbf", r"\operatorname", r"\mathit")  # fmt: skip
_BIG = re.compile(r"\\([bB]igg?)[lrm]?")
_SIZES = {"big": 0.6, "Big": 0.85, "bigg": 1.15, "Bigg": 1.45}  # em above and below the axis
_SPACES = {r"\quad": 1.0, r"\qquad": 2.0, r"\ ": 0.3, "~": 0.3, r"\,": 0.17, r"\;": 0.28,
           r"\:": 0.22, r"\!": 0.0, " ": 0.0, "\n": 0.0, r"\enspace": 0.5,
           r"\space": 0.3}  # fmt: skip
_RELATIONS = (
    r"(?:[=<>+\-:]|\\(?:leq?|geq?|neq?|approx|equiv|in|to|times|cdot|sim|Rightarrow|pm|div|iff|implies"
    r"|therefore|because|cup|cap|mid)(?![A-Za-z]))"
)
_OPENS, _CLOSES = re.compile(_RELATIONS), re.compile(_RELATIONS + r"\Z")


@lru_cache(20_000)
def math_box(tex: str, display: bool = False) -> MathBox:
    """The outline of one formula (without its dollars). Raises RefusedError.

    >>> math_box(r"\\frac12").engine, math_box(r"\\begin{aligned} x &= 1 \\end{aligned}").width > 2
    ('mathtext', True)
    """
    tex = GLUED.sub(r"\\\1 ", tex)
    if reason := undrawable(tex, DEEPEST):
        raise RefusedError(reason)
    try:
        return _checked(tex, lambda: _row(tex, display))
    except RefusedError:
        if _OURS.search(tex) or not _ARROW.search(tex):
            raise
        return _engines(tex, display)  # an arrow that cannot be composed, ziamath sets


def _checked(tex: str, set_it: Callable[[], MathBox]) -> MathBox:
    """A box that shows what the formula says. Raises RefusedError."""
    try:
        expected = expected_ink(tex)
    except UnreadableError as reason:
        raise RefusedError(str(reason)) from None
    box = set_it()
    if difference := unlike(expected, box.ink):
        raise RefusedError(difference)
    return box


def _row(tex: str, display: bool) -> MathBox:
    if not _COMPOSED.search(tex) and not _STYLE.search(tex):
        return _engines(tex, display)
    return _Row(tex, display).box()


@lru_cache(20_000)
def _engines(tex: str, display: bool) -> MathBox:
    """The first engine's box whose ink is the formula's."""
    engines = {"mathtext": mathtext, "ziamath": ziamath_box}
    if needs_ziamath(tex):
        del engines["mathtext"]
    reasons = []
    for name, engine in engines.items():
        try:
            return _checked(tex, lambda engine=engine: engine(tex, display))  # type: ignore[misc]
        except RefusedError as reason:
            reasons.append(f"{name}: {reason}")
    raise RefusedError("; ".join(reasons))


class _Part(NamedTuple):
    box: MathBox
    gap: float  # em before it


class _Row:
    """A walk over a formula's top level: runs for the engines, between them what is composed."""

    def __init__(self, tex: str, display: bool) -> None:
        self.tex, self.display = tex, display
        self.at = self.start = 0  # where reading is, and where the run for the engines began
        self.parts: list[_Part] = []
        self.space = 0.0

    def box(self) -> MathBox:
        while self.at < len(self.tex):
            match = _TOKEN.match(self.tex, self.at)
            assert match is not None
            self._token(match[0], match.end())
        self._flush(len(self.tex))
        if not self.parts:
            return _engines("", self.display)
        if len(self.parts) == 1:
            return self.parts[0].box
        return beside([p.box for p in self.parts], [0.0, *(p.gap for p in self.parts[1:])])

    def _token(self, token: str, end: int) -> None:
        """Read one token that ends at `end`, and what belongs to it."""
        before, self.at = self.at, end
        if token in ("^", "_"):
            self._script(before)
        elif token == r"\left":
            self._fence(before)
        elif token in (r"\displaystyle", r"\textstyle", r"\color"):
            self._rest(token, before)
        elif token == "{":
            self.at = max(group_end(self.tex, before), end)
            if _COMPOSED.search(self.tex, before, self.at):
                self._put(before, _row(self.tex[before + 1 : self.at - 1], self.display))
        elif re.match(_CJK, token):
            while self.at < len(self.tex) and re.match(_CJK, self.tex[self.at]):
                self.at += 1
            self._put(before, words(self.tex[before : self.at]))
        elif token.startswith("\\"):
            self._command(token, before)

    def _command(self, name: str, before: int) -> None:
        if name == r"\begin":
            self._put(before, self._environment(before))
        elif name in _BOXES:
            self._put(before, framed(_row(self._argument(), self.display)))
        elif name in _STRIKES:
            self._put(before, struck(_row(self._argument(), self.display), _STRIKES[name]))
        elif name in OVER or (name == r"\vec" and _LETTERS.match(self.tex, self.at)):
            base = _row(self._argument(), self.display)
            self._put(before, over_arrow(base, OVER.get(name, "→")))
        elif name in BETWEEN:
            below, above = self._optional(), self._argument()
            labels = _row(above, False), _row(below, False)
            self._put(before, between(*labels, BETWEEN[name]), 0.25)
            self.space = 0.25
        elif name == r"\textcolor":
            colour = _colour(self._optional(), self._argument())
            self._put(before, coloured(_row(self._argument(), self.display), colour))
        elif name == r"\rule":
            raised = _em(self._optional())
            width, height = _em(self._argument()), _em(self._argument())
            self._put(before, _bar(width, height, raised))
        elif big := _BIG.fullmatch(name):
            char, self.at = _delimiter(self.tex, self.at)
            self._put(before, delimiter(char, _SIZES[big[1]]), 0.0)
        elif name in (r"\tag", r"\tag*"):
            words_ = self._argument()
            self._put(before, prose(words_ if name.endswith("*") else f"({words_})"), 2.0)
        elif name == r"\sqrt":
            self._root(before)
        elif name in (*_FRACTIONS, *_WORDS, r"\overset", r"\stackrel", r"\underset"):
            self._holding(name, before)
        else:  # what it takes is the engines' with it
            self._groups()

    def _groups(self) -> None:
        """Past the groups that stand directly behind."""
        while group := re.compile(r"\s*\[[^\]]*\]\s*(?=\{)|\s*(?=\{)").match(self.tex, self.at):
            self.at = max(group_end(self.tex, group.end()), group.end() + 1)

    def _holding(self, name: str, before: int) -> None:
        """A command that is the engines' unless its arguments hold something composed."""
        first = self._argument()
        second = "" if name in _WORDS else self._argument()
        if not _COMPOSED.search(first + second):
            return
        if name in _WORDS:
            self._put(before, prose(first), 0.0)
        elif name in _FRACTIONS:
            size = 1.0 if name == r"\frac" and self.display else _FRACTIONS[name]
            above, below = _row(first, False), _row(second, False)
            self._put(before, fraction(above, below, size))
        else:
            small, base = _row(first, False), _row(second, self.display)
            under = name == r"\underset"
            self._put(before, stacked(base, *((None, small) if under else (small, None))))

    def _root(self, before: int) -> None:
        """A root that holds something composed."""
        index, body = self._optional(), self._argument()
        if _COMPOSED.search(index + body):
            small = _row(index, False) if index.strip() else None
            self._put(before, rooted(_row(body, self.display), small))

    def _environment(self, before: int) -> MathBox:
        r"""Everything from `\begin{...}` to its end."""
        name = self._argument().strip()
        body_end, end = environment_end(self.tex, before)
        if not body_end:
            raise RefusedError(f"no end of the environment {name}")
        layout = layout_of(name)
        self._optional()
        spec = ""
        if name.rstrip("*") in ("array", "darray", "tabular", "longtable", "subarray"):
            if name == "tabular*":
                self._argument()
            spec = self._argument()
        elif "alignat" in name or "alignedat" in name:
            self._argument()
        body, self.at = self.tex[self.at : body_end], end
        display = layout.display
        box = table(body, spec, layout, prose if layout.text else lambda cell: _row(cell, display))
        return _fenced(box, *layout.fences)

    def _fence(self, before: int) -> None:
        r"""`\left ... \right`: the engines' unless something composed stands inside."""
        end = _fence_end(self.tex, before)
        if not end or not _COMPOSED.search(self.tex, before, end[1]):
            self.at = end[1] if end else self.at
            return
        left, self.at = _delimiter(self.tex, self.at)
        right, behind = _delimiter(self.tex, end[0] + len(r"\right"))
        inner = self.tex[self.at : end[0]]
        self.at = behind
        self._put(before, _fenced(_row(inner, self.display), left, right))

    def _rest(self, name: str, before: int) -> None:
        """A switch for all that follows."""
        self._flush(before)
        colour = _colour(self._optional(), self._argument()) if name == r"\color" else ""
        rest = self.tex[self.at :]
        self.at = self.start = len(self.tex)
        if rest.strip():
            display = {r"\displaystyle": True, r"\textstyle": False}.get(name, self.display)
            box = _row(rest, display)
            self._add(coloured(box, colour) if colour else box)

    def _script(self, before: int) -> None:
        """Scripts that hold something composed, or stand behind it."""
        composed = bool(self.parts) and not self.tex[self.start : before].strip()
        scripts = {self.tex[before]: self._argument()}
        other = re.compile(r"\s*[\^_]").match(self.tex, self.at)
        if other and self.tex[other.end() - 1] not in scripts:
            self.at = other.end()
            scripts[self.tex[other.end() - 1]] = self._argument()
        if not composed and not any(map(_COMPOSED.search, scripts.values())):
            return
        end, self.at = self.at, before
        self._flush(before)
        self.at = self.start = end
        base, gap = (
            self.parts.pop() if self.parts else _Part(make_box([], 0, "native", Counter()), 0)
        )
        boxes = {mark: _row(source, False) for mark, source in scripts.items()}
        self.parts.append(_Part(scripted(base, boxes.get("^"), boxes.get("_")), gap))

    def _put(self, before: int, box: MathBox, gap: float = 0.08) -> None:
        """A composed box in the place of the source from `before` to where reading is."""
        end = self.at
        self._flush(before)
        self.at = self.start = end
        self._add(box, gap)

    def _flush(self, end: int) -> None:
        """The run up to `end` goes to the engines; blanks at its ends are kept as room."""
        run, self.start = self.tex[self.start : end], end
        lead, run, trail = _spaces(run)
        self.space += lead
        if run:
            opener = "{}" if self.parts and _OPENS.match(run) else ""  # a relation keeps its room
            self._add(_engines(opener + run, self.display))
            if _CLOSES.search(run):
                self.space = 0.25
            elif run.endswith(","):
                self.space = 0.15
        self.space += trail

    def _add(self, box: MathBox, gap: float = 0.08) -> None:
        self.parts.append(_Part(box, gap + self.space))
        self.space = 0.0

    def _argument(self) -> str:
        """The next group, without its braces, or token."""
        while self.at < len(self.tex) and self.tex[self.at].isspace():
            self.at += 1
        if self.tex.startswith("{", self.at):
            end = group_end(self.tex, self.at)
            inner, self.at = self.tex[self.at + 1 : end - 1], end
            return inner
        start = self.at
        match = _TOKEN.match(self.tex, start)
        if match:
            self.at = match.end()
            if match[0][0] == "\\" and match[0][1:].isalpha():  # x^\text{in}
                self._groups()
        return self.tex[start : self.at]

    def _optional(self) -> str:
        match = re.compile(r"\s*\[([^\]]*)\]").match(self.tex, self.at)
        self.at = match.end() if match else self.at
        return match[1] if match else ""


def _nothing() -> MathBox:
    return make_box([], 0.0, "native", Counter())


def _spaces(run: str) -> tuple[float, str, float]:
    """A run without the blanks at its ends, and how much room those take."""
    tokens = _TOKEN.findall(run)
    room = [0.0, 0.0]
    for side in (0, 1):
        while tokens and tokens[-side] in _SPACES:
            room[side] += _SPACES[tokens.pop(-side)]
    return room[0], "".join(tokens), room[1]


_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{[^{}]*\}")


def environment_end(tex: str, start: int) -> tuple[int, int]:
    r"""Start and end of the `\end` that closes the `\begin` at `start`, or zeros."""
    depth = 0
    for match in _ENVIRONMENT.finditer(tex, start):
        depth += 1 if match[1] == "begin" else -1
        if depth == 0:
            return match.start(), match.end()
    return 0, 0


def _fence_end(tex: str, start: int) -> tuple[int, int] | None:
    r"""Where the `\right` of a `\left` starts, and where its delimiter ends."""
    depth = 0
    for match in re.compile(r"\\(left|right)(?![A-Za-z])").finditer(tex, start):
        depth += 1 if match[1] == "left" else -1
        if depth == 0:
            return match.start(), _delimiter(tex, match.end())[1]
    return None


_NAMES = {
    r"\{": "{", r"\}": "}", r"\lbrace": "{", r"\rbrace": "}", r"\|": "∥", r"\vert": "|",
    r"\lvert": "|", r"\rvert": "|", r"\Vert": "∥", r"\lVert": "∥", r"\rVert": "∥", r"\langle": "⟨",
    r"\rangle": "⟩", r"\lfloor": "⌊", r"\rfloor": "⌋", r"\lceil": "⌈", r"\rceil": "⌉",
    r"\lbrack": "[", r"\rbrack": "]", "<": "⟨", ">": "⟩", r"\lt": "⟨", r"\gt": "⟩",
}  # fmt: skip


def _delimiter(tex: str, at: int) -> tuple[str, int]:
    match = re.compile(r"\s*(\\[A-Za-z]+|\\.|.)", re.DOTALL).match(tex, at)
    return (_NAMES.get(match[1], match[1]), match.end()) if match else (".", at)


def _fenced(box: MathBox, left: str, right: str) -> MathBox:
    """A box between delimiters as high as it is."""
    half = max(box.ascent - AXIS, box.descent + AXIS, 0.45)
    boxes = [delimiter(left, half), box, delimiter(right, half)]
    return beside(boxes, [0.0, 0.1 if left != "." else 0.0, 0.1 if right != "." else 0.0])


def _bar(width: float, height: float, raised: float) -> MathBox:
    if not (0 < width <= 100 and 0 < height <= 100):
        raise RefusedError("a rule without width or height")
    return assembled([], width, [rectangle(0.0, raised, width, height)], Counter([RULE]))


def _em(size: str) -> float:
    """A length such as 3pt in em."""
    match = re.fullmatch(r"\s*(-?[\d.]{1,9})\s*([a-z]{2})\s*", size)
    if size.strip() and not (match and match[2] in EM):
        raise RefusedError(f"a length of {size!r}")
    return float(match[1]) * EM[match[2]] if match else 0.0


def _colour(model: str, name: str) -> str:
    """A colour as LaTeX names it, as #rrggbb."""
    from matplotlib.colors import to_hex

    given: Any = name.strip()
    try:
        if model == "HTML":
            given = f"#{given}"
        elif model in ("rgb", "RGB"):
            most = 255 if model == "RGB" else 1
            given = tuple(float(n) / most for n in given.split(","))
        elif model == "gray":
            given = (float(given),) * 3
        return str(to_hex(given))
    except ValueError:
        raise RefusedError(f"unknown colour {name!r}") from None


def words(text: str) -> MathBox:
    """Plain words as an outline: DejaVu Sans, and the machine's Chinese font where needed."""
    from matplotlib.ft2font import LoadFlags

    outlines, x = [], 0.0
    for char in text.replace("\n", " "):
        face = _face(char)
        font = open_font(face.path, face.index)
        font.set_size(UNIT, 72)
        advance = font.load_char(ord(char), flags=LoadFlags.NO_HINTING).linearHoriAdvance / 65536
        vertices, codes = font.get_path()
        outlines.append((shifted(np.asarray(vertices, float).reshape(-1, 2), x), np.asarray(codes)))
        x += advance
    return make_box(outlines, x, "native", ink_of(text))


def _face(char: str) -> Face:
    if covers(text_face(), char):
        return text_face()
    face = cjk_face()
    if face is None:
        raise RefusedError("no Chinese font was found")
    if not covers(face, char):
        raise RefusedError(f"no glyph for {char!r}")
    return face


_FONT = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|normal|up|md)?|emph|mbox|hbox|mathrm|mathbf)\s*(?=\{)"
)
_ESCAPE = re.compile(r"\\([%$&#_{} ])")


def prose(text: str) -> MathBox:
    """Words that may hold formulas and tables: a table's cell, or a text group.

    Raises RefusedError.
    """
    text = text.strip() if text.strip() else text[:1]
    boxes: list[MathBox] = []
    gaps: list[float] = []
    nested = re.search(r"\\begin\s*\{tabular\*?\}", text)
    if nested:
        _, end = environment_end(text, nested.start())
        inner = [text[: nested.start()], text[nested.start() : end], text[end:]]
        boxes = [_row(part, False) if k == 1 else prose(part) for k, part in enumerate(inner)]
        return beside(boxes, [0.0] * 3)
    spans = maths_spans(text)
    for k, (start, end) in enumerate(outside(text, spans)):
        part = text[start:end]
        if part:
            boxes.append(_plain(part))
            gaps.append(0.0)
        if k < len(spans):
            boxes.append(_row(spans[k].tex, False))
            gaps.append(0.0)
    return beside(boxes, gaps) if boxes else _nothing()


def _plain(text: str) -> MathBox:
    r"""Prose without formulas, its escapes undone; other LaTeX in it is set as mathematics."""
    text = text.replace("~", " ")
    flat = re.sub(r"(?<!\\)[{}]", "", _FONT.sub("", text))  # groups show nothing
    flat = _ESCAPE.sub("\ue000", flat)
    if "\\" in flat:
        return _row(text.strip(), False)
    escaped = iter(_ESCAPE.findall(text))
    flat = re.sub("\ue000", lambda _: next(escaped), flat)
    return words(re.sub(r"[ \t\n]+", " ", re.sub(r"(?<!\\)\$", "", flat)))


@lru_cache(4096)
def math_ink(tex: str, em: float, display: bool = False) -> tuple[Any, int]:
    """The formula as a Pillow picture at `em` pixels, and its baseline's row.

    A grey mask of its ink; one in colours where the formula asks for them (RGBA).
    """
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.colors import to_rgb
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D
    from PIL import Image

    box = math_box(tex, display)
    baseline = int(np.ceil(box.ascent * em)) + 1
    height = baseline + int(np.ceil(box.descent * em)) + 1
    width = max(1, int(np.ceil(box.width * em)) + 2)
    renderer = RendererAgg(width, height, 72)
    place = Affine2D().scale(em).translate(1, height - baseline)
    at = 0
    for count, colour in box.colours or ((len(box.vertices), ""),):
        run = slice(at, at + count)
        at += count
        if count:
            context = renderer.new_gc()
            context.set_linewidth(0)
            context.set_snap(False)
            path = Path(box.vertices[run], box.codes[run])
            renderer.draw_path(context, path, place, to_rgb(colour or "black"))
    pixels = np.asarray(renderer.buffer_rgba())
    if box.colours:
        return Image.fromarray(pixels.copy()), baseline
    return Image.fromarray(pixels[:, :, 3].copy()), baseline
