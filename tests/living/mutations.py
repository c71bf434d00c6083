"""Mistakes planted in seeds: six kinds, drawn by a number, each a real mistake when it is made."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

KINDS = ("formula", "label", "text", "figure", "option", "span")


def mistakes(seeds: list[Path], kind: str, number: int) -> Iterator[tuple[str, str]]:
    """Endless (what was done, YAML) of mistakes of one kind."""
    draw = random.Random(f"{kind}:{number}")
    plant = globals()[f"_{kind}"]
    while True:
        path = draw.choice(seeds)
        data = yaml.safe_load(path.read_text("utf-8"))
        changed = copy.deepcopy(data)
        what = plant(changed, draw)
        if what and changed != data:
            yield f"{path.stem}: {what}", yaml.safe_dump(changed, sort_keys=False, width=1000)


def _names(data: dict[str, Any]) -> list[str]:
    return [n for n in data["vary"] if isinstance(data["vary"][n], str)]


def _other(data: dict[str, Any], name: str, draw: random.Random) -> str:
    """A wrong value: another parameter, or the same a bit off."""
    others = [n for n in _names(data) if n != name]
    return draw.choice([*others, f"{name}+1", f"2*{name}", f"{name}+2"])


def _formula(data: dict[str, Any], draw: random.Random) -> str:
    old = data["answer"]["exact"]
    new = draw.choice([f"({old})+1", f"2*({old})", f"({old})/3", f"({old})^2+1/7"])
    name = draw.choice(_names(data))
    swapped = re.sub(rf"(?<![a-z]){name}(?![a-z])", f"({name}+1)", str(old))
    data["answer"]["exact"] = draw.choice([new, swapped if swapped != str(old) else new])
    return f"{old} -> {data['answer']['exact']}"


def _in_text(text: str, data: dict[str, Any], draw: random.Random) -> str:
    slots = list(re.finditer(r"\{([^{}]+)\}", text))
    if not slots:
        return text
    slot = draw.choice(slots)
    inside = slot[1]
    name = inside if inside in _names(data) else ""
    new = _other(data, name, draw) if name else f"{inside}+1"
    return f"{text[: slot.start()]}{{{new}}}{text[slot.end() :]}"


def _text(data: dict[str, Any], draw: random.Random) -> str:
    old = data["question"]
    data["question"] = _in_text(old, data, draw)
    return f"{old} -> {data['question']}"


def _label(data: dict[str, Any], draw: random.Random) -> str:
    labels = [e for e in (data.get("figure") or {}).get("labels", []) if "{" in e.get("text", "")]
    if not labels:
        return ""
    label = draw.choice(labels)
    old = label["text"]
    label["text"] = _in_text(old, data, draw)
    return f"{old} -> {label['text']}"


def _figure(data: dict[str, Any], draw: random.Random) -> str:
    """A number of a point that something is said of is off."""
    figure = data.get("figure") or {}
    if "polar" in str(figure.get("construct")):  # turned or moved it is as right as before
        return ""
    places = [{k: v for k, v in e.items() if k != "text"} for e in figure.get("labels", [])]
    said = f"{data['answer'].get('measured', '')}{places}"
    points = [n for n in figure.get("points", {}) if re.search(rf"[A-Z]*{n}[A-Z]*", said)]
    if not points:
        return ""
    name = draw.choice(points)
    place = figure["points"][name]
    if not isinstance(place, list):
        return ""
    k = draw.randrange(len(place))
    old = place[k]
    first = _names(data)[0]
    place[k] = draw.choice([f"{old}+{first}/3", f"{old}-{first}/2", f"1.3*({old})+{first}/5"])
    return f"{name}: {old} -> {place[k]}"


def _option(data: dict[str, Any], draw: random.Random) -> str:
    wrong = (data.get("options") or {}).get("wrong")
    if not wrong:
        return ""
    k = draw.randrange(len(wrong))
    right, old = data["answer"]["exact"], wrong[k]
    wrong[k] = draw.choice([
        right, f"({right})*1", f"-({right})", f"1000*({right})", f"({right})/0",
        wrong[k - 1], f"{old}+", f"sqrt(-1-({right})^2)",
    ])  # fmt: skip
    return f"{old} -> {wrong[k]}"


def _span(data: dict[str, Any], draw: random.Random) -> str:
    old = data["question"]
    if "[EC:" not in old:
        return ""
    data["question"] = draw.choice([
        lambda: re.sub(r"\[EC:", "[IP:", old),
        lambda: re.sub(r"\[EC:", "[DI:", old),
        lambda: re.sub(r"\[EC:", "[CE:", old),
        lambda: re.sub(r"\[EC:(.*?)\]", r"\1", old),
        lambda: old.replace("]", "", 1),
        lambda: re.sub(r"\](?=[^\]]*$)", "", old) + "]",
        lambda: re.sub(r"\[(DI|IP):", "[EC:", old, count=1),
        lambda: re.sub(r"(\[EC:)(\w+ \w+)", r"\2 \1", old),
    ])()  # fmt: skip
    return f"{old} -> {data['question']}"
