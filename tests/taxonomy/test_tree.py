"""The built-in trees against the data they describe, and look-up, scales and mappings."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.problem import Problem, Source
from benchwright.taxonomy import BUILT_IN, check_maps, load_tree, map_label, parse_tree
from benchwright.taxonomy.coverage import coverage
from click.testing import CliRunner
from real_data import RealData

SMALL = """
name: small
source: a test
levels: [area, topic]
per_leaf: [1, 2]
nodes:
  - name: Plane
    children: [{name: Length, id: pl}, {name: Area, id: pa}]
  - name: Solid
    children: [{name: Length, id: sl}, {name: Volume}]
"""


@pytest.mark.parametrize(
    ("name", "per_depth"),
    [("math-v", [16]), ("mathverse", [3, 12]), ("we-math", [5, 12]), ("mm-math", [3])],
)
def test_counts_are_the_papers(name: str, per_depth: list[int]) -> None:
    tree = load_tree(name)
    depths = Counter(node.depth for node in tree.nodes.values())
    assert [depths[k + 1] for k in range(len(per_depth))] == per_depth
    assert all(node.definition and node.source for node in tree.nodes.values())
    check_maps(tree)


def test_mm_math_marks_what_is_not_the_datas() -> None:
    tree = load_tree("mm-math")
    mm_math = {
        node.name for node in tree.nodes.values() if node.source.startswith("MM-MATH")
    }
    assert mm_math == {
        *("Transformations of Shapes", "Functions", "Properties of Shapes"),
        *(
            "Circle",
            "Quadrilateral",
            "Quadratic Function",
            "Acute Angle Trigonometric Functions",
        ),
    }
    assert all(leaf.depth == 3 and "ours" in leaf.source for leaf in tree.leaves)


def test_we_math_has_67_leaves_by_domain() -> None:
    tree = load_tree("we-math")
    domains = Counter(leaf.path[0] for leaf in tree.leaves)
    assert domains == {
        "Plane Figures": 30,
        "Solid Figures": 15,
        "Position and Direction": 9,
        "Transformation and Motion of Figures": 8,
        "Measurement": 5,
    }
    assert Counter(leaf.depth for leaf in tree.leaves) == {4: 46, 3: 21}


def test_we_math_tree_is_the_published_one(data: RealData) -> None:
    rows = json.loads(data.whole("we-math/knowledge_structure_nodes.json").read_text())
    published = {
        tuple(row[f"root{k}"] for k in range(1, 5) if row[f"root{k}"]) for row in rows
    }
    assert {leaf.path for leaf in load_tree("we-math").leaves} == published


def test_math_v_subjects_are_the_datas(data: RealData) -> None:
    lines = data.math_v("test.jsonl").read_text("utf-8").splitlines()
    assert {leaf.name for leaf in load_tree("math-v").leaves} == {
        json.loads(line)["subject"] for line in lines
    }


def test_mathverse_subfields_are_the_datas(data: RealData) -> None:
    rows = json.loads(data.whole("mathverse/testmini_text_only.json").read_text())
    pairs = {(row["metadata"]["subject"], row["metadata"]["subfield"]) for row in rows}
    assert {leaf.path for leaf in load_tree("mathverse").leaves} == pairs


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_label_finds_its_node_again(name: str) -> None:
    tree = load_tree(name)
    for node in tree.nodes.values():
        assert tree.find(tree.label(node)) is node
        assert tree.find(node.id) is node
        assert tree.find(node.full_name.upper()) is node


def test_a_name_of_branch_and_leaf_means_the_leaf() -> None:
    tree = load_tree("we-math")
    assert tree.find("Combining Plane Figures").children == ()
    branch = tree.nodes["combined-plane-figures"]
    assert tree.label(branch).endswith(
        " / Cutting and Combining of Figures / Combining Plane Figures"
    )


def test_wrong_and_ambiguous_names_are_told() -> None:
    tree = load_tree("mathverse")
    with pytest.raises(UserError, match="did you mean 'Volume'"):
        tree.find("volumes")
    with pytest.raises(
        UserError, match="'Plane Geometry / Length', 'Solid Geometry / Length'"
    ):
        tree.find("Length")
    assert tree.find_in({"subject": "Solid Geometry"}, "Length").id == "solid-length"
    with pytest.raises(UserError, match="did you mean 'Area of Circles'"):
        load_tree("we-math").find("area of circle")


def test_levels_of_a_short_branch_end_in_the_last_level() -> None:
    tree = load_tree("we-math")
    assert tree.by_level(tree.find("Rotation")) == {
        "domain": "Transformation and Motion of Figures",
        "topic": "Basic Transformations of Figures",
        "concept": "Rotation",
    }
    assert [node.depth for node in tree.ancestors(tree.find("Area of Circles"))] == [
        1,
        2,
        3,
        4,
    ]


@pytest.mark.parametrize(
    ("tree", "scale", "number", "value"),
    [
        *(("math-v", "level", grade, level) for grade, level in
          [(1, 1), (2, 1), (3, 2), (6, 2), (7, 3), (8, 3), (9, 4), (10, 4), (11, 5), (13, 5)]),
        ("mm-math", "difficulty", 0.851, "easy"),
        ("mm-math", "difficulty", 0.85, "medium"),
        ("mm-math", "difficulty", 0.7, "medium"),
        ("mm-math", "difficulty", 0.699, "hard"),
        ("mm-math", "difficulty", 0, "hard"),
        ("mm-math", "grade", 8, "eight"),
    ],
)  # fmt: skip
def test_scales(tree: str, scale: str, number: float, value: object) -> None:
    assert load_tree(tree).scale(scale).value(number) == value


@pytest.mark.parametrize(
    ("scale", "number"), [("level", 0), ("level", 14), ("level", float("nan"))]
)
def test_a_number_off_the_scale_is_refused(scale: str, number: float) -> None:
    with pytest.raises(UserError, match="not on the scale"):
        load_tree("math-v").scale(scale).value(number)


def test_mapping_goes_up_to_the_nearest_mapped_node() -> None:
    we_math, mathverse = load_tree("we-math"), load_tree("mathverse")
    mapped = map_label(we_math, "Area of Circles", mathverse)
    assert mapped is not None
    assert mapped.full_name == "Plane Geometry / Area"
    assert map_label(we_math, "Up-Down Position", mathverse) is None
    with pytest.raises(UserError, match="no mapping to 'mm-math'"):
        map_label(we_math, "Rotation", load_tree("mm-math"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("levels:", "levles:"), "unknown key 'levles': did you mean 'levels'"),
        (("[area, topic]", "[area]"), "lies 2 deep"),
        ((", id: sl", ""), "two nodes have the id 'length'"),
        (("Area, id", "length, id"), "stands twice under one parent"),
        (("source: a test", "source: [a]"), "small.yaml:2: source is"),
        (("name: Plane", "nam: Plane"), "small.yaml:7: unknown key 'nam': did you mean 'name'"),
        (("name: Plane", "name: A / B"), "is not a name"),
        (("per_leaf: [1, 2]", "per_leaf: many"), "per_leaf"),
        (("per_leaf: [1, 2]", "maps: {mathverse: {Lenght: x}}"), "maps: 'Lenght' is not in"),
        (("name: small", "name: small\nname: twice"), "key 'name' stands twice"),
        (("[{name: Length, id: pl}", "&a [{name: Length, id: pl}, *a"), "alias"),
        (("name: Plane", "name: !!python/object/apply:os.getcwd []"), "not readable"),
        (("nodes:", "nodes: [}"), "not readable"),
    ],
)  # fmt: skip
def test_a_wrong_tree_is_refused_by_name(change: tuple[str, str], message: str) -> None:
    text = SMALL.replace("id: pl", "id: length") if "two nodes" in message else SMALL
    with pytest.raises(UserError) as caught:
        parse_tree(text.replace(*change, 1).encode(), "small.yaml")
    assert message in str(caught.value)


def _problem(key: str, **labels: object) -> Problem:
    return Problem(
        id=key,
        origin=key,
        source=Source(name="a", raw_id=key),
        question="?",
        labels=labels,
    )


def test_coverage_counts_and_names_what_is_wrong(tmp_path: Path) -> None:
    tree = parse_tree(SMALL.encode(), "small.yaml")
    problems = [
        _problem("1", area="Plane", topic="Length"),
        _problem("2", topic=["Volume", "Area"]),
        _problem("3", topic="Volume"),
        _problem("4", topic="volume"),
        _problem("5", topic="Volum"),
        _problem("6"),
    ]
    result = coverage(problems, tree, "topic")
    assert result.counts == {"pl": 1, "pa": 1, "sl": 0, "volume": 3}
    assert (result.few, result.many, result.unlabelled) == (["sl"], ["volume"], ["6"])
    assert [(key, label) for key, label, _ in result.outside] == [("5", "Volum")]


def test_we_maths_own_coverage_breaks_its_rule_once(data: RealData) -> None:
    rows = json.loads(data.whole("we-math/testmini.json").read_text())
    steps = [row for row in rows if not row["key"].endswith("multi")]
    problems = [
        _problem(str(k), knowledge=r["knowledge concept"]) for k, r in enumerate(steps)
    ]
    result = coverage(problems, load_tree("we-math"), "knowledge")
    assert (len(result.outside), result.few, len(result.many)) == (0, [], 1)
    assert result.counts[result.many[0]] == 41


def test_commands(tmp_path: Path) -> None:
    run = CliRunner().invoke
    outline = json.loads(run(cli, ["taxonomy", "show", "math-v", "--json"]).output)
    assert len(outline["nodes"]) == 16
    (tmp_path / "small.yaml").write_text(SMALL)
    assert run(cli, ["taxonomy", "check", str(tmp_path / "small.yaml")]).exit_code == 0
    lines = "".join(
        json.dumps({"id": k, "origin": k, "source": {"name": "a", "raw_id": k}, "question": "?",
                    "labels": {"subject": label}}) + "\n"
        for k, label in [("a", "algebra"), ("b", "algbra")]
    )  # fmt: skip
    (tmp_path / "p.jsonl").write_text(lines)
    result = run(cli, ["taxonomy", "check", "math-v", str(tmp_path / "p.jsonl")])
    assert result.exit_code == 1
    assert "b: 'algbra' is not in the tree: did you mean 'algebra'" in result.output
