"""Data sets on a hub are sources of a recipe: pinned, kept, readable without a network."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from benchwright import build_release
from benchwright.base.files import read_jsonl
from benchwright.cli import cli
from benchwright.errors import BenchwrightError, UserError
from benchwright.release import read_manifest, read_samples
from click.testing import CliRunner
from hub_server import Hub, Repository
from llm_server import llm_server
from small import png, write_recipe, write_rows

EXAMPLES = Path(__file__).parents[2] / "examples" / "hub"
PICTURE = {"bytes": png(40, 30, 90), "path": "1.png"}


def parquet(rows: list[dict[str, Any]]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), file)
    return file.getvalue()


# rows of our own in the columns of the published sets
MATHVISTA = [
    {"pid": "1", "question": "How many dots are there?", "image": "images/1.jpg",
     "decoded_image": PICTURE, "choices": None, "unit": None, "precision": None, "answer": "4",
     "question_type": "free_form", "answer_type": "integer", "metadata":
     {"category": "general-vqa", "context": "synthetic", "grade": "daily life",
      "skills": ["numeric"], "source": "ours", "task": "figure"},
     "query": "Hint: ..."},
    {"pid": "2", "question": "Which is larger?", "image": "images/2.jpg", "decoded_image": PICTURE,
     "choices": ["left", "right"], "unit": None, "precision": None, "answer": "right",
     "question_type": "multi_choice", "answer_type": "text", "metadata":
     {"category": "math", "context": "synthetic", "grade": "elementary school",
      "skills": ["logic"], "source": "ours", "task": "figure"},
     "query": "Hint: ..."},
]  # fmt: skip
MMMU = [
    {"id": "validation_Math_1", "question": "Find the slope in <image 1>.",
     "options": "['1', '2', '3', '4']", "explanation": "", "image_1": PICTURE, "image_2": None,
     "image_3": None, "image_4": None, "image_5": None, "image_6": None, "image_7": None,
     "img_type": "['Plots and Charts']", "answer": "B", "topic_difficulty": "Easy",
     "question_type": "multiple-choice", "subfield": "Calculus"},
]  # fmt: skip
OLYMPIAD = [
    {"id": 7, "question": "Compute $1+1$ for the figure.", "solution": ["It is $2$."],
     "final_answer": ["$2$"], "context": None, "image_1": PICTURE, "image_2": None, "image_3": None,
     "image_4": None, "image_5": None, "modality": "Multimodal", "difficulty": "Competition",
     "is_multiple_answer": False, "unit": None, "answer_type": "Numerical", "error": None,
     "question_type": "Open-ended", "subfield": "Algebra", "subject": "Math",
     "language": "English"},
]  # fmt: skip
COMP = "OE_MM_maths_en_COMP"
PLACES: dict[str, tuple[str, dict[str, Any], str]] = {
    "mathvista": (
        "AI4Math/MathVista",
        {"data/testmini-00000-of-00001.parquet": MATHVISTA},
        "",
    ),
    "mmmu": (
        "MMMU/MMMU",
        {"Math/validation-00000-of-00001.parquet": MMMU},
        "configs:\n- config_name: Math\n  data_files:\n"
        "  - {split: validation, path: Math/validation-*}\n",
    ),
    "olympiadbench": (
        "Hothan/OlympiadBench",
        {f"OlympiadBench/{COMP}/{COMP}.parquet": OLYMPIAD},
        f"configs:\n- config_name: {COMP}\n  data_files: OlympiadBench/{COMP}/*.parquet\n",
    ),
}


def lay(hub: Hub, name: str) -> str:
    """The published set's stand-in; its commit."""
    place, tables, card = PLACES[name]
    files = {path: parquet(rows) for path, rows in tables.items()}
    repository = hub.repositories.setdefault(place, Repository())
    return repository.commit(files | {"README.md": f"---\n{card}---\n".encode()})


def recipe(name: str, folder: Path, revision: str, **changes: Any) -> Path:
    folder.mkdir(exist_ok=True)
    data = yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text("utf-8"))
    data["sources"][0]["options"]["revision"] = revision
    data["sources"][0] |= changes
    return write_recipe(folder / "recipe.yaml", data)


@pytest.mark.parametrize(
    ("name", "golds"),
    [("mathvista", ["4", "B"]), ("mmmu", ["B"]), ("olympiadbench", ["2"])],
)
def test_published_sets_are_read_pinned_and_again_without_a_network(
    hub: Hub, tmp_path: Path, name: str, golds: list[str]
) -> None:
    commit = lay(hub, name)
    release = build_release(recipe(name, tmp_path, commit), tmp_path / "out").release
    manifest = read_manifest(release)
    samples = [s for split in manifest["splits"] for s in read_samples(release, split)]
    assert [s.answer.strip("$") for s in samples if s.answer] == golds
    assert [len(s.images) for s in samples] == [1] * len(golds)
    (source,) = manifest["sources"]
    assert source["url"].endswith(f"{PLACES[name][0]}/tree/{commit}")
    assert {s.source.license for s in samples} == {source["license"]} != {None}
    hub.asked.clear()
    hub.refuse = lambda _: 503
    again = build_release(recipe(name, tmp_path, commit), tmp_path / "again").release
    assert hub.asked == []
    assert (again / "SHA256SUMS").read_bytes() == (release / "SHA256SUMS").read_bytes()


def test_a_folder_with_a_copy_needs_no_hub(tmp_path: Path) -> None:
    place = tmp_path / "copy" / "data"
    place.mkdir(parents=True)
    (place / "testmini-0.parquet").write_bytes(parquet(MATHVISTA))
    (place / "test-0.parquet").write_bytes(parquet(MATHVISTA[:1]))
    made = recipe("mathvista", tmp_path, "", path="copy")
    release = build_release(made, tmp_path / "out").release
    assert len(read_samples(release, "testmini")) == 2
    rows = list(
        read_jsonl(tmp_path / "out/work/00-read/problems.jsonl", dict[str, Any])
    )
    assert [row["labels"]["grade_of"] for row in rows] == [
        "daily life",
        "elementary school",
    ]


def test_what_cannot_be_meant_is_named(hub: Hub, tmp_path: Path) -> None:
    commit = lay(hub, "mmmu")
    asked = {"config": "Math", "split": "validation", "revision": commit}
    for changes, what in [
        ({"options": {"config": "Math", "split": "validation"}}, "not pinned: 'main'"),
        ({"options": asked | {"config": "Maths"}}, "no configuration"),
        ({"options": asked | {"split": "test"}}, "no split 'test'"),
        ({"path": "MMMU/NOT"}, "no such repository"),
    ]:
        with pytest.raises(UserError, match=what) as error:
            build_release(recipe("mmmu", tmp_path, commit, **changes), tmp_path / "out")
        if "pinned" in what:
            assert commit in error.value.remedy, "what to write instead"
    hub.refuse = lambda _: 403
    with pytest.raises(BenchwrightError, match="cannot be reached"):
        build_release(recipe("mmmu", tmp_path, "0" * 40), tmp_path / "out")


def command(*args: object) -> tuple[int, str]:
    done = CliRunner().invoke(cli, [str(a) for a in args])
    return done.exit_code, f"{done.output}{done.exception or ''}"


def test_a_published_set_is_scored_and_asked(hub: Hub, tmp_path: Path) -> None:
    commit = lay(hub, "mathvista")
    name = f"hub:AI4Math/MathVista@{commit}"
    replies = tmp_path / "r.jsonl"
    write_rows(replies, [{"id": "1", "response": "4"}, {"id": "2", "response": "left"}])
    code, said = command("score", name, replies, "--split", "testmini",
                         "--out", tmp_path / "s")  # fmt: skip
    assert code == 0, said
    scores = json.loads((tmp_path / "s/scores.json").read_bytes())
    assert (scores["accuracy"]["correct"], scores["accuracy"]["n"]) == (1, 2)
    assert "no official rules apply" in said
    with llm_server(lambda _: "The answer is 4") as server:
        code, said = command("predict", name, "--split", "testmini", "--model", "m",
                         "--base-url", server.base_url, "--out", tmp_path / "p.jsonl")  # fmt: skip
        assert code == 0, said
        assert all("data:image/" in json.dumps(one) for one in server.requests)


def test_a_set_that_is_not_pinned_names_its_commit(hub: Hub, tmp_path: Path) -> None:
    commit = lay(hub, "mathvista")
    write_rows(tmp_path / "r.jsonl", [{"id": "1", "response": "4"}])
    for name, cause in (
        ("hub:AI4Math/MathVista", f"hub:AI4Math/MathVista@{commit}"),
        ("hub:", "is no data set"),
        (f"hub:AI4Math/MathVista@{commit}", "no table of the split 'train'"),
    ):
        code, said = command("score", name, tmp_path / "r.jsonl", "--split", "train",
                         "--out", tmp_path / "s")  # fmt: skip
        assert (code, cause in said) == (1, True), said
