"""Signatures of texts: character counts, and points whose distance never exceeds that of the texts.

Every bound below is a necessary condition for a Levenshtein distance of at most `d`:

- One edit destroys at most q of a text's q-grams (Ukkonen 1992), so the shorter text shares all but
  q*d of the grams of the longer. That holds of the grams that are counted, too, where counts are
  capped at MOST, and hashing grams into buckets only makes more of them shared.
- The character counts of texts of lengths `a <= b` then differ by at most `2*d - (b - a)` in all.
- A bit "bucket k counts at least v" per chosen (k, v) turns that difference into a squared
  Euclidean distance, which no projection to fewer dimensions can raise. The principal directions
  of the bits keep most of it, so that one short matrix product rules out nearly all pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

BUCKETS = 128  # of characters
PAIRS = 512  # and of pairs of them, which tell texts of one language apart
MOST = 32_767  # counted of one bucket: sums over all buckets are exact in float32
LEVELS = 768  # bits per text: the most informative (bucket, level) pairs
DIRECTIONS = 192
SAMPLE = 5000  # texts from which levels and directions are chosen
# Entries of the projection are multiples of 2**-GRAIN: sums of up to 768 of them are exact in
# float32. SHRINK keeps the rounded projection a contraction: rounding adds less than 0.001.
GRAIN = 18
SHRINK = 0.998
CHARACTERS = 1 << 20  # characters hashed at a time
PART = 512  # pairs whose counts are compared together: they fit the processor's cache

Counts = NDArray[np.uint8] | NDArray[np.uint16]
PointArray = NDArray[np.float32]
Ints = Any  # arrays of int64; numpy's own types tell shapes apart that we do not
Projection = tuple[Ints, Ints, PointArray]


def batches(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Row ranges of about CHARACTERS characters."""
    start = 0
    size = 0
    for row, text in enumerate(texts):
        size += len(text)
        if size >= CHARACTERS:
            yield start, row + 1
            start = row + 1
            size = 0
    if start < len(texts):
        yield start, len(texts)


def gram_counts(texts: Sequence[str], q: int, buckets: int = BUCKETS) -> Counts:
    """How many q-grams of each text fall into each of the buckets, at most MOST.

    >>> gram_counts(["aab", ""], 1).sum(axis=1).tolist()
    [3, 0]
    """
    joined = "".join(texts)
    data = joined.encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(data, dtype=np.uint32)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    rows = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
    hashes = codes.copy()
    for offset in range(1, q):
        hashes = hashes[:-1] * np.uint32(0x01000193) ^ codes[offset:]
    if q > 1:
        # Grams that do not cross into the next text.
        in_one_text = rows[: len(hashes)] == rows[q - 1 :]
        hashes = hashes[in_one_text]
        rows = rows[: len(in_one_text)][in_one_text]
    bits = buckets.bit_length() - 1  # the upper ones: `buckets` is a power of two
    bucket = (hashes * np.uint32(0x9E3779B1)) >> np.uint32(32 - bits)
    cells = rows * buckets + bucket
    counts = np.bincount(cells, minlength=len(texts) * buckets)
    capped = np.minimum(counts, MOST).astype(np.uint16)
    return capped.reshape(len(texts), buckets)


def choose_projection(sample: Counts) -> Projection:
    """The most informative bits of a sample of 1-gram counts: buckets, levels, and their principal
    directions."""
    columns = zip(*_bits(sample), strict=True)
    buckets, levels, variance = (np.concatenate(column) for column in columns)
    best = np.argsort(-variance, kind="stable")[:LEVELS]
    buckets = buckets[best]
    levels = levels[best]
    if not len(best):  # fewer than two kinds of texts: nothing to tell apart
        return buckets, levels, np.zeros((0, 1), np.float32)
    bits = (sample[:, buckets] >= levels).astype(np.float32)
    bits -= bits.mean(axis=0)
    covariance = bits.T @ bits
    _, vectors = np.linalg.eigh(
        covariance.astype(np.float64)
    )  # the least directions first
    directions = vectors[:, ::-1][:, :DIRECTIONS]
    grains = np.rint(np.ldexp(directions * SHRINK, GRAIN))
    rounded = np.ldexp(grains, -GRAIN).astype(np.float32)
    return buckets, levels, rounded


def _bits(sample: Counts) -> Iterator[tuple[Ints, Ints, Any]]:
    """Bucket, level and variance of every bit that is set for some texts of the sample only."""
    for bucket in range(BUCKETS):
        counts = np.sort(sample[:, bucket])
        levels = np.arange(1, int(counts.max(initial=0)) + 1)
        below = np.searchsorted(counts, levels)
        share = 1 - below / max(len(counts), 1)
        varies = (share > 0) & (share < 1)
        variance = share * (1 - share)
        buckets = np.full(varies.sum(), bucket)
        yield buckets, levels[varies], variance[varies]


def project(counts: Counts, projection: Projection) -> PointArray:
    """One point per text: |p - q|^2 <= the difference of the two texts' character counts."""
    buckets, levels, directions = projection
    bits = (counts[:, buckets] >= levels).astype(np.float32)
    points: PointArray = bits @ directions
    return points


def shared_grams(counts: Counts, a: Ints, b: Ints) -> NDArray[np.float32]:
    """How many grams the rows a[k] and b[k] share: the sum of the lesser counts."""
    shared = np.empty(len(a), np.float32)
    size = min(len(a), PART)
    width = counts.shape[1]
    # Written to again and again: nothing is allocated for a part.
    of_a = np.empty((size, width), counts.dtype)
    of_b = np.empty((size, width), counts.dtype)
    lesser = np.empty((size, width), np.float32)
    ones = np.ones(width, np.float32)
    for start in range(0, len(a), PART):
        part = slice(start, start + PART)
        rows = slice(0, min(PART, len(a) - start))
        np.take(counts, a[part], axis=0, out=of_a[rows], mode="clip")
        np.take(counts, b[part], axis=0, out=of_b[rows], mode="clip")
        np.minimum(of_a[rows], of_b[rows], out=lesser[rows])
        np.dot(lesser[rows], ones, out=shared[part])
    return shared
