"""Shards: every line in one, borders where lines say, and nothing made again that is known."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from benchwright.pipeline import by_shard, cut, in_parts
from benchwright.pipeline.borders import least
from hypothesis import given
from hypothesis import strategies as st

CALLS: list[int] = []


def counted(lines: list[bytes], factor: int) -> int:
    CALLS.append(len(lines))
    return len(lines) * factor


def write(path: Path, lines: list[bytes]) -> Path:
    path.write_bytes(b"".join(lines))
    return path


def numbers(count: int) -> list[bytes]:
    return [b"%d\n" % (k * 7919) for k in range(count)]


@given(st.integers(0, 900))
def test_every_line_is_in_one_shard(count: int) -> None:
    lines = numbers(count)
    with TemporaryDirectory() as folder:
        shards = list(cut(write(Path(folder, "lines"), lines)))
        assert [line for one in shards for line in one.read()] == lines


@given(st.integers(0, 900), st.integers(1, 5))
def test_every_record_is_in_one_part_and_what_goes_moves_few_borders(
    count: int, step: int
) -> None:
    records = [k * 7919 // step for k in range(count)]
    parts = list(in_parts(records, count, lambda record: record))
    assert [record for part in parts for record in part] == records
    assert all(least(count) <= len(part) <= 4 * least(count) for part in parts[:-1])
    gone = records[: count // 3] + records[count // 3 + 1 :]
    after = map(tuple, in_parts(gone, count, lambda record: record))
    assert len({*after} - {*map(tuple, parts)}) <= 5


def test_a_line_more_moves_few_borders(tmp_path: Path) -> None:
    lines = numbers(5000)
    before = {b"".join(one.read()) for one in cut(write(tmp_path / "a", lines))}
    lines.insert(1700, b"new\n")
    after = {b"".join(one.read()) for one in cut(write(tmp_path / "b", lines))}
    assert len(before) > 30
    assert len(after - before) <= 4


def test_what_is_known_is_not_made_again(tmp_path: Path) -> None:
    lines, work = numbers(3000), tmp_path / "work"
    made = list(by_shard(counted, cut(write(tmp_path / "a", lines)), int, 2, work=work))
    assert sum(made) == 6000
    assert len(CALLS) == len(made)
    CALLS.clear()
    lines[1500] = b"changed\n"
    again = by_shard(counted, cut(write(tmp_path / "a", lines)), int, 2, work=work)
    assert sum(again) == 6000
    assert 1 <= len(CALLS) <= 3
    CALLS.clear()
    assert sum(by_shard(counted, cut(tmp_path / "a"), int, 3, work=work)) == 9000
    assert sum(CALLS) == 3000  # other arguments
