"""Licences: every source has one, its text goes into LICENSES/, the card names it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from ..base.files import write_text
from ..errors import UserError, nearest
from ..problem import Problem

HERE = Path(__file__).parent


def known_licences() -> dict[str, dict[str, str]]:
    """SPDX id -> {hub, name, url}."""
    loaded: dict[str, dict[str, str]] = yaml.safe_load((HERE / "licenses.yaml").read_text("utf-8"))
    return loaded


def check_licences(problems: Iterable[Problem], allow_unlicensed: bool) -> list[str]:
    """The licences in use. Raises UserError for a source without a known one."""
    known, used = known_licences(), set()
    for problem in problems:
        used.add(problem.source.license or "unlicensed")
        name = problem.source.license
        if name not in known and not allow_unlicensed:
            remedy = nearest(name, list(known)) if name else f"known: {', '.join(sorted(known))}"
            raise UserError(
                f"source {problem.source.name!r} has "
                + (f"the unknown licence {name!r}" if name else "no licence"),
                f"give it license: with an SPDX id, or build with --allow-unlicensed ({remedy})",
            )
    return sorted(used)


def licences_of(problems: Iterable[Problem]) -> list[str]:
    """The licences in use, in the order of their names."""
    return sorted({problem.source.license or "unlicensed" for problem in problems})


def write_licences(names: list[str], folder: Path) -> None:
    """`<id>.txt` for each licence: its text where we carry it, otherwise its name and address."""
    known = known_licences()
    for name in names:
        own = HERE / "licenses" / f"{name}.txt"
        entry = known.get(name, {"name": name, "url": "no licence was declared"})
        text = own.read_text("utf-8") if own.exists() else f"{entry['name']}\n{entry['url']}\n"
        write_text(folder / f"{name}.txt", text)


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
