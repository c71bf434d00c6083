"""GeoGebra files as specs: what is drawn is what the file shows, what is not known is named."""

from __future__ import annotations

import math
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import import_geogebra, measure
from benchwright.errors import UserError
from benchwright.living import read_seed
from benchwright.render.diagram import draw


def _point(label: str, x: float, y: float, shown: bool = True) -> str:
    show = f'<show object="true" label="{str(shown).lower()}"/>'
    return (
        f'<element type="point" label="{label}">{show}'
        f'<labelMode val="0"/><coords x="{x}" y="{y}" z="1"/></element>'
    )


def _command(name: str, inputs: list[str], outputs: list[str]) -> str:
    ins = " ".join(f'a{k}="{v}"' for k, v in enumerate(inputs))
    outs = " ".join(f'a{k}="{v}"' for k, v in enumerate(outputs))
    return f'<command name="{name}"><input {ins}/><output {outs}/></command>'


def _element(kind: str, label: str, inside: str = "", labelled: bool = False) -> str:
    show = f'<show object="true" label="{str(labelled).lower()}"/>'
    return f'<element type="{kind}" label="{label}">{show}{inside}</element>'


def _saved(path: Path, body: str, head: str = "", **files: str) -> Path:
    xml = (
        f'<?xml version="1.0" encoding="utf-8"?>{head}<geogebra format="5.0"><euclidianView>'
        f'<evSettings axes="false" grid="false"/></euclidianView>'
        f'<construction title="T">{body}</construction></geogebra>'
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("geogebra.xml", xml)
        for name, text in files.items():
            archive.writestr(f"geogebra_{name}", text)
    return path


RIGHT = (
    _point("A", 0, 0) + _point("B", 4, 0) + _point("C", 0, 3)
    + _command("Polygon", ["A", "B", "C"], ["t1", "c", "a", "b"])
    + _element("polygon", "t1")
    + _element("segment", "c", '<labelMode val="2"/>', labelled=True)
    + _element("segment", "a") + _element("segment", "b")
    + _command("Midpoint", ["B", "C"], ["D"]) + _point("D", 2, 1.5)
    + _command("Segment", ["A", "D"], ["f"])
    + _element("segment", "f", '<lineStyle thickness="5" type="15"/>')
    + _command("Angle", ["B", "A", "C"], ["α"])
    + _element("angle", "α", f'<value val="{math.pi / 2}"/>', labelled=True)
    + _command("Circle", ["D", "A"], ["k"])
    + _element("conic", "k", '<matrix A0="1" A1="1" A2="0" A3="0" A4="-2" A5="-1.5"/>')
)  # fmt: skip


def test_a_construction_becomes_a_spec_that_measures_the_same(tmp_path: Path) -> None:
    path = _saved(tmp_path / "t.ggb", RIGHT)
    imported = import_geogebra(path, tmp_path / "t.yaml")
    assert imported.issues == []
    assert imported.free == ["A", "B", "C"]
    spec = yaml.safe_load((tmp_path / "t.yaml").read_text("utf-8"))
    assert spec["construct"] == {"D": {"mid": ["B", "C"]}}
    assert {"segment": ["A", "D"], "dash": True} in spec["draw"]
    assert {"circle": "D", "through": "A"} in spec["draw"]
    assert spec["marks"] == [{"right": ["B", "A", "C"]}]
    assert measure(spec, {"length": "AD"}) == pytest.approx(2.5)
    drawing = draw(spec)
    assert [
        label.label.text for label in drawing.labels if label.label.kind == "segment"
    ] == ["4"]


def test_free_points_vary_in_a_seed(tmp_path: Path) -> None:
    path = _saved(tmp_path / "t.ggb", RIGHT)
    import_geogebra(path, tmp_path / "seed.yaml", seed=True)
    seed = read_seed(tmp_path / "seed.yaml")
    assert seed.data["vary"] == {"bx": "2..6 by 1", "cy": "1..5 by 1"}
    assert seed.data["published"] == {"bx": 4.0, "cy": 3.0}
    assert seed.data["figure"]["points"]["B"] == ["bx", 0.0]


@pytest.mark.parametrize(
    ("command", "inputs", "place", "known"),
    [
        ("Midpoint", ["A", "B"], (2, 0), {"mid": ["A", "B"]}),
        ("Mirror", ["C", "c"], (0, -3), {"reflect": ["C", "A", "B"]}),
        ("Mirror", ["B", "A"], (-4, 0), {"rotate": ["B", "A", 180]}),
        (
            "Rotate",
            ["B", "60°", "A"],
            (2, 2 * math.sqrt(3)),
            {"rotate": ["B", "A", 60.0]},
        ),
        ("Dilate", ["B", "0.5", "A"], (2, 0), {"dilate": ["B", "A", 0.5]}),
        ("TriangleCenter", ["A", "B", "C", "1"], (1, 1), {"incenter": ["A", "B", "C"]}),
        ("Centroid", ["t1"], (4 / 3, 1), {"centroid": ["A", "B", "C"]}),
        ("Midpoint", ["A", "B"], (1, 1), None),  # drawn elsewhere: its place counts
        ("Fermat", ["A", "B", "C"], (1, 1), None),
    ],
)
def test_points_are_constructed_or_stay_where_they_are_drawn(
    tmp_path: Path, command: str, inputs: list[str], place: Any, known: Any
) -> None:
    body = RIGHT + _command(command, inputs, ["E"]) + _point("E", *place)
    imported = import_geogebra(_saved(tmp_path / "t.ggb", body))
    constructed = imported.spec["construct"].get("E")
    assert constructed == known
    if known is None:
        assert imported.spec["points"]["E"] == [1.0, 1.0]
        assert any(
            "E" in issue.message or "Fermat" in issue.message
            for issue in imported.issues
        )
    assert measure(imported.spec, {"length": "AE"}) == pytest.approx(
        math.hypot(*place), rel=1e-3
    )


def test_scripts_macros_and_unknown_objects_are_named(tmp_path: Path) -> None:
    body = RIGHT + _command("Locus", ["D", "B"], ["l"]) + _element("locus", "l")
    body += _point("E", 1, 1).replace("<show", '<javascript val="alert(1)"/><show')
    path = _saved(
        tmp_path / "t.ggb", body, **{"macro.xml": "<x/>", "javascript.js": "alert(1)"}
    )
    messages = " ".join(issue.message for issue in import_geogebra(path).issues)
    for named in ("macros", "scripts", "script of E", "command Locus"):
        assert named in messages


@pytest.mark.parametrize("kind", ["text", "empty", "entities", "broken"])
def test_bad_files_are_named(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "bad.ggb"
    if kind == "text":
        path.write_text("no archive")
    elif kind == "empty":
        zipfile.ZipFile(path, "w").close()
    elif kind == "entities":
        _saved(path, "", head='<!DOCTYPE x [<!ENTITY a "b">]>')
    else:
        _saved(path, "<element>")
    with pytest.raises(UserError, match=r"bad\.ggb"):
        import_geogebra(path)


def test_a_file_as_geogebra_writes_it_is_drawn(tmp_path: Path) -> None:
    """A labelled segment twice in the spec, two points at one place, a curve by its equation, and
    a text that is put together of pieces."""
    body = RIGHT + _command("Intersect", ["k", "c"], ["E"]) + _point("E", 0, 0)
    body += _element("segment", "g", '<labelMode val="0"/>', labelled=True).replace(
        "<element", _command("Segment", ["B", "C"], ["g"]) + "<element"
    )
    body += '<expression label="eq1" exp="(x^(2) + y^(2))^(2) = (4 * x)" type="implicitpoly"/>'
    body += _element("implicitpoly", "eq1")
    body += '<expression label="text1" exp="&quot;a = &quot; + a"/>' + _element(
        "text", "text1", '<startPoint x="1" y="1" z="1"/>'
    )
    imported = import_geogebra(_saved(tmp_path / "t.ggb", body), tmp_path / "t.yaml")
    told = {issue.where: issue.message for issue in imported.issues}
    assert told == {
        "E": "E lies where A does: one point, two names",
        "text1": "text1 is left out: its text is computed",
    }
    text = (tmp_path / "t.yaml").read_text("utf-8")
    assert "&id" not in text
    drawing = draw(text)
    assert "$A(E)$" in {placed.label.text for placed in drawing.labels}
    assert {"implicit": "(x^(2)+y^(2))^(2)=(4*x)"} in yaml.safe_load(text)["draw"]
