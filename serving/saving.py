"""What people decide on a page, as the files that stages read; every line says who and when."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from ..base.files import append_line, locked, read_jsonl, records, write_text
from ..convert.suggestions import Suggestion, SuggestionDecision, decide, read_decisions
from ..dedup import Decision, append_decision, card_id, read_evidence
from ..dedup import read_decisions as read_pair_decisions
from ..errors import UserError
from ..evaluate.metrics import read_results
from ..exports import Erratum, read_errata
from ..problem import Vote
from ..release import read_problems, split_names
from .folders import Folder

ERRATUM_FIELDS = ("question", "answer", "solution", "unit")


class PageDecision(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a page sends: `choice` about the card `id`, whose content was `seen`."""

    id: str
    choice: str
    text: str = ""
    note: str = ""
    seen: str = ""


class Desk(msgspec.Struct, frozen=True):
    """Where decisions go, and in whose name."""

    decisions: Path
    name: str

    def save(self, folder: Folder, said: PageDecision) -> str:
        """Save one decision; returns the file. Raises UserError where it does not fit the data."""
        if not self.name:
            raise UserError(
                "nobody is named", "start view with --name to save decisions"
            )
        savers: dict[str, Callable[[Folder, PageDecision, str], Path]] = {
            "evidence": self._pair,
            "suggestions": self._suggestion,
            "votes": self._vote,
            "scores": self._verdict,
            "release": self._erratum,
        }
        kind = folder.kind()
        if kind not in savers:
            raise UserError(
                f"nothing is decided in {folder.name}", "open another folder"
            )
        self.decisions.mkdir(parents=True, exist_ok=True)
        with locked(self.decisions / ".lock"):
            return str(
                savers[kind](
                    folder, said, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
                )
            )

    def saved(self, folder: Folder) -> dict[str, str]:
        """What is decided already: by the id of the card, in one line each."""
        kind, found = folder.kind(), dict[str, str]()
        if (
            kind == "evidence"
            and (path := self.decisions / "duplicates.jsonl").exists()
        ):
            shown = {
                frozenset((row.a.id, row.b.id)): row
                for row in read_evidence(folder.path)
            }
            for pair, d in read_pair_decisions(path).items():
                if (row := shown.get(frozenset(pair))) is not None:
                    hashes = {row.a.id: row.a.hash, row.b.id: row.b.hash}
                    stale = any(
                        h and h != hashes[k]
                        for k, h in ((d.a, d.a_hash), (d.b, d.b_hash))
                    )
                    keep = f", keep {d.keep}" if d.keep else ""
                    line = _line(d.verdict + keep, d.annotator, d.at, d.note)
                    found[card_id(row)] = (
                        f"{line} · for other content" if stale else line
                    )
        elif kind == "suggestions":
            for file in folder.data("suggestions"):
                for s in read_decisions(file.with_suffix(".decisions.jsonl")).values():
                    found[s.suggestion] = _line(s.verdict, s.reviewer, s.at, s.note)
        elif kind == "votes":
            for file in sorted(self.decisions.glob("*.adjudicated.jsonl")):
                for v in read_jsonl(file, Vote):
                    found[f"{v.problem_id} · {v.field}"] = _line(
                        str(v.value), v.annotator, v.at
                    )
        elif kind == "scores" and (path := self._verdicts(folder)).exists():
            for v in read_jsonl(path, Vote):
                said = "right" if v.value == "true" else "wrong"
                found[f"{v.problem_id} {v.about}"] = _line(said, v.annotator, v.at)
        elif kind == "release" and (path := self.decisions / "errata.yaml").exists():
            for e in read_errata(path):
                found[e.id] = _line(f"{e.field}: {e.new}", e.by, e.at, e.reason)
        return found

    def _pair(self, folder: Folder, said: PageDecision, at: str) -> Path:
        row = next(
            (row for row in read_evidence(folder.path) if card_id(row) == said.id), None
        )
        if row is None:
            raise UserError(f"no pair {said.id!r}", "load the page again")
        if said.seen != f"{row.a.hash} {row.b.hash}":
            raise UserError(
                "the pair has changed since it was shown", "load the page again"
            )
        verdicts: dict[
            str, tuple[Literal["duplicate", "variant", "not duplicate"], str]
        ] = {
            "keep a": ("duplicate", row.a.id),
            "keep b": ("duplicate", row.b.id),
            "variant": ("variant", ""),
            "not duplicate": ("not duplicate", ""),
        }
        verdict, keep = verdicts[_one_of(said.choice, verdicts)]
        path = self.decisions / "duplicates.jsonl"
        append_decision(
            path,
            Decision(
                a=row.a.id,
                b=row.b.id,
                verdict=verdict,
                keep=keep,
                a_hash=row.a.hash,
                b_hash=row.b.hash,
                annotator=self.name,
                at=at,
                note=said.note,
            ),
        )
        return path

    def _suggestion(self, folder: Folder, said: PageDecision, at: str) -> Path:
        for file in folder.data("suggestions"):
            loaded = records(file, Suggestion)
            if any(s.id == said.id for s in loaded):
                break
        else:
            raise UserError(f"no suggestion {said.id!r}", "load the page again")
        verdicts: dict[str, Literal["accept", "reject"]] = {
            "accept": "accept",
            "reject": "reject",
        }
        decision = SuggestionDecision(
            suggestion=said.id,
            verdict=verdicts[_one_of(said.choice, verdicts)],
            reviewer=self.name,
            text=said.text or None,
            note=said.note,
            at=at,
        )
        path = file.with_suffix(".decisions.jsonl")
        decide(path, loaded, decision)
        return path

    def _vote(self, folder: Folder, said: PageDecision, at: str) -> Path:
        """An open item, decided: a vote for the `adjudicated:` key of a label stage."""
        votes = [v for file in folder.data("votes") for v in read_jsonl(file, Vote)]
        about = [v for v in votes if f"{v.problem_id} · {v.field}" == said.id]
        if not about:
            raise UserError(f"no votes on {said.id!r}", "load the page again")
        values = {value_text(v.value): v for v in about}
        chosen = values[_one_of(said.choice, values)]
        path = self.decisions / f"{chosen.field.replace('/', '_')}.adjudicated.jsonl"
        vote = msgspec.structs.replace(
            chosen, annotator=self.name, kind="human", at=at, withdrawn=False
        )
        append_line(path, vote)
        return path

    def _verdicts(self, folder: Folder) -> Path:
        return self.decisions / f"{folder.name}.verdicts.jsonl"

    def _verdict(self, folder: Folder, said: PageDecision, at: str) -> Path:
        """Is a reply right? A vote that `score --verdicts` and `evaluate agreement` read."""
        replies = [r for r in read_results(folder.path) if r.id == said.id]
        if not replies:
            raise UserError(f"no sample {said.id!r}", "load the page again")
        if said.seen not in {reply.about() for reply in replies}:
            raise UserError(
                "the reply has changed since it was shown", "load the page again"
            )
        value = {"right": "true", "wrong": "false"}[
            _one_of(said.choice, ("right", "wrong"))
        ]
        path = self._verdicts(folder)
        vote = Vote(
            problem_id=said.id,
            field="correct",
            value=value,
            annotator=self.name,
            at=at,
            about=said.seen,
        )
        append_line(path, vote)
        return path

    def _erratum(self, folder: Folder, said: PageDecision, at: str) -> Path:
        field = _one_of(said.choice, ERRATUM_FIELDS)
        problems = (
            p
            for split in split_names(folder.path)
            for p in read_problems(folder.path, split)
        )
        problem = next((p for p in problems if p.id == said.id), None)
        if problem is None:
            raise UserError(f"no problem {said.id!r}", "load the page again")
        if not said.note.strip():
            raise UserError("an erratum needs its reason", "say why in the field below")
        old = getattr(problem, field)
        if said.text == (old or ""):
            raise UserError(f"the {field} is that already", "write what it should be")
        erratum = Erratum(
            id=problem.id,
            field=field,
            old=old,
            new=said.text,
            reason=said.note,
            by=self.name,
            at=at,
        )
        path = self.decisions / "errata.yaml"
        _add_entry(path, msgspec.to_builtins(erratum))
        return path


def value_text(value: Any) -> str:
    """A vote's value as a button says it."""
    return (
        value
        if isinstance(value, str)
        else msgspec.json.encode(value, order="sorted").decode()
    )


def _line(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _one_of(choice: str, known: Any) -> str:
    if choice not in known:
        raise UserError(f"no choice {choice!r}", f"choose of {', '.join(known)}")
    return choice


def _add_entry(path: Path, entry: dict[str, Any]) -> None:
    """One more entry in a YAML list; comments and spelling of the others stay as they are."""
    before = path.read_text("utf-8") if path.exists() else ""
    block = yaml.safe_dump([entry], allow_unicode=True, sort_keys=False, width=10_000)
    after = f"{before.rstrip()}\n{block}".lstrip()
    try:
        known = yaml.safe_load(before) or []
        if any(
            {**one, "at": ""} == {**entry, "at": ""} for one in known
        ):  # pressed twice
            return
        whole = yaml.safe_load(after) == [*known, entry]
    except (yaml.YAMLError, TypeError):
        whole = False
    if not whole:
        raise UserError(
            f"{path} is no list with one entry a '-'", "write it that way, then save"
        )
    write_text(path, after)
