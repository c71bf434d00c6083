"""Bad specs end in a clear UserError, never in a traceback or a broken picture."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import draw
from benchwright.render.figure import read_spec
from real_data import ROOT

HERE = Path(__file__).parent
CASES = json.loads((HERE / "diagram_bad_specs.json").read_text(encoding="utf-8"))
EXAMPLES = sorted((ROOT / "examples" / "diagrams").glob("*.yaml"))


def text_of(case: dict[str, Any]) -> str:
    if "repeat" in case:
        labels = ", ".join(
            f'{{segment: AB, text: "{k}"}}' for k in range(case["repeat"])
        )
        return f"points: {{A: [0, 0], B: [4, 0]}}\nlabels: [{labels}]"
    if "long" in case:
        text = "word " * (case["long"] // 5)
        return f"points: {{A: [0, 0], B: [4, 0]}}\nlabels: [{{segment: AB, text: '{text}'}}]"
    return str(case["spec"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_says_what_is_wrong(case: dict[str, Any]) -> None:
    with pytest.raises(UserError) as caught:
        draw(text_of(case))
    assert case["says"] in str(caught.value)
    assert len(str(caught.value)) < 400


JUNK = [
    None, True, -1, 0, 1e9, "", "A", "ZZ", "AB", [], [1], {}, {"a": 1}, [[1, 2], [3]], "x^2",
    "[0, 1)", float("nan"), "$", "ABC", 10**30, "مرحبا",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_damaged_examples_draw_or_say_why(seed: int) -> None:
    """One value of a good spec replaced by junk: a picture with ink, or a UserError."""
    rng = random.Random(seed)
    specs = [read_spec(path.read_text(encoding="utf-8")) for path in EXAMPLES]
    drawn = refused = 0
    for _ in range(60):
        spec = copy.deepcopy(rng.choice(specs))
        damage(spec, rng)
        try:
            picture = draw(spec).picture
        except UserError:
            refused += 1
        else:
            drawn += 1
            assert picture.convert("L").getextrema()[0] < 128
    assert drawn
    assert refused


def damage(spec: dict[str, Any], rng: random.Random) -> None:
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        keys = node if isinstance(node, dict) else range(len(node))
        for key in keys:
            places.append((node, key))
            if isinstance(node[key], dict | list):
                walk(node[key])

    walk(spec)
    node, key = rng.choice(places)
    if rng.random() < 0.75:
        node[key] = rng.choice(JUNK)
    else:
        del node[key]


def test_many_labels_that_do_not_fit_are_issues() -> None:
    labels = [{"segment": "AB", "text": str(k)} for k in range(60)]
    drawing = draw(
        {
            "points": {"A": [0, 0], "B": [4, 0], "C": [1, 3]},
            "draw": [{"polygon": "ABC"}],
        }
        | {"labels": labels, "scale": False}
    )
    codes = {issue.code for issue in drawing.issues}
    assert "label-overlap" in codes
    assert codes <= {"label-overlap", "label-misread"}
    assert all("at" in issue.message for issue in drawing.issues)
    assert (
        sum(done.label.text.isdigit() for done in drawing.labels) == 60
    )  # none is lost
