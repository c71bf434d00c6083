"""Generated diagram specs: plane figures, solids and graphs with random sizes and labels."""

from __future__ import annotations

import random
from typing import Any

Spec = dict[str, Any]


def generated(count: int, seed: int = 11) -> list[Spec]:
    """`count` specs, the kinds in turn; the same seed gives the same specs."""
    rng = random.Random(seed)
    return [KINDS[k % len(KINDS)](rng) for k in range(count)]


def narrow_solids(count: int, seed: int = 12) -> list[Spec]:
    """Cones, cylinders and pyramids so narrow that a height inside hardly has room for its text."""
    rng = random.Random(seed)
    kinds = (narrow_cone, narrow_cylinder, narrow_pyramid)
    return [kinds[k % 3](rng) for k in range(count)]


def narrow_cone(rng: random.Random) -> Spec:
    """A cone with radius, height and slant, all labelled."""
    radius, height = rng.uniform(0.8, 2.2), rng.uniform(6, 13)
    return {
        "kind": "solid",
        "solids": [{"cone": "OV", "radius": radius, "height": height}],
        "points": {"A": [radius, 0, 0]},
        "draw": [{"path": "VOA"}],
        "marks": [{"right": "VOA"}],
        "labels": [
            {"segment": "OV", "text": "{} cm"},
            {"segment": "OA", "text": "{} cm"},
            {"segment": "AV", "text": "{} cm"},
        ],
    }


def narrow_cylinder(rng: random.Random) -> Spec:
    """A cylinder with its axis, radius and a side line, labelled."""
    radius, height = rng.uniform(0.7, 2), rng.uniform(6, 12)
    return {
        "kind": "solid",
        "solids": [{"cylinder": "OP", "radius": radius, "height": height}],
        "points": {"A": [radius, 0, 0], "B": [radius, 0, height]},
        "draw": [{"path": "POA"}],
        "labels": [
            {"segment": "OP", "text": "$h$" if rng.random() < 0.3 else "{} cm"},
            {"segment": "OA", "text": "{}"},
            {"segment": "AB", "text": "{} cm"},
        ],
    }


def narrow_pyramid(rng: random.Random) -> Spec:
    """A pyramid on a square with its height, an edge and a side of the base, labelled."""
    side, height = rng.uniform(1.5, 4), rng.uniform(6, 12)
    return {
        "kind": "solid",
        "solids": [{
            "pyramid": "ABCDP", "height": height,
            "base": [[0, 0], [side, 0], [side, side], [0, side]],
        }],
        "construct": {"O": {"mid": "AC"}},
        "draw": [{"segment": "PO"}, {"segment": "AC"}],
        "labels": [
            {"segment": "PO", "text": "{} cm"},
            {"segment": "PB", "text": "{} cm"},
            {"segment": "AB", "text": "{} cm"},
        ],
    }  # fmt: skip


def triangle(rng: random.Random) -> Spec:
    """A triangle with its height, all sides and one angle labelled."""
    base, height = rng.uniform(6, 10), rng.uniform(3, 8)
    foot = rng.uniform(0.15, 0.85) * base
    return {
        "points": {"A": [0, 0], "B": [base, 0], "C": [foot, height]},
        "construct": {"D": {"foot": "CAB"}},
        "draw": [{"polygon": "ABC"}, {"segment": "CD", "dash": True}],
        "marks": [{"right": "CDB"}, {"angle": "BAC", "tag": "EC"}],
        "labels": [
            {"segment": "AC", "text": "{} cm"},
            {"segment": "BC", "text": "{} cm"},
            {"segment": "CD", "text": "$h$"},
            {"angle": "BAC", "text": "{}°"},
        ],
    }


def chords(rng: random.Random) -> Spec:
    """Two chords of a circle that meet inside it."""
    a, c = rng.uniform(120, 170), rng.uniform(70, 110)
    b, d = rng.uniform(-40, 20), rng.uniform(220, 290)
    return {
        "points": {"O": [0, 0]},
        "construct": {
            "A": {"polar": ["O", 5, a]},
            "B": {"polar": ["O", 5, b]},
            "C": {"polar": ["O", 5, c]},
            "D": {"polar": ["O", 5, d]},
            "P": {"meet": "ABCD"},
        },
        "draw": [{"circle": "O", "through": "A"}, {"segment": "AB"}, {"segment": "CD"}],
        "hide": ["O"],
        "marks": [{"angle": "CPB", "tag": "EC"}],
        "labels": [
            {"segment": "AP", "text": "{}"},
            {"segment": "PB", "text": "{}"},
            {"angle": "CPB", "text": "{}°"},
        ],
    }


def tangents(rng: random.Random) -> Spec:
    """Two tangents from a point to a circle."""
    return {
        "points": {"O": [0, 0], "P": [rng.uniform(7, 11), rng.uniform(-2, 2)]},
        "construct": {
            "A": {"tangent": ["P", "O", 4, 1]},
            "B": {"tangent": ["P", "O", 4, 2]},
        },
        "draw": [
            {"circle": "O", "radius": 4},
            {"path": "APB"},
            {"path": "AOB"},
            {"dot": "O"},
        ],
        "marks": [
            {"right": "OAP"},
            {"equal": ["PA", "PB"]},
            {"angle": "APB", "tag": "EC"},
        ],
        "labels": [{"angle": "APB", "text": "{}°"}, {"segment": "OA", "text": "4"}],
    }


def parallelogram(rng: random.Random) -> Spec:
    """A parallelogram with its diagonals."""
    side, lean, height = rng.uniform(6, 9), rng.uniform(1, 4), rng.uniform(3, 5)
    return {
        "points": {"A": [0, 0], "B": [side, 0], "D": [lean, height]},
        "construct": {"C": {"translate": "DAB"}, "O": {"meet": "ACBD"}},
        "draw": [{"polygon": "ABCD"}, {"segment": "AC"}, {"segment": "BD"}],
        "marks": [{"parallel": ["AB", "DC"]}, {"angle": "DAB", "arcs": 1}],
        "labels": [
            {"segment": "AB", "text": "{}"},
            {"segment": "AD", "text": "{}"},
            {"segment": "BO", "text": "$x+1$"},
        ],
    }


def transversal(rng: random.Random) -> Spec:
    """Two parallels cut by a third line."""
    angle = rng.uniform(38, 75)
    return {
        "points": {"A": [0, 0], "B": [9, 0], "C": [0, 3.2], "D": [9, 3.2], "P": [3, 0]},
        "construct": {
            "R": {"polar": ["P", 5, angle]},
            "Q": {"meet": "CDPR"},
            "E": {"on": ["P", "Q", 1.4]},
            "F": {"on": ["P", "Q", -0.4]},
        },
        "hide": ["R"],
        "draw": [{"segment": "AB"}, {"segment": "CD"}, {"segment": "FE"}],
        "marks": [
            {"parallel": ["AB", "CD"]},
            {"angle": "BPQ"},
            {"angle": "CQE", "arcs": 2},
        ],
        "labels": [{"angle": "BPQ", "text": "{}°"}, {"angle": "CQE", "text": "$x$"}],
    }


def inscribed(rng: random.Random) -> Spec:
    """A quadrilateral in a circle with diagonals, crowded with angles."""
    a, b = rng.uniform(150, 190), rng.uniform(215, 250)
    c, d = rng.uniform(-50, -10), rng.uniform(40, 90)
    places = {
        name: {"polar": ["O", 5, t]}
        for name, t in zip("ABCD", (a, b, c, d), strict=True)
    }
    return {
        "points": {"O": [0, 0]},
        "construct": places | {"E": {"meet": "ACBD"}},
        "hide": ["O"],
        "draw": [
            {"circle": "O", "through": "A"},
            {"polygon": "ABCD"},
            {"segment": "AC"},
            {"segment": "BD"},
        ],
        "marks": [{"angle": "DAC"}, {"angle": "DBC"}, {"angle": "BEC", "arcs": 2}],
        "labels": [
            {"angle": "DAC", "text": "{}°"},
            {"angle": "DBC", "text": "$x$"},
            {"angle": "BEC", "text": "{}°"},
            {"segment": "AB", "text": "{}"},
            {"segment": "CD", "text": "{}"},
        ],
    }


def narrow(rng: random.Random) -> Spec:
    """A flat triangle with narrow angles, a median and its two halves."""
    height = rng.uniform(1.4, 2.6)
    return {
        "points": {"A": [0, 0], "B": [10, 0], "C": [rng.uniform(3, 7), height]},
        "construct": {"M": {"mid": "AB"}},
        "draw": [{"polygon": "ABC"}, {"segment": "CM"}],
        "marks": [
            {"angle": "BAC"},
            {"angle": "ABC", "arcs": 2},
            {"equal": ["AM", "MB"]},
        ],
        "labels": [
            {"angle": "BAC", "text": "{}°"},
            {"angle": "ABC", "text": "{}°"},
            {"segment": "CM", "text": "{} m"},
            {"segment": "AC", "text": "{} m"},
        ],
    }


def box(rng: random.Random) -> Spec:
    """A box with three edges and a diagonal."""
    size = [rng.uniform(3, 6), rng.uniform(2, 5), rng.uniform(2, 4)]
    return {
        "solids": [{"box": "ABCDEFGH", "size": size}],
        "draw": [{"segment": "AG", "color": "red"}, {"segment": "AC"}],
        "labels": [
            {"segment": "AB", "text": "{} cm"},
            {"segment": "BC", "text": "{} cm"},
            {"segment": "AE", "text": "{} cm"},
        ],
    }  # fmt: skip


def cone(rng: random.Random) -> Spec:
    """A cone with radius, height and slant height."""
    radius, height = rng.uniform(3, 5), rng.uniform(5, 9)
    return {
        "solids": [{"cone": "OV", "radius": radius, "height": height}],
        "points": {"A": [radius, 0, 0]},
        "draw": [{"segment": "OA"}, {"segment": "OV"}],
        "marks": [{"right": "AOV"}],
        "labels": [
            {"segment": "OA", "text": "{} cm"},
            {"segment": "OV", "text": "{} cm"},
            {"segment": "VA", "text": "{} cm"},
        ],
    }


def pyramid(rng: random.Random) -> Spec:
    """A square pyramid with its height."""
    a = rng.uniform(3, 5)
    return {
        "solids": [
            {
                "pyramid": "ABCDP",
                "base": [[0, 0], [a, 0], [a, a], [0, a]],
                "height": rng.uniform(4, 6),
            }
        ],
        "construct": {"O": {"mid": "AC"}},
        "draw": [{"segment": "PO"}, {"segment": "AC"}, {"segment": "BD"}],
        "labels": [{"segment": "PO", "text": "{}"}, {"segment": "AB", "text": "{}"}],
    }


def parabola(rng: random.Random) -> Spec:
    """A parabola with its vertex on a grid."""
    p, q = rng.randint(-2, 3), rng.randint(-4, 1)
    rule = f"(x - {p})^2 + {q}"
    return {
        "axes": {"x": [-5, 6], "y": [-5, 6], "grid": True},
        "points": {"V": [p, q]},
        "draw": [{"curve": rule, "color": "blue"}, {"dot": "V"}],
        "labels": [
            {"curve": rule, "text": "$f$"},
            {"point": "V", "text": f"$V$({p}, {q})"},
        ],
    }  # fmt: skip


def lines(rng: random.Random) -> Spec:
    """Two straight lines on axes."""
    m, n = rng.choice([1, 2, -1]), rng.randint(-2, 2)
    return {
        "axes": {"x": [-5, 5], "y": [-5, 5]},
        "draw": [
            {"curve": f"{m}x + {n}", "color": "blue"},
            {"curve": f"-0.5x + {n - 1}"},
        ],
        "labels": [
            {"curve": f"{m}x + {n}", "text": f"$y={m}x{n:+d}$" if n else f"$y={m}x$"},
            {"curve": f"-0.5x + {n - 1}", "text": "$g$"},
        ],
    }


KINDS = (
    triangle, chords, tangents, parallelogram, transversal, inscribed, narrow, box, cone, pyramid,
    parabola, lines,
)  # fmt: skip
