"""Licences: every source has one, its text goes into LICENSES/, the card names it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from ..base.files import write_text
from ..errors import UserError, nearest

HERE = Path(__file__).parent


def known_licences() -> dict[str, dict[str, str]]:
    """SPDX id -> {hub, name, url}."""
    loaded: dict[str, dict[str, str]] = yaml.safe_load(
        (HERE / "licenses.yaml").read_text("utf-8")
    )
    return loaded


def check_licence(name: str | None, source: str) -> None:
    """Raises UserError, with what SPDX calls it, for what is no SPDX id or expression.

    https://spdx.github.io/spdx-spec/v3.0.1/annexes/spdx-license-expressions/

    >>> check_licence("GPL-3.0-or-later OR MIT", "s")
    """
    known = known_licences()
    if name in known:
        return
    remedy = f"often: {', '.join(sorted(known))}"
    if name:
        meant = spdx(name)
        if meant == name:
            return
        remedy = f"SPDX calls it {meant}" if meant else nearest(name, list(known))
    raise UserError(
        f"source {source!r} has "
        + (f"the unknown licence {name!r}" if name else "no licence"),
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
    unknown = [
        key
        for key in licensing.unknown_license_keys(parsed)
        if "LicenseRef-" not in key
    ]
    return "" if unknown else str(parsed)


def write_licences(names: list[str], folder: Path) -> None:
    """`<id>.txt` for each licence: its text where we carry it, otherwise its name and address."""
    known = known_licences()
    for name in names:
        own = HERE / "licenses" / f"{name}.txt"
        entry = known.get(name) or _listed(name)
        text = (
            own.read_text("utf-8")
            if own.exists()
            else f"{entry['name']}\n{entry['url']}\n"
        )
        write_text(folder / f"{name}.txt", text)


def _listed(name: str) -> dict[str, str]:
    """Name and addresses of what SPDX lists; of what nobody declared, that."""
    ids = re.findall(r"[A-Za-z0-9.+-]+", re.sub(r"\b(?:AND|OR|WITH)\b", " ", name))
    listed = name != "unlicensed" and spdx(name) == name
    urls = "\n".join(f"https://spdx.org/licenses/{one}.html" for one in ids)
    return {"name": name, "url": urls if listed else "no licence was declared"}


def hub_licence(names: list[str]) -> dict[str, Any]:
    """The card's front-matter fields: one id, or `other` with the names."""
    known = known_licences()
    if len(names) == 1 and names[0] in known:
        return {"license": known[names[0]]["hub"]}
    return {
        "license": "other",
        "license_name": "-and-".join(names).lower(),
        "license_link": "LICENSES",
    }
