"""Licences: every source has one, its text goes into LICENSES/, the card names it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from ..base.files import write_text
from ..errors import UserError, nearest

HERE = Path(__file__).parent
# Parts of an expression: what joins ids, and an id.
_OPERATOR = re.compile(r"\b(?:AND|OR|WITH)\b")
_ID = re.compile(r"[A-Za-z0-9.+-]+")


def known_licences() -> dict[str, dict[str, str]]:
    """SPDX id -> {hub, name, url}."""
    text = (HERE / "licenses.yaml").read_text("utf-8")
    licences: dict[str, dict[str, str]] = yaml.safe_load(text)
    return licences


def check_licence(name: str | None, source: str) -> None:
    """Raises UserError, with what SPDX calls it, for what is no SPDX id or expression.

    https://spdx.github.io/spdx-spec/v3.0.1/annexes/spdx-license-expressions/

    >>> check_licence("GPL-3.0-or-later OR MIT", "s")
    """
    licences = known_licences()
    if name in licences:
        return
    problem = "no licence"
    remedy = f"often: {', '.join(sorted(licences))}"
    if name:
        canonical = spdx(name)
        if canonical == name:
            return
        problem = f"the unknown licence {name!r}"
        remedy = (
            f"SPDX calls it {canonical}" if canonical else nearest(name, list(licences))
        )
    raise UserError(
        f"source {source!r} has {problem}",
        f"give it license: with an SPDX id, or build with --allow-unlicensed ({remedy})",
    )


def spdx(expression: str) -> str:
    """The expression as SPDX writes it; "" where a part of it is no licence of theirs.

    >>> spdx("gpl-3.0-or-later or mit"), spdx("LicenseRef-own"), spdx("free")
    ('GPL-3.0-or-later OR MIT', 'LicenseRef-own', '')
    """
    from license_expression import ExpressionError, get_spdx_licensing

    licensing = get_spdx_licensing()
    try:
        parsed = licensing.parse(expression[:500], strict=True)
    except ExpressionError:
        return ""
    if parsed is None:
        return ""
    keys = licensing.unknown_license_keys(parsed)
    if any("LicenseRef-" not in key for key in keys):
        return ""
    return str(parsed)


def write_licences(names: list[str], folder: Path) -> None:
    """`<id>.txt` for each licence: its text where we carry it, otherwise its name and address."""
    licences = known_licences()
    for name in names:
        carried = HERE / "licenses" / f"{name}.txt"
        if carried.exists():
            text = carried.read_text("utf-8")
        else:
            entry = licences.get(name) or _listed(name)
            text = f"{entry['name']}\n{entry['url']}\n"
        write_text(folder / f"{name}.txt", text)


def _listed(name: str) -> dict[str, str]:
    """Name and addresses of what SPDX lists; of what nobody declared, that."""
    if name == "unlicensed" or spdx(name) != name:
        return {"name": name, "url": "no licence was declared"}
    ids = _ID.findall(_OPERATOR.sub(" ", name))
    urls = "\n".join(f"https://spdx.org/licenses/{id_}.html" for id_ in ids)
    return {"name": name, "url": urls}


def hub_licence(names: list[str]) -> dict[str, Any]:
    """The card's front-matter fields: one id, or `other` with the names."""
    licences = known_licences()
    if len(names) == 1 and names[0] in licences:
        return {"license": licences[names[0]]["hub"]}
    return {
        "license": "other",
        "license_name": "-and-".join(names).lower(),
        "license_link": "LICENSES",
    }
