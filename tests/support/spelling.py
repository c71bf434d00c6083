"""Numbers spelled out, by the rules of the schoolbook: the way back from what `words` reads."""

from __future__ import annotations

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def english(n: int) -> str:
    """
    >>> english(2_345_000)
    'two million three hundred forty-five thousand'
    """
    if n < 20:
        return _SMALL[n]
    if n < 100:
        return _TENS[n // 10 - 2] + (f"-{_SMALL[n % 10]}" if n % 10 else "")
    for scale, word in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if n >= scale:
            rest = f" {english(n % scale)}" if n % scale else ""
            return f"{english(n // scale)} {word}{rest}"
    raise AssertionError


def chinese(n: int) -> str:
    """
    >>> chinese(12_305), chinese(100_000_000)
    ('一万二千三百零五', '一亿')
    """
    for scale, word in ((10**8, "亿"), (10**4, "万")):
        if n >= scale:
            head, rest = chinese(n // scale), n % scale
            gap = "零" if rest and rest < scale // 10 else ""
            return (
                head
                + word
                + gap
                + (
                    _below(rest)
                    if rest and scale == 10**4
                    else chinese(rest)
                    if rest
                    else ""
                )
            )
    return _below(n).removeprefix("一") if 10 <= n < 20 else _below(n)


def _below(n: int) -> str:
    """Of numbers below ten thousand."""
    digits, said, zero = "零一二三四五六七八九", "", False
    for scale, word in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = n // scale % 10
        if digit:
            said += ("零" if zero and said else "") + digits[digit] + word
        zero = not digit
    return said or "零"
