"""Mistakes planted in seeds by their letters alone: tokens of one part are changed at random.

Nothing here knows what guards there are. The seed as it was is the truth: a change counts as a
mistake where what is asked, drawn or answered is another for its published numbers.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

KINDS = ("formula", "label", "text", "figure", "option", "span")
LOOKS = ("names", "extend", "ticks", "arcs")  # how it looks, not what it is
SWAPS = [  # words of which one may stand where another stood
    "parallel perpendicular", "right obtuse acute", "rectangle square rhombus trapezium",
    "square rectangle", "parallelogram rectangle", "trapezium parallelogram rectangle",
    "radius diameter", "diameter radius", "area perimeter", "perimeter area",
    "equal parallel perpendicular", "middle foot third", "middles feet thirds", "halves meets",
    "bisectors heights medians", "largest smallest", "m cm km", "cm m mm", "cubic square",
    "centimetres metres", "degrees radians", "smaller larger", "larger smaller",
    "touches leaves", "positive negative", "mean median", "height median", "sum product",
    "hours minutes", "outwards inwards", "upwards downwards", "inside outside",
]  # fmt: skip


def mistakes(seeds: list[Path], kind: str, number: int) -> Iterator[tuple[str, str]]:
    """Endless (what was done, YAML) of mistakes of one kind."""
    draw = random.Random(f"{kind}:{number}")
    plant: Callable[[dict[str, Any], random.Random], str] = globals()[f"_{kind}"]
    seen = set[str]()
    while True:
        path = draw.choice(seeds)
        data = yaml.safe_load(path.read_text("utf-8"))
        changed = copy.deepcopy(data)
        what = f"{path.stem}: {plant(changed, draw)}"
        if changed != data and what not in seen:
            seen.add(what)
            yield what, yaml.safe_dump(changed, sort_keys=False, width=1000)


def _expression(text: str, data: dict[str, Any], draw: random.Random) -> str:
    """One token of an expression is another: a number, a name, a sign, a function."""
    tokens = list(re.finditer(r"\d+(?:\.\d+)?|[a-z]+|[-+*/^]", text))
    token = draw.choice(tokens) if tokens else None
    if token is None:
        return text
    names = [n for n in data["vary"] if n != token[0]]
    if token[0][0].isdigit():
        new = draw.choice([str(int(float(token[0])) + k) for k in (1, 2)])
    elif token[0] in data["vary"]:
        new = draw.choice(
            [*names, f"({token[0]}+1)", f"(2*{token[0]})", f"({token[0]}/2)"]
        )
    elif token[0].isalpha():
        new = {"sqrt": "", "sin": "cos", "cos": "sin", "pi": "3"}.get(
            token[0], token[0]
        )
    else:
        new = draw.choice([sign for sign in "-+*/" if sign != token[0]])
    return text[: token.start()] + new + text[token.end() :]


def _values(text: str, data: dict[str, Any], draw: random.Random) -> str:
    slots = list(re.finditer(r"\{([^{}]+)\}", text))
    if not slots:
        return text
    slot = draw.choice(slots)
    return f"{text[: slot.start(1)]}{_expression(slot[1], data, draw)}{text[slot.end(1) :]}"


def _words(text: str, data: dict[str, Any], draw: random.Random) -> str:
    found = [
        (match, other)
        for words in SWAPS
        for first, *others in [words.split()]
        for match in re.finditer(rf"\b{first}\b", text)
        for other in others
    ]
    if not found:
        return text
    match, other = draw.choice(found)
    return text[: match.start()] + other + text[match.end() :]


def _letters(text: str, data: dict[str, Any], draw: random.Random) -> str:
    """A letter of a named thing is that of another point."""
    letters = [m for name in re.finditer(r"(?<![\w\[])[A-Z]{1,6}(?![\w:])", text)
               for m in re.finditer("[A-Z]", name[0])
               for m in [(name.start() + m.start(), m[0], name[0])]]  # fmt: skip
    others = sorted({p for *_, name in letters if len(name) > 1 for p in name})
    if not letters or not others:
        return text
    at, old, name = draw.choice(letters)
    new = draw.choice([p for p in others if p not in name] or [old])
    return text[:at] + new + text[at + 1 :]


def _formula(data: dict[str, Any], draw: random.Random) -> str:
    old = str(data["answer"]["exact"])
    data["answer"]["exact"] = _expression(old, data, draw)
    return f"{old} -> {data['answer']['exact']}"


def _text(data: dict[str, Any], draw: random.Random) -> str:
    old = data["question"]
    data["question"] = draw.choice([_values, _words, _letters])(old, data, draw)
    return f"{old} -> {data['question']}"


def _label(data: dict[str, Any], draw: random.Random) -> str:
    labels = [e for e in (data.get("figure") or {}).get("labels", []) if e.get("text")]
    if not labels:
        return ""
    label = draw.choice(labels)
    old = str(label)
    key = draw.choice(
        [k for k in label if k in ("text", "segment", "angle", "area", "point")]
    )
    if key == "text":
        label["text"] = draw.choice([_values, _values, _words])(
            label["text"], data, draw
        )
    else:
        points = [p for p in data["figure"].get("points", {}) if p not in label[key]]
        at = draw.randrange(len(label[key]))
        label[key] = (
            label[key][:at] + draw.choice(points or ["?"]) + label[key][at + 1 :]
        )
    return f"{old} -> {label}"


def _figure(data: dict[str, Any], draw: random.Random) -> str:
    """A number, or an expression, of what the figure is made of."""
    figure = data.get("figure") or {}
    made = {
        k: figure.get(k)
        for k in ("points", "construct", "solve", "solids", "chart", "draw")
    }
    made = {  # what is free may lie elsewhere: the seed says so
        k: {n: v for n, v in part.items() if n not in data.get("free", [])}
        if isinstance(part, dict) else part
        for k, part in made.items()
    }  # fmt: skip
    places = list(_places(made))
    if not places:
        return ""
    holder, key = draw.choice(places)
    old = holder[key]
    if isinstance(old, str):
        holder[key] = _expression(old, data, draw)
    else:
        first = draw.choice(list(data["vary"]))
        holder[key] = draw.choice(
            [f"{old}+{first}", f"{old}-{first}/2", f"{old}+{first}/3"]
        )
    return f"{old} -> {holder[key]} in {holder}"


def _places(part: Any) -> Iterator[tuple[Any, Any]]:
    """Where an expression or a number stands: (the list or mapping, its index or key)."""
    entries = part.items() if isinstance(part, dict) else enumerate(part or ())
    for key, value in entries:
        if isinstance(value, dict | list):
            yield from _places(value)
        elif key not in LOOKS and not re.search(
            "[A-Z]|^(?:gray|x|y|True)$", str(value)
        ):
            yield part, key


def _option(data: dict[str, Any], draw: random.Random) -> str:
    wrong = (data.get("options") or {}).get("wrong")
    if not wrong:
        return ""
    k = draw.randrange(len(wrong))
    right, old = data["answer"]["exact"], wrong[k]
    wrong[k] = draw.choice([
        f"({right})*1", f"2*({right})/2", f"-({right})", f"1000*({right})", f"({right})/0",
        wrong[k - 1], f"{old}+", f"sqrt(-1-({right})^2)", f"({right})+0*({old})", f"{old}+zz", 0,
    ])  # fmt: skip
    return f"{old} -> {wrong[k]}"


def _span(data: dict[str, Any], draw: random.Random) -> str:
    """A mark of a span is another, lost, or stands a word further."""
    old = data["question"]
    marks = list(re.finditer(r"\[(?:DI|IP|EC):|\]", old))
    if not marks:
        return ""
    mark = draw.choice(marks)
    before, after = old[: mark.start()], old[mark.end() :]
    word = r"\s*[^\s\[\]]+\s*"
    last, first = re.search(rf"{word}$", before), re.match(word, after)
    roles = [f"[{role}:" for role in ("DI", "IP", "EC", "CE") if role not in mark[0]]
    data["question"] = draw.choice([
        before + after,
        before + (draw.choice(roles) if mark[0] != "]" else "") + after,
        before[: last.start()] + mark[0] + last[0] + after if last else old,
        before + first[0] + mark[0] + after[first.end() :] if first else old,
    ])  # fmt: skip
    return f"{old} -> {data['question']}"
