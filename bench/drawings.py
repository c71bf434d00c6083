"""How well picture comparison tells copies from changed drawings: development and held-out sets.

    python bench/drawings.py           the real pictures need ../shared/data

Prints for our residual and for two perceptual hashes how many copies and how many changed drawings
(one label or one line) are called the same, and how many drawings of another family.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from drawing_changes import Case, Picture, real
from drawing_sets import development, held_out
from shared_data import beside


def dhash(picture: Picture) -> np.ndarray:
    small = np.asarray(picture.convert("L").resize((9, 8)), dtype=int)
    return (small[:, 1:] > small[:, :-1]).ravel()


def phash(picture: Picture) -> np.ndarray:
    from scipy.fft import dctn

    low = dctn(np.asarray(picture.convert("L").resize((32, 32)), dtype=float))[
        :8, :8
    ].ravel()
    return low > np.median(low)


HASHES = {"dHash 64 <= 4": (dhash, 4), "pHash 64 <= 8": (phash, 8)}


def sets() -> Iterator[tuple[str, Iterator[Case]]]:
    yield "development, drawn", development()
    folder = beside("math-v/images")
    pictures = sorted(folder.glob("*.jpg")) if folder else []
    even = [p for p in pictures if int(p.stem) % 2 == 0]
    odd = [p for p in pictures if int(p.stem) % 2]
    if even:
        yield "development, MATH-V", real(random.Random(3).sample(even, 110))
    yield "held out, drawn", held_out()
    if odd:
        others = [p for name in ("we-math/image", "mathverse/six-versions/images")
                  if (folder := beside(name)) for p in _some(folder, 50)]  # fmt: skip
        yield "held out, real", real(random.Random(4).sample(odd, 110) + others)


def _some(folder: Path, count: int) -> list[Path]:
    paths = sorted(p for p in folder.rglob("*") if p.suffix in (".jpg", ".png"))
    return random.Random(folder.name).sample(paths, min(count, len(paths)))


def measure(
    name: str, cases: Iterator[Case], ink: Callable[[Picture], np.ndarray]
) -> None:
    """One table: kinds of copies and changes, and the share called the same."""
    from benchwright.dedup.drawings import SAME, residual

    rows: dict[tuple[str, str], list[float]] = {}
    hashed: dict[tuple[str, str], list[bool]] = {}
    drawings, spent = [], 0.0
    for case in cases:
        own = ink(case.picture)
        drawings.append((case.family, own))
        for side, others in (("copy", case.copies), ("changed", case.changed)):
            for kind, other in others.items():
                if side == "changed" and other.tobytes() == case.picture.tobytes():
                    continue  # the changed label is not shown
                other_ink, start = ink(other), time.process_time()
                rows.setdefault((side, kind), []).append(residual(own, other_ink))
                spent += time.process_time() - start
                for method, (digest, most) in HASHES.items():
                    near = (digest(case.picture) != digest(other)).sum() <= most
                    hashed.setdefault((method, side), []).append(bool(near))
    ours = {side: np.concatenate([np.array(v) for (s, _), v in rows.items() if s == side]) <= SAME
            for side in ("copy", "changed")}  # fmt: skip
    cross = [residual(a, b) <= SAME for i, (f, a) in enumerate(drawings)
             for g, b in drawings[:i] if f != g]  # fmt: skip
    calls = sum(map(len, rows.values()))
    print(
        f"\n{name}: {len(drawings)} drawings, {1000 * spent / calls:.0f} ms CPU per comparison"
    )
    print(f"  {'method':16} copies found  changed called same")
    print(
        f"  residual <= {SAME:<4} {ours['copy'].mean():12.1%} {ours['changed'].mean():20.1%}"
    )
    for method in HASHES:
        copy, changed = (np.mean(hashed[method, side]) for side in ("copy", "changed"))
        print(f"  {method:16} {copy:12.1%} {changed:20.1%}")
    if cross:
        print(
            f"  {len(cross)} pairs of different families: {np.mean(cross):.2%} called same"
        )
    for (side, kind), values in rows.items():
        same = np.mean(np.array(values) <= SAME)
        print(f"    {side:7} {kind:15} {len(values):4}  same {same:6.1%}"
              f"  median {np.median(values):.2f}")  # fmt: skip


def main() -> None:
    from benchwright.dedup.drawings import ink_of

    with tempfile.TemporaryDirectory() as folder:

        def ink(picture: Picture) -> np.ndarray:
            path = Path(folder) / "picture.bmp"
            picture.save(path)
            result = ink_of(path)
            assert result
            return np.asarray(result)

        for name, cases in sets():
            measure(name, cases, ink)


if __name__ == "__main__":
    main()
