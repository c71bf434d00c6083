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
    squares: dict[Cell, str] = {}
    for y, row in zip(reversed(range(len(rows))), rows, strict=True):
        for x, mark in enumerate(row):
            if mark not in ". ":
                squares[x, y] = "" if mark == "#" else mark
    if len(squares) != 6:
        raise ValueError(f"{len(squares)} squares; a cube has 6")
    return squares


def folds(squares: dict[Cell, str]) -> bool:
    """Whether the squares are a net: a die rolled over them lies on each face once.

    >>> folds(cells(ROWS[0])), folds(cells(["###", "###"]))
    (True, False)
    """
    start = next(iter(squares))
    # Of the die on each square the faces below, to the right and ahead; 5 - face is its opposite.
    dice = {start: (0, 1, 2)}
    waiting = [start]
    while waiting:
        x, y = waiting.pop()
        below, right, ahead = dice[x, y]
        for cell, die in (
            ((x + 1, y), (right, 5 - below, ahead)),
            ((x - 1, y), (5 - right, below, ahead)),
            ((x, y + 1), (ahead, right, 5 - below)),
            ((x, y - 1), (5 - ahead, right, below)),
        ):
            if cell in squares and cell not in dice:
                dice[cell] = die
                waiting.append(cell)
    lowest_faces = {below for below, _, _ in dice.values()}
    return len(dice) == 6 and len(lowest_faces) == 6
