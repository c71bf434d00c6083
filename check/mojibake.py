"""Text that was decoded with the wrong table: UTF-8 read as GBK or as Latin-1."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CJK = re.compile(
    r"[\u4e00-\u9fff]+"
)  # what GBK decodes to; the rare ones of HAN are none
# what mathematics holds beside ASCII: Latin and Greek letters, signs, arrows, shapes, widths
_SIGNS = re.compile(
    r"[\x20-\x7e\u00a0-\u00ff\u0391-\u03c9\u2000-\u27bf\u2900-\u2bff\u3000-\u303f\uff00-\uffef]+"
)
_LATIN = re.compile(
    r"[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0178\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]+"
)


def mojibake(text: str, around: str = "") -> Iterator[tuple[str, str]]:
    """Pairs (what stands there, what was meant).

    Where the GBK bytes of every Chinese run are UTF-8 for signs that mathematics uses, the text is
    no Chinese; accented runs whose Latin bytes are UTF-8 are no accident; nor is U+FFFD. `around`
    is the rest of the problem: Chinese anywhere in it tells that all of it is.

    >>> list(mojibake("118掳T and 5Â°")), list(mojibake("公交3路")), list(mojibake("图1"))
    ([('掳', '°'), ('Â°', '°')], [], [])
    """
    chinese = {run: _redecoded(run, "gbk") for run in _CJK.findall(text)}
    rest = (_redecoded(run, "gbk") for run in _CJK.findall(around))
    if all(meant and _SIGNS.fullmatch(meant) for meant in (*chinese.values(), *rest)):
        yield from ((run, meant or "") for run, meant in chinese.items())
    for run in _LATIN.findall(text):
        meant = _redecoded(run, "cp1252") or _redecoded(run, "latin-1")
        if meant:
            yield run, meant
    if "\ufffd" in text:
        yield "\ufffd", "a lost character"


def _redecoded(run: str, table: str) -> str | None:
    try:
        return run.encode(table).decode("utf-8")
    except UnicodeError:
        return None
