"""The commands `build-release`, `look`, `verify`, `init`, `forget` and `stages`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..base.commands import Printed
from ..base.terminal import say, table


def build_release(
    recipe: Path, *, check: bool = False, page: bool = False, **options: Any
) -> Printed:
    """Build a release from RECIPE into OUT/<name>-<version>.

    Args:
        check: Look over the recipe and every row; make no release.
        page: With --check: write OUT/<name>-check.html, raw rows beside the problems they become.

    Example:
      build-release examples/recipe.yaml -o out
      build-release examples/recipe.yaml --until latex
      build-release examples/recipe.yaml --check --page
      build-release examples/recipe.yaml --part 2/3
    """
    from .build import build_release as build

    if check or page:
        return _look_over(recipe, options, page=page)
    built = build(recipe, **options)
    header, rows = built.table()
    private = f"\nanswers: {built.private}" if built.private else ""
    data = {
        "release": None if built.stopped or built.waiting else str(built.release),
        "stopped": str(built.stopped) if built.stopped else None,
        "private": str(built.private) if built.private else None,
        "fresh": built.fresh,
        "waiting": built.waiting or None,
        "stages": built.reports,
    }
    if built.waiting:
        return Printed(data, built.waiting)
    end = (
        f"stopped: {built.stopped}"
        if built.stopped
        else f"release: {built.release}{private}"
    )
    return Printed(data, f"{table(rows, header)}\n{end}")


def look(files: Sequence[Path], **options: Any) -> Printed:
    """Say what FILES are and what they would give; write a recipe that builds it.

    Files and folders are recognised by their content. Exit 1 where nothing is read.

    Args:
        files: Files or folders of anybody.

    Example:
      benchwright look exam.docx -o recipe.yaml
      build-release recipe.yaml --check --page
    """
    from .first_look import drawn, shown_problems
    from .first_look import look as look_at

    looked = look_at(files, **options)
    parts: list[str] = []
    for source in looked.sources:
        spec = source.spec
        count = source.count()
        about = "about " if source.rows > source.read else ""
        files_of = f", {source.files} files" if source.files > 1 else ""
        parts.append(
            f"{source.what}{files_of} (reader {spec.reader}): {about}{count} problems"
        )
        parts += [drawn(problem) for problem in shown_problems(source)]
        told = [
            f"  {number} x {cause}, first {at}"
            for cause, (number, at) in source.causes.items()
        ]
        parts += ["\n".join(["to look at:", *told])] if told else []
        if source.unused:
            parts.append(f"columns that no field uses: {', '.join(source.unused)}")
    parts += [f"{u.file}: {u.saw}\n  {u.remedy}" for u in looked.unrecognised]
    out = options.get("out")
    if looked.recipe:
        parts.append(
            f"wrote {out}" if out else f"a recipe that builds:\n\n{looked.recipe}"
        )
    data = {
        "sources": [
            {
                "what": source.what,
                "spec": source.spec,
                "rows": source.rows,
                "problems": source.count(),
                "causes": source.causes,
                "unused": source.unused,
                "shown": shown_problems(source),
            }
            for source in looked.sources
        ],
        "unrecognised": looked.unrecognised,
        "recipe": looked.recipe,
    }
    return Printed(
        data, "\n\n".join([*parts, looked.headline()]), failed=not looked.sources
    )


def verify(release: Path, **options: Any) -> Printed:
    """Prove that RELEASE is complete and undamaged; exit 1 and say what is wrong otherwise.

    Exit 2 where it is consistent, and another version made what cannot be made again here.

    Example:
      benchwright verify out/math-v-mini-1.0.0
      benchwright verify out/math-v-mini-1.0.0 --key math-v.pub
      benchwright verify downloaded/math-v-mini-1.0.0 --quick
    """
    from ..exports import exports_folder
    from ..release import read_manifest
    from .verify import verify as prove

    found = prove(release, **options)
    quick = bool(options.get("quick"))
    data = {
        "release": str(release),
        "good": bool(found.anchor) and not found.unproved,
        "authenticated": bool(found.anchor),
        "anchor": found.anchor,
        "damage": found,
        "unproved": found.unproved,
    }
    if found:
        rows = [[d.code, d.where, d.what] for d in found]
        text = f"{table(rows, ['code', 'where', 'what'])}\n{found.headline()}"
        return Printed(data, text, failed=True)
    manifest = read_manifest(release)
    count = len(manifest["files"])
    if quick:
        proved = found.anchor or "nothing else was proved"
        text = f"all {count} files have the listed hashes; {proved}"
        return Printed(data, f"{release}: {text}")
    notes = [] if exports_folder(release).exists() else ["no exports lie beside it"]
    if manifest.get("answers") and not options.get("answers"):
        notes.append("withheld answers were not looked at: give --answers PRIVATE")
    samples = sum(split["samples"] for split in manifest["splits"].values())
    text = f"{release} {found.headline()}: {samples} samples, {count} files"
    if names := found.unproved:
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        text += f"\nother versions wrote {', '.join(names[:5])}{more}"
    return Printed(data, text, failed=2 if names else False, notes=notes)


def _look_over(recipe: Path, options: dict[str, Any], *, page: bool) -> Printed:
    """What a look at the recipe found; it fails where something would stop or spoil the build."""
    from ..pipeline import read_recipe
    from .check import check_recipe

    plan = read_recipe(recipe)
    target = (
        Path(options.get("out", "out")) / f"{plan.name}-check.html" if page else None
    )
    out = options.get("out", "out")
    kept = {name: options[name] for name in ("plugins", "engine") if name in options}
    checked = check_recipe(plan, out, page=target, **kept)
    if target is not None:
        say(f"look at {target}")
    lines = [f"{f.where}: {f.what}\n  {f.remedy}" for f in checked.findings]
    data = {"rows": checked.rows, "findings": checked.findings}
    failed = not all(finding.hint for finding in checked.findings)
    return Printed(data, "\n".join([*lines, checked.headline()]), failed)


def init(folder: Path, **options: Any) -> None:
    """Start a benchmark from the example of a paper.

    Example:
      benchwright init my-bench --like we-math
      build-release my-bench/recipe.yaml -o my-bench/out
    """
    from .start import init as start

    files = start(folder, **options)
    click.echo(f"{folder}: {len(files)} files; read {folder / 'README.md'}, then")
    say(f"build-release {folder / 'recipe.yaml'} -o {folder / 'out'}")


def forget(out: Path) -> Printed:
    """Empty what builds in OUT keep of parts.

    The next build makes again what it needs: the same bytes, later.

    Example:
      benchwright forget out
    """
    from .forget import forget as emptied

    freed = emptied(out)
    return Printed({"bytes": freed}, f"{out}: {freed / 1e6:,.1f} MB freed")


def stages(**options: Any) -> Printed:
    """List what recipes and commands may name: stages, readers, kinds of task, ...

    Example:
      benchwright stages
      benchwright stages --plugin my_stages.py
    """
    from .catalogue import stages as listed

    kinds = listed(**options)
    parts = [
        table(
            [[r.name, r.module, r.origin, r.options] for r in rows],
            [kind, "module", "origin", "options"],
        )
        for kind, rows in kinds.items()
    ]
    return Printed(kinds, "\n\n".join(parts))
