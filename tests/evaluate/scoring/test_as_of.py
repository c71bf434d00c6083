"""Scoring by an earlier version's golds: what that version would have said, and what changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from benchwright import build_release
from benchwright.errors import UserError
from benchwright.evaluate.report import report_markdown, sections
from benchwright.evaluate.scoring import score, summary
from small import dump, write_rows
from small_releases import write_predictions


def versions(tmp_path: Path) -> list[Path]:
    """Three versions: golds corrected in the second, and again with a problem more in the third."""
    made = []
    errata: list[dict[str, str]] = []
    for version, wrong in (
        ("1.0.0", {}),
        ("1.1.0", {"a-2": "5"}),
        ("1.2.0", {"a-4": "9"}),
    ):
        recipe = dump(
            tmp_path,
            count=12 if version < "1.2.0" else 13,
            version=version,
            splits={"test": "rest"},
            withhold_answers=["test"],
            **({"errata": "errata.yaml"} if wrong else {}),
            **({"previous": f"out/{made[-1].name}"} if made else {}),
        )
        errata += [{"id": k, "field": "answer", "new": v, "reason": "miscounted"}
                   for k, v in wrong.items()]  # fmt: skip
        (tmp_path / "errata.yaml").write_text(yaml.safe_dump(errata))
        made.append(build_release(recipe, tmp_path / "out").release)
    return made


def test_it_scores_as_the_earlier_release_did_and_names_changed_verdicts(
    tmp_path: Path,
) -> None:
    old, middle, new = versions(tmp_path)
    replies = {f"a-{k}": "A" if k % 3 == 0 else str(2 * k) for k in range(1, 13)}
    path = write_predictions(tmp_path / "predictions.jsonl", replies)
    answers = {r: r.with_name(f"{r.name}-private") for r in (old, middle, new)}
    for release, version, expected in ((old, "1.0.0", 12), (middle, "1.1.0", 11)):
        then = score(release, path, "test", answers=answers[release])
        now = score(new, path, "test", answers=answers[new], as_of=version)
        assert then.scores.accuracy == now.scores.accuracy
        assert now.scores.accuracy.correct == expected
        assert [(r.id, r.gold, r.correct) for r in then.results] == [
            (r.id, r.gold, r.correct) for r in now.results
        ]
    found = score(new, path, "test", answers=answers[new], as_of="1.0.0").scores
    assert found.as_of is not None
    assert (found.as_of.corrected, found.as_of.added) == (["a-2", "a-4"], ["a-13"])
    assert [
        (c.id, c.then, c.now, c.gold_then, c.gold_now, c.version)
        for c in found.as_of.changed
    ] == [
        ("a-2", True, False, "4", "5", "1.1.0"),
        ("a-4", True, False, "8", "9", "1.2.0"),
    ]
    assert found.as_of.changed[0].reasons == ["answer: miscounted"]
    assert "a-2: right by '4', wrong by '5' of 1.1.0 (answer: miscounted)" in summary(
        found
    )
    told = report_markdown("x", sections(found, []))
    assert "As of version 1.0.0" in told
    assert "miscounted" in told


def test_the_current_version_has_nothing_to_undo(tmp_path: Path) -> None:
    *_, new = versions(tmp_path)
    path = write_predictions(
        tmp_path / "p.jsonl", {f"a-{k}": "1" for k in range(1, 14)}
    )
    private = new.with_name(f"{new.name}-private")
    plain = score(new, path, "test", answers=private).scores
    again = score(new, path, "test", answers=private, as_of="1.2.0").scores
    assert again.as_of is not None
    assert (again.as_of.corrected, again.as_of.changed) == ([], [])
    assert again.accuracy == plain.accuracy
    with pytest.raises(UserError, match=r"knows no version '1\.1'"):
        score(new, path, "test", answers=private, as_of="1.1")


def test_replies_to_problems_that_are_gone_are_not_unknown(tmp_path: Path) -> None:
    old = build_release(
        dump(tmp_path, splits={"test": "rest"}), tmp_path / "out"
    ).release
    rows = [
        json.loads(line) for line in (tmp_path / "dump.jsonl").read_text().splitlines()
    ]
    recipe = dump(
        tmp_path, splits={"test": "rest"}, version="1.1.0", previous="out/small-1.0.0"
    )
    write_rows(tmp_path / "dump.jsonl", rows[:-1])
    new = build_release(recipe, tmp_path / "out").release
    path = write_predictions(
        tmp_path / "p.jsonl", {f"a-{k}": str(2 * k) for k in range(1, 13)}
    )
    with pytest.raises(UserError):
        score(new, path, "test")
    found = score(new, path, "test", as_of="1.0.0").scores
    assert found.as_of is not None
    assert found.as_of.removed == ["a-12"]
    assert found.accuracy.n == score(old, path, "test").scores.accuracy.n - 1
