"""The eleven nets of a cube, and whether six squares fold to one."""

from __future__ import annotations

Cell = tuple[int, int]  # column, row; rows count upwards

ROWS = (
    (".#..", "####", ".#.."), ("#...", "####", "#..."), ("#...", "####", ".#.."),
    ("#...", "####", "..#."), ("#...", "####", "...#"), (".#..", "####", "..#."),
    ("##...", ".###.", ".#..."), ("##...", ".###.", "..#.."), ("##...", ".###.", "...#."),
    ("##..", ".##.", "..##"), ("###..", "..###"),
)  # fmt: skip


def cells(rows: list[str] | tuple[str, ...]) -> dict[Cell, str]:
    """The six squares of a pattern, in reading order, with what is written in them.

    >>> cells(["ABC", ".###"])[0, 1]
    'A'
    """
    high = len(rows)
    found = {
        (x, high - 1 - k): "" if mark == "#" else mark
        for k, row in enumerate(rows)
        for x, mark in enumerate(row)
        if mark not in ". "
    }
    if len(found) != 6:
        raise ValueError(f"{len(found)} squares; a cube has 6")
    return found


def folds(squares: dict[Cell, str]) -> bool:
    """Whether the squares are a net: a die rolled over them lies on each face once.

    >>> folds(cells(ROWS[0])), folds(cells(["###", "###"]))
    (True, False)
    """
    start = next(iter(squares))
    seen = {
        start: (0, 1, 2)
    }  # the faces below, to the right and ahead; 5 - face is its opposite
    waiting = [start]
    while waiting:
        x, y = waiting.pop()
        below, right, ahead = seen[x, y]
        for cell, die in (
            ((x + 1, y), (right, 5 - below, ahead)),
            ((x - 1, y), (5 - right, below, ahead)),
            ((x, y + 1), (ahead, right, 5 - below)),
            ((x, y - 1), (5 - ahead, right, below)),
        ):
            if cell in squares and cell not in seen:
                seen[cell] = die
                waiting.append(cell)
    return len(seen) == 6 and len({below for below, _, _ in seen.values()}) == 6
