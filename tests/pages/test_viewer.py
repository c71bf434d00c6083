"""The viewer's data: pieces of bounded size, facets in order, bytes that stay the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchwright.pages import (
    Card,
    Run,
    card_of,
    page_of,
    script,
    write_page,
    write_viewer,
)
from benchwright.pages.viewer import katex_style
from small_releases import make_sample


def loaded(path: Path) -> Any:
    text = path.read_text("utf-8")
    return json.loads(text[text.index("(") + 1 : text.rindex(")")])


def card(k: int, **fields: Any) -> Card:
    return Card(id=f"a-{k}", problem=f"a-{k // 2}", **{"facets": {}} | fields)


def test_pieces_hold_every_card_once_and_stay_small(tmp_path: Path) -> None:
    long = Run(reply="x" * 300_000)
    cards = [card(k, runs=[long] if 100 <= k < 110 else []) for k in range(250)]
    assert write_viewer(tmp_path / "d", [page_of(cards[:2]), page_of(cards[2:])]) == 250
    index = loaded(tmp_path / "d/index.js")
    pieces = [loaded(p) for p in sorted((tmp_path / "d").glob("samples-*.js"))]
    assert [number for number, _ in pieces] == list(range(len(pieces)))
    assert [c["id"] for _, part in pieces for c in part] == [
        f"a-{k}" for k in range(250)
    ]
    firsts = [part[0]["id"] for _, part in pieces]
    assert [index["ids"][k] for k in index["starts"]] == firsts
    assert (
        max(p.stat().st_size for p in (tmp_path / "d").glob("samples-*.js")) < 750_000
    )


def test_facets_number_their_values_in_natural_order(tmp_path: Path) -> None:
    values = [["10"], ["2"], [], ["2", "10"]]
    cards = [card(k, facets={"level": v} if v else {}) for k, v in enumerate(values)]
    write_viewer(tmp_path / "d", [page_of(cards[:2]), page_of(cards[2:])])
    (facet,) = loaded(tmp_path / "d/index.js")["facets"]
    assert facet == {
        "name": "level",
        "values": ["2", "10"],
        "codes": [1, 0, [], [0, 1]],
    }


def test_a_label_that_comes_late_is_empty_before(tmp_path: Path) -> None:
    facets = [{}, {"x": ["a"]}, {"x": ["b"]}]
    cards = [card(k, facets=f) for k, f in enumerate(facets)]
    write_viewer(tmp_path / "d", [page_of(cards[:1]), page_of(cards[1:])])
    (facet,) = loaded(tmp_path / "d/index.js")["facets"]
    assert facet["codes"] == [[], 0, 1]


def test_the_same_cards_give_the_same_bytes(tmp_path: Path) -> None:
    cards = [
        card_of(make_sample(f"a-{k}"), {"b": [str(k % 3)], "a": ["x"]})
        for k in range(9)
    ]
    for name in ("one", "two"):
        write_page(tmp_path / name / "p.html", "t", cards=cards)
    one, two = ({f.name: f.read_bytes() for f in (tmp_path / n).rglob("*.*") if f.is_file()}
                for n in ("one", "two"))  # fmt: skip
    assert one == two
    assert len(one) == 6


def test_place_alone_depends_on_where_a_page_lies(tmp_path: Path) -> None:
    """A report made elsewhere is the same, but for the one file that leads to the history."""
    release = tmp_path / "r-1.0.0"
    (release / "images").mkdir(parents=True)
    (tmp_path / "r-1.0.0-history").mkdir()
    cards = [card_of(make_sample(f"a-{k}"), {"b": [str(k)]}) for k in range(3)]
    pages = [tmp_path / "here/p.html", tmp_path / "far/away/p.html"]
    for page in pages:
        write_page(page, "t", cards=cards, release=release)
    one, two = ({f.name: f.read_bytes() for f in page.parent.rglob("*.*") if f.is_file()}
                for page in pages)  # fmt: skip
    assert [name for name in one if one[name] != two[name]] == ["place.js"]
    assert loaded(pages[1].with_name("p.data") / "place.js") == {
        "history": "../../r-1.0.0-history/"
    }


def test_json_cannot_leave_its_script() -> None:
    text = script("piece", b'["</script><!--\xe2\x80\xa8\xe2\x80\xa9"]').decode()
    assert "<" not in text
    assert text.isprintable() is False or "\u2028" not in text
    assert json.loads(text[len("benchwright.piece(") : -3]) == [
        "</script><!--\u2028\u2029"
    ]


def test_pictures_of_a_release_travel_with_the_page(tmp_path: Path) -> None:
    release = tmp_path / "release"
    (release / "images").mkdir(parents=True)
    (release / "images/a.png").write_bytes(b"png")
    cards = [card(0, pictures=["images/a.png", "images/gone.png", "../secret.png"])]
    (tmp_path / "secret.png").write_bytes(b"no")
    write_page(tmp_path / "out/p.html", "t", cards=cards, release=release)
    data = tmp_path / "out/p.data"
    assert [p.name for p in data.rglob("*.png")] == ["a.png"]
    assert loaded(data / "index.js")["root"] == "p.data/"
    assert not list((tmp_path / "out").glob("*.png"))


def test_the_style_of_formulas_carries_its_fonts() -> None:
    style = katex_style().decode()
    assert "url(fonts" not in style
    assert style.count("url(data:font/woff2;base64,") == 20
