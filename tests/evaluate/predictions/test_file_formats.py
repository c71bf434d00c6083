"""Prediction files of other tools: each names the right samples, or is refused."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.predictions.coverage import read_predictions
from benchwright.problem import VERSIONS
from small_releases import make_sample
from workbooks import book_of, workbook

MATH_V = [make_sample(f"mv-{k}", str(k)) for k in range(1, 21)]
WE_MATH = [
    make_sample(f"we-2steps_7.{version}", answer, options={"A": "1", "B": "2"})
    for version, answer in (("step1", "A"), ("step2", "B"), ("multi", "B"))
]
MATHVERSE = [make_sample(f"verse-{p}.{v}") for p in (1, 685) for v in VERSIONS]


def replies(path: Path, samples: list, **options: object) -> dict[str, str]:
    return read_predictions(path, samples, **options).replies


def as_jsonl(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def as_table(path: Path, rows: list[dict]) -> Path:
    text = io.StringIO(newline="")
    delimiter = "\t" if path.suffix == ".tsv" else ","
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def test_math_v_official_output(tmp_path: Path) -> None:
    rows = [{"id": str(k), "model": "m", "response": f"r{k}", "model_answer": "x", "correct": True}
            for k in (2, 1)]  # fmt: skip
    assert replies(as_jsonl(tmp_path / "p.jsonl", rows), MATH_V) == {
        "mv-2": "r2",
        "mv-1": "r1",
    }


def test_what_predict_asked_in_vain_is_missing_and_not_an_answer(
    tmp_path: Path,
) -> None:
    rows = [{"id": "mv-1", "response": "", "status": "error", "error": "403"},
            {"id": "mv-2", "response": "", "status": "ok"}]  # fmt: skip
    predictions = read_predictions(as_jsonl(tmp_path / "p.jsonl", rows), MATH_V[:2])
    assert predictions.replies == {"mv-2": ""}
    assert predictions.coverage.missing == []
    assert predictions.rounds[0]["mv-1"].ended == "failed"


def test_we_math_official_output(tmp_path: Path) -> None:
    rows = [
        {"ID": "2steps_7", "key": f"2steps_{role}", "question number": k, "answer": gold,
         "response": f"<Answer>: {gold}"}
        for k, (role, gold) in enumerate((("1", "A"), ("2", "B"), ("multi", "B")))
    ]  # fmt: skip
    path = tmp_path / "p.json"
    path.write_text(json.dumps(rows))
    assert replies(path, WE_MATH) == {s.id: f"<Answer>: {s.answer}" for s in WE_MATH}


def test_mathverse_official_output(tmp_path: Path) -> None:
    rows = [
        {"sample_index": str(3420 + k), "problem_index": "685", "model_answer": v,
         "problem_version": v.replace("_", " ").title()}
        for k, v in enumerate(VERSIONS)
    ]  # fmt: skip
    path = tmp_path / "p.json"
    path.write_text(json.dumps(rows))
    assert replies(path, MATHVERSE) == {f"verse-685.{v}": v for v in VERSIONS}


def test_mm_math_official_output(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(
        json.dumps({"3": {"prediction": "\\boxed{3}"}, "4": {"prediction": "4"}})
    )
    assert replies(path, MATH_V) == {"mv-3": "\\boxed{3}", "mv-4": "4"}


def test_replies_by_ids_beside_a_total(tmp_path: Path) -> None:
    """TabMWP's results: a total, the arguments, and the rows under one name."""
    rows = {"3": {"output": "So 3.", "response": "3"}, "4": {"response": "4"}}
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"acc": 63.5, "args": {"seed": 2}, "results": rows}))
    assert replies(path, MATH_V) == {"mv-3": "3", "mv-4": "4"}


def test_a_row_without_an_id_answers_the_question_that_it_repeats(
    tmp_path: Path,
) -> None:
    samples = [make_sample(f"q-{k}", str(k)) for k in (1, 2, 3)]
    for sample, question in zip(samples, ("One?", "Two\nor so?", "One?"), strict=True):
        sample.question = question
    told = as_jsonl(
        tmp_path / "p.jsonl", [{"question": "Two or  so?", "response": "2"}]
    )
    assert replies(told, samples) == {"q-2": "2"}
    twice = as_jsonl(tmp_path / "t.jsonl", [{"question": "One?", "response": "1"}])
    with pytest.raises(UserError, match="no id field"):
        replies(twice, samples)


@pytest.mark.parametrize("name", ["p.tsv", "p.csv"])
def test_vlmevalkit_tables(tmp_path: Path, name: str) -> None:
    rows = [{"index": k, "question": "a\tb\n\"c\"", "answer": str(k), "prediction": f"p{k}"}
            for k in (1, 2)]  # fmt: skip
    assert replies(as_table(tmp_path / name, rows), MATH_V) == {
        "mv-1": "p1",
        "mv-2": "p2",
    }


@pytest.mark.parametrize("name", ["p.json", "p.jsonl"])
def test_vlmevalkit_json_holds_the_nan_of_empty_cells(
    tmp_path: Path, name: str
) -> None:
    rows = [
        {"index": k, "A": "one", "E": float("nan"), "prediction": f"p{k}"}
        for k in (1, 2)
    ]
    lines = [json.dumps(row) for row in rows]
    text = "\n".join(lines) if name == "p.jsonl" else "[" + ",\n".join(lines) + "]"
    (tmp_path / name).write_text(text)
    assert "NaN" in text
    assert replies(tmp_path / name, MATH_V) == {"mv-1": "p1", "mv-2": "p2"}


@pytest.mark.parametrize("shared", [True, False])
def test_vlmevalkit_workbook(tmp_path: Path, shared: bool) -> None:
    rows = [["index", "question", "prediction"], [5, "q", "five"], [6, "q", "six < 7"]]
    path = workbook(tmp_path / "p.xlsx", rows, shared=shared)
    assert replies(path, MATH_V) == {"mv-5": "five", "mv-6": "six < 7"}


@pytest.mark.parametrize("first", [0, 1])
def test_vlmevalkit_mathverse_counts_five_rows_a_problem(
    tmp_path: Path, first: int
) -> None:
    five = [v for v in VERSIONS if v != "text_only"]
    rows = [
        {"index": first + 5 * 684 + k, "problem_version": v.replace("_", " ").title(),
         "prediction": v}
        for k, v in enumerate(five)
    ]  # fmt: skip
    matched = replies(as_table(tmp_path / "p.tsv", rows), MATHVERSE)
    assert matched == {f"verse-685.{v}": v for v in five}


@pytest.mark.parametrize("first", [0, 1])
def test_vlmevalkit_may_number_the_places_of_its_table(
    tmp_path: Path, first: int
) -> None:
    """Ids 101 to 120; the table counts from 0 or 1, and its golds show it."""
    samples = [make_sample(f"mv-{k}", str(k % 7)) for k in range(101, 121)]
    rows = [{"index": k + first, "answer": s.answer, "prediction": s.id}
            for k, s in enumerate(samples)]  # fmt: skip
    path = as_table(tmp_path / "p.tsv", rows)
    assert replies(path, samples) == {s.id: s.id for s in samples}
    rows[4]["answer"] = "another"
    other = [make_sample(f"mv-{k}", "another") for k in range(201, 221)]
    with pytest.raises(UserError, match=r"p\.tsv:6: index [45] with answer 'another'"):
        replies(as_table(path, rows), samples, elsewhere=other)


def test_versions_are_not_told_by_places(tmp_path: Path) -> None:
    """All versions of a problem have one gold, so golds cannot show a version's place."""
    five = [v for v in reversed(VERSIONS) if v != "text_only"]
    samples = [make_sample(f"verse-{p}.{v}", str(p)) for p in (1, 2, 3) for v in five]
    table = (
        "text_dominant",
        "text_lite",
        "vision_intensive",
        "vision_dominant",
        "vision_only",
    )
    rows = [{"index": k, "answer": str(k // 5 + 1), "problem_version": table[k % 5],
             "prediction": f"{k // 5 + 1} {table[k % 5]}"} for k in range(15)]  # fmt: skip
    matched = replies(as_table(tmp_path / "p.tsv", rows), samples)
    assert matched == {f"verse-{p}.{v}": f"{p} {v}" for p in (1, 2, 3) for v in five}


def test_ids_are_ids_where_golds_fit_both_ways(tmp_path: Path) -> None:
    samples = [make_sample(f"mv-{k}", "A") for k in reversed(range(20))]
    rows = [{"index": k, "answer": "A", "prediction": f"r{k}"} for k in range(20)]
    matched = replies(as_table(tmp_path / "p.tsv", rows), samples)
    assert matched == {f"mv-{k}": f"r{k}" for k in range(20)}


def test_tables_exported_from_a_release_name_their_samples(tmp_path: Path) -> None:
    """Our own export has a running index, the sample's id, and the version beside it."""
    rows = [{"index": k, "id": s.id, "problem_version": s.version, "prediction": str(k)}
            for k, s in enumerate(MATHVERSE)]  # fmt: skip
    matched = replies(as_table(tmp_path / "p.tsv", rows), MATHVERSE)
    assert matched == {s.id: str(k) for k, s in enumerate(MATHVERSE)}


def test_lmms_eval_samples(tmp_path: Path) -> None:
    rows = [
        {"doc_id": 0, "doc": {"id": "9", "answer": "9"}, "target": "9", "resps": [["nine"]],
         "filtered_resps": ["nine"]},
        {"doc_id": 1, "doc": {"id": "8", "answer": "8"}, "resps": [["eight", "8"]]},
    ]  # fmt: skip
    assert replies(as_jsonl(tmp_path / "p.jsonl", rows), MATH_V) == {
        "mv-9": "nine",
        "mv-8": "eight",
    }
    step = {
        "doc_id": 4,
        "doc": {"ID": "2steps_7", "key": "2steps_2"},
        "filtered_resps": ["B"],
    }
    assert replies(as_jsonl(tmp_path / "w.jsonl", [step]), WE_MATH) == {
        "we-2steps_7.step2": "B"
    }


def test_lmms_eval_logs_without_doc(tmp_path: Path) -> None:
    """As lmms-eval's tracker writes them: no doc, lists of one flattened, equal resps left out."""
    step = {"doc_id": 4, "target": "B", "filtered_resps": "B", "input": "...",
            "wemath_loose": {"ID": "2steps_7", "key": "2steps_2", "answer": "B"}}  # fmt: skip
    assert replies(as_jsonl(tmp_path / "w.jsonl", [step]), WE_MATH) == {
        "we-2steps_7.step2": "B"
    }
    submission = {"problem_index": "685", "problem_version": "Vision Dominant"}
    verse = {
        "doc_id": 3,
        "target": "",
        "filtered_resps": ["so 4"],
        "submission": submission,
    }
    matched = replies(as_jsonl(tmp_path / "v.jsonl", [verse]), MATHVERSE)
    assert matched == {"verse-685.vision_dominant": "so 4"}


def test_a_place_in_the_split_counts_only_with_the_samples_own_gold(
    tmp_path: Path,
) -> None:
    samples = [make_sample(f"mv-{k}", str(k % 3)) for k in range(20)]
    rows = [
        {"doc_id": k, "target": str(k % 3), "filtered_resps": f"r{k}"}
        for k in range(20)
    ]
    matched = replies(as_jsonl(tmp_path / "p.jsonl", rows), samples)
    assert matched == {f"mv-{k}": f"r{k}" for k in range(20)}
    with pytest.raises(UserError, match="doc_id 6 with target '0' and 13 more"):
        replies(tmp_path / "p.jsonl", [*samples[:6], *samples[7:]])
    far = as_jsonl(
        tmp_path / "q.jsonl", [{"doc_id": -1, "target": "1", "filtered_resps": "x"}]
    )
    with pytest.raises(UserError, match="unknown id"):
        replies(far, samples)


INSPECTED = [
    {"id": "mv-1", "epoch": 1, "output": {"completion": "one", "choices": []}},
    {"id": 2, "epoch": 1, "output": {"choices": [{"message": {"role": "assistant", "content": [
        {"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "two"}]}}]}},
    {"id": "mv-3", "epoch": 1, "output": {"choices": []}, "error": {"message": "no answer"}},
]  # fmt: skip


@pytest.mark.parametrize("name", ["log.json", "log.eval"])
def test_inspect_logs(tmp_path: Path, name: str) -> None:
    if name == "log.json":
        (tmp_path / name).write_text(
            json.dumps({"version": 2, "eval": {}, "samples": INSPECTED})
        )
    else:
        with zipfile.ZipFile(tmp_path / name, "w") as log:
            log.writestr("header.json", "{}")
            for sample in INSPECTED:
                log.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    assert replies(tmp_path / name, MATH_V) == {
        "mv-1": "one",
        "mv-2": "two",
    }  # one failed


def zstandard_zip(path: Path, members: dict[str, bytes]) -> None:
    """A zip whose members are packed by method 93, in two frames each, as inspect writes them."""
    import pyarrow

    with zipfile.ZipFile(path, "w") as log:
        for name, data in members.items():
            halves = data[: len(data) // 2], data[len(data) // 2 :]
            packed = b"".join(
                pyarrow.compress(h, codec="zstd", asbytes=True) for h in halves
            )
            log.writestr(name, packed)
            log.getinfo(name).compress_type = 93
            log.getinfo(name).file_size = len(data)


def test_logs_packed_with_zstandard(tmp_path: Path) -> None:
    members = {
        f"samples/{s['id']}_epoch_1.json": json.dumps(s).encode() for s in INSPECTED
    }
    zstandard_zip(tmp_path / "log.eval", members)
    assert replies(tmp_path / "log.eval", MATH_V) == {"mv-1": "one", "mv-2": "two"}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "p.jsonl.gz",
            gzip.compress(b'{"id": "mv-1", "response": "x\xc3\xa9"}\n', mtime=0),
        ),
        ("p.jsonl", '{"id": "mv-1", "response": "xé"}\n'.encode("utf-16")),
        ("p.csv", "id;response\nmv-1;xé\n".encode("utf-16")),
        ("p.csv", "id;response\nmv-1;xé\n".encode("utf-8-sig")),
        ("p.csv", "id;response\nmv-1;xé\n".encode("cp1252")),
        ("p.csv.gz", gzip.compress("id\tresponse\nmv-1\txé\n".encode(), mtime=0)),
        ("p.json", json.dumps([{"id": "mv-1", "response": "xé"}]).encode("utf-32")),
    ],
)
def test_packed_and_other_encodings_are_read(
    tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    assert replies(tmp_path / name, MATH_V) == {"mv-1": "xé"}


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("p.jsonl.gz", gzip.compress(b"{}", mtime=0)[:-4], "not a whole gzip file"),
        ("p.csv", "id,response\nmv-1,угол".encode("cp1251"), "p.csv:2: not UTF-8"),
        ("p.jsonl", b"\xff\xfe{\x00\x00\xd8", "utf-16"),
    ],
)
def test_damaged_text_is_refused_with_the_remedy(
    tmp_path: Path, name, data, says
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UserError, match=says):
        replies(tmp_path / name, MATH_V)


@pytest.mark.parametrize(
    "rows",
    [
        [{"id": "mv-1", "repeat": k, "response": str(k)} for k in (1, 2, 3)],
        [{"id": "mv-1", "resps": [["1", "2", "3"]], "filtered_resps": ["1"]}],
        [{"id": "mv-1", "response": ["1", "2", "3"]}],
    ],
)
def test_repeats_are_kept_in_order(tmp_path: Path, rows: list) -> None:
    found = read_predictions(as_jsonl(tmp_path / "p.jsonl", rows), MATH_V)
    assert [found.replies["mv-1"], *(r["mv-1"].text for r in found.rounds[1:])] == [
        "1",
        "2",
        "3",
    ]


def test_epochs_of_a_log_are_repeats(tmp_path: Path) -> None:
    rows = [
        {"id": "mv-1", "epoch": k, "output": {"completion": f"r{k}"}} for k in (1, 2)
    ]
    (tmp_path / "log.json").write_text(
        json.dumps({"version": 2, "eval": {}, "samples": rows})
    )
    found = read_predictions(tmp_path / "log.json", MATH_V)
    assert [r["mv-1"].text for r in found.rounds] == ["r1", "r2"]
    with pytest.raises(UserError, match="duplicate"):
        replies(
            as_jsonl(tmp_path / "d.jsonl", [{"id": "mv-1", "response": "x"}] * 2),
            MATH_V,
        )


def test_null_is_no_answer_and_nothing_at_all_is_an_error(tmp_path: Path) -> None:
    rows = [{"id": "mv-1", "response": None}, {"id": "mv-2", "response": ""}]
    found = read_predictions(as_jsonl(tmp_path / "p.jsonl", rows), MATH_V)
    assert found.replies == {"mv-2": ""}
    assert "mv-1" not in found.coverage.missing
    assert found.coverage.failed == [f"{tmp_path / 'p.jsonl'}:1: mv-1"]
    for lines, says in (
        ([], "no predictions"),
        (rows[:1], "all 1 replies are null or failed"),
        (
            [{"id": "zz-1", "response": "1"}],
            "all 1 rows answer samples of other splits",
        ),
    ):
        path = as_jsonl(tmp_path / "none.jsonl", lines)
        with pytest.raises(UserError, match=says):
            read_predictions(path, MATH_V, elsewhere=[make_sample("zz-1", "1")])


def test_several_files_answer_one_split_and_bring_their_judgements(
    tmp_path: Path,
) -> None:
    def row(version: str, **more: str) -> dict:
        return {
            "problem_index": "685",
            "problem_version": version,
            "model_answer": "x",
            **more,
        }

    first = as_jsonl(
        tmp_path / "a.jsonl", [row("Text Lite", extraction="B", judgement="1")]
    )
    second = as_jsonl(tmp_path / "b.jsonl", [row("Text Only")])
    found = read_predictions([first, second], MATHVERSE)
    assert set(found.replies) == {"verse-685.text_lite", "verse-685.text_only"}
    assert {c.name: c.verdicts for c in found.columns}["judgement"] == {
        "verse-685.text_lite": True
    }
    assert found.extracted == {"verse-685.text_lite": "B"}
    with pytest.raises(UserError, match=r"duplicate id in predictions: .*b\.jsonl:1"):
        read_predictions([first, as_jsonl(second, [row("Text Lite")])], MATHVERSE)


@pytest.mark.parametrize(
    "sample", ["[]", '{"id": 1', '{"id": "mv-1", "output": {"choices": "x"}}']
)
def test_a_damaged_inspect_log_is_a_user_error(tmp_path: Path, sample: str) -> None:
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as log:
        log.writestr("samples/1_epoch_1.json", sample)
    with pytest.raises(UserError, match=r"log\.eval"):
        replies(tmp_path / "log.eval", MATH_V)


def test_a_shifted_numbering_is_noticed_by_the_golds(tmp_path: Path) -> None:
    rows = [
        {"index": k, "answer": str((k + 3) % 19), "prediction": "x"}
        for k in range(1, 20)
    ]
    path = as_table(tmp_path / "p.tsv", rows)
    with pytest.raises(UserError, match="19 of 19 rows, so the ids mean other samples"):
        replies(path, MATH_V)
    assert len(replies(path, MATH_V, lenient=True)) == 19


def test_an_id_that_two_sources_use_is_unknown(tmp_path: Path) -> None:
    both = [make_sample("mv-1"), make_sample("other-1")]
    path = as_jsonl(tmp_path / "p.jsonl", [{"id": "1", "response": "x"}])
    with pytest.raises(UserError, match="unknown id"):
        replies(path, both)
    path = as_jsonl(tmp_path / "q.jsonl", [{"id": "other-1", "response": "x"}])
    assert replies(path, both) == {"other-1": "x"}


def test_a_workbook_is_read_by_its_texts(tmp_path: Path) -> None:
    """A reply that begins with "=" is no sum, a blank cell no reply; numbers are calculated."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["index", "prediction"])
    for k, said in enumerate(["=1/2", "C", None, "=SUM(A1:A2)", "D"], 1):
        sheet.append([k, said])
    book.save(tmp_path / "p.xlsx")
    predictions = read_predictions(tmp_path / "p.xlsx", MATH_V)
    assert predictions.replies == {
        "mv-1": "=1/2", "mv-2": "C", "mv-4": "=SUM(A1:A2)", "mv-5": "D",
    }  # fmt: skip
    assert [line.rpartition(" ")[2] for line in predictions.coverage.failed] == ["mv-3"]
    cells = "".join(
        f'<row r="{k}"><c r="A{k}"><f>ROW()-1</f><v>{k - 1}</v></c>'
        f'<c r="B{k}" t="inlineStr"><is><t>x{k - 1}</t></is></c></row>'
        for k in range(2, 6)
    )
    head = '<row r="1">' + "".join(
        f'<c r="{c}1" t="inlineStr"><is><t>{t}</t></is></c>'
        for c, t in (("A", "index"), ("B", "prediction"))
    )
    path = book_of(tmp_path / "q.xlsx", f"{head}</row>{cells}")
    assert replies(path, MATH_V) == {f"mv-{k}": f"x{k}" for k in range(1, 5)}
