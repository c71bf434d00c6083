"""What people decide on a page, as the files that stages read; every line says who and when."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from ..base.files import append_line, locked, read_jsonl, records, write_text
from ..check import Suspect
from ..convert.suggestions import Suggestion, SuggestionDecision, decide, read_decisions
from ..dedup import Decision, append_decision, card_id, read_evidence
from ..dedup import read_decisions as read_pair_decisions
from ..errors import UserError
from ..evaluate.metrics import read_results
from ..exports import Erratum, read_errata
from ..problem import Problem, Vote
from ..release import read_problems, split_names
from .folders import Folder

GOLDS = "golds.jsonl"  # suspected ones that a person calls right
GOLD_CHOICES = ("the gold is wrong", "the gold is right")
ERRATUM_FIELDS = ("question", "answer", "solution", "unit")


class PageDecision(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a page sends: `choice` about the card `id`, whose content was `seen`."""

    id: str
    choice: str
    text: str = ""
    note: str = ""
    seen: str = ""


class GoldDecision(msgspec.Struct, kw_only=True):
    """A suspected gold that a person calls right."""

    id: str
    gold: str
    note: str = ""
    by: str
    at: str


class Desk(msgspec.Struct, frozen=True):
    """Where decisions go, and in whose name."""

    decisions: Path
    name: str

    def save(self, folder: Folder, decision: PageDecision) -> str:
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
            "suspects": self._gold,
        }
        kind = folder.kind()
        if kind not in savers:
            raise UserError(
                f"nothing is decided in {folder.name}", "open another folder"
            )
        self.decisions.mkdir(parents=True, exist_ok=True)
        with locked(self.decisions / ".lock"):
            at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            return str(savers[kind](folder, decision, at))

    def saved(self, folder: Folder) -> dict[str, str]:
        """What is decided already: by the id of the card, in one line each."""
        readers: dict[str, Callable[[Folder], dict[str, str]]] = {
            "evidence": self._saved_pairs,
            "suggestions": self._saved_suggestions,
            "votes": self._saved_votes,
            "scores": self._saved_verdicts,
            "release": self._saved_errata,
            "suspects": self._saved_golds,
        }
        reader = readers.get(folder.kind())
        return reader(folder) if reader else {}

    def _saved_pairs(self, folder: Folder) -> dict[str, str]:
        path = self.decisions / "duplicates.jsonl"
        if not path.exists():
            return {}
        rows = {
            frozenset((row.a.id, row.b.id)): row for row in read_evidence(folder.path)
        }
        lines = {}
        for pair, d in read_pair_decisions(path).items():
            row = rows.get(frozenset(pair))
            if row is None:
                continue
            keep = f", keep {d.keep}" if d.keep else ""
            line = _line(d.verdict + keep, d.annotator, d.at, d.note)
            # A decision without hashes is about whatever stands there.
            hashes = {row.a.id: row.a.hash, row.b.id: row.b.hash}
            is_stale = (d.a_hash and d.a_hash != hashes[d.a]) or (
                d.b_hash and d.b_hash != hashes[d.b]
            )
            lines[card_id(row)] = f"{line} · for other content" if is_stale else line
        return lines

    def _saved_suggestions(self, folder: Folder) -> dict[str, str]:
        return {
            d.suggestion: _line(d.verdict, d.reviewer, d.at, d.note)
            for file in folder.data("suggestions")
            for d in read_decisions(file.with_suffix(".decisions.jsonl")).values()
        }

    def _saved_votes(self, folder: Folder) -> dict[str, str]:
        return {
            f"{v.problem_id} · {v.field}": _line(str(v.value), v.annotator, v.at)
            for file in sorted(self.decisions.glob("*.adjudicated.jsonl"))
            for v in read_jsonl(file, Vote)
        }

    def _saved_verdicts(self, folder: Folder) -> dict[str, str]:
        path = self._verdicts(folder)
        if not path.exists():
            return {}
        lines = {}
        for vote in read_jsonl(path, Vote):
            verdict = "right" if vote.value == "true" else "wrong"
            line = _line(verdict, vote.annotator, vote.at)
            lines[f"{vote.problem_id} {vote.about}"] = line
        return lines

    def _saved_errata(self, folder: Folder) -> dict[str, str]:
        path = self.decisions / "errata.yaml"
        if not path.exists():
            return {}
        return {
            e.id: _line(f"{e.field}: {e.new}", e.by, e.at, e.reason)
            for e in read_errata(path)
        }

    def _saved_golds(self, folder: Folder) -> dict[str, str]:
        errata = self._saved_errata(folder)
        by_problem = {
            suspect.id: errata[suspect.problem_id]
            for suspect in _suspects(folder)
            if suspect.problem_id in errata
        }
        path = self.decisions / GOLDS
        rows = read_jsonl(path, GoldDecision) if path.exists() else ()
        kept = {
            row.id: _line("the gold is right", row.by, row.at, row.note) for row in rows
        }
        return kept | by_problem

    def _pair(self, folder: Folder, decision: PageDecision, at: str) -> Path:
        row = next(
            (row for row in read_evidence(folder.path) if card_id(row) == decision.id),
            None,
        )
        if row is None:
            raise UserError(f"no pair {decision.id!r}", "load the page again")
        if decision.seen != f"{row.a.hash} {row.b.hash}":
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
        verdict, keep = verdicts[_one_of(decision.choice, verdicts)]
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
                note=decision.note,
            ),
        )
        return path

    def _suggestion(self, folder: Folder, decision: PageDecision, at: str) -> Path:
        for file in folder.data("suggestions"):
            loaded = records(file, Suggestion)
            if any(s.id == decision.id for s in loaded):
                break
        else:
            raise UserError(f"no suggestion {decision.id!r}", "load the page again")
        verdicts: dict[str, Literal["accept", "reject"]] = {
            "accept": "accept",
            "reject": "reject",
        }
        verdict = SuggestionDecision(
            suggestion=decision.id,
            verdict=verdicts[_one_of(decision.choice, verdicts)],
            reviewer=self.name,
            text=decision.text or None,
            note=decision.note,
            at=at,
        )
        path = file.with_suffix(".decisions.jsonl")
        decide(path, loaded, verdict)
        return path

    def _vote(self, folder: Folder, decision: PageDecision, at: str) -> Path:
        """An open item, decided: a vote for the `adjudicated:` key of a label stage."""
        votes = [v for file in folder.data("votes") for v in read_jsonl(file, Vote)]
        about = [v for v in votes if f"{v.problem_id} · {v.field}" == decision.id]
        if not about:
            raise UserError(f"no votes on {decision.id!r}", "load the page again")
        values = {value_text(v.value): v for v in about}
        chosen = values[_one_of(decision.choice, values)]
        path = self.decisions / f"{chosen.field.replace('/', '_')}.adjudicated.jsonl"
        vote = msgspec.structs.replace(
            chosen, annotator=self.name, kind="human", at=at, withdrawn=False
        )
        append_line(path, vote)
        return path

    def _verdicts(self, folder: Folder) -> Path:
        return self.decisions / f"{folder.name}.verdicts.jsonl"

    def _verdict(self, folder: Folder, decision: PageDecision, at: str) -> Path:
        """Is a reply right? A vote that `score --verdicts` and `evaluate agreement` read."""
        replies = [r for r in read_results(folder.path) if r.id == decision.id]
        if not replies:
            raise UserError(f"no sample {decision.id!r}", "load the page again")
        if decision.seen not in {reply.about() for reply in replies}:
            raise UserError(
                "the reply has changed since it was shown", "load the page again"
            )
        value = {"right": "true", "wrong": "false"}[
            _one_of(decision.choice, ("right", "wrong"))
        ]
        path = self._verdicts(folder)
        vote = Vote(
            problem_id=decision.id,
            field="correct",
            value=value,
            annotator=self.name,
            at=at,
            about=decision.seen,
        )
        append_line(path, vote)
        return path

    def _erratum(self, folder: Folder, decision: PageDecision, at: str) -> Path:
        field = _one_of(decision.choice, ERRATUM_FIELDS)
        problem = _problem(folder.path, decision.id)
        if not decision.note.strip():
            raise UserError("an erratum needs its reason", "say why in the field below")
        old = getattr(problem, field)
        if decision.text == (old or ""):
            raise UserError(f"the {field} is that already", "write what it should be")
        erratum = Erratum(
            id=problem.id,
            field=field,
            old=old,
            new=decision.text,
            reason=decision.note,
            by=self.name,
            at=at,
        )
        path = self.decisions / "errata.yaml"
        _add_entry(path, msgspec.to_builtins(erratum))
        return path

    def _gold(self, folder: Folder, decision: PageDecision, at: str) -> Path:
        """A suspected gold: wrong ones become errata, right ones are noted."""
        suspects = {suspect.id: suspect for suspect in _suspects(folder)}
        suspect = suspects.get(decision.id)
        if suspect is None:
            raise UserError(f"no suspect {decision.id!r}", "load the page again")
        note = decision.note.strip()
        if _one_of(decision.choice, GOLD_CHOICES) == "the gold is right":
            row = GoldDecision(
                id=suspect.id, gold=suspect.gold, note=note, by=self.name, at=at
            )
            append_line(self.decisions / GOLDS, row)
            return self.decisions / GOLDS
        if decision.text.strip() in ("", suspect.gold):
            raise UserError(
                "nothing says what the gold should be", "write it in the first field"
            )
        erratum = Erratum(
            id=suspect.problem_id,
            field="answer",
            old=suspect.gold,
            new=decision.text.strip(),
            reason=note or suspect.reason(),
            by=self.name,
            at=at,
        )
        path = self.decisions / "errata.yaml"
        _add_entry(path, msgspec.to_builtins(erratum))
        return path


def _suspects(folder: Folder) -> list[Suspect]:
    return [
        row for file in folder.data("suspects") for row in read_jsonl(file, Suspect)
    ]


def _problem(release: Path, name: str) -> Problem:
    for split in split_names(release):
        for problem in read_problems(release, split):
            if problem.id == name:
                return problem
    raise UserError(f"no problem {name!r}", "load the page again")


def value_text(value: Any) -> str:
    """A vote's value as a button says it."""
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value, order="sorted").decode()


def _line(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _one_of(choice: str, choices: Any) -> str:
    if choice not in choices:
        raise UserError(f"no choice {choice!r}", f"choose of {', '.join(choices)}")
    return choice


def _add_entry(path: Path, entry: dict[str, Any]) -> None:
    """One more entry in a YAML list; comments and spelling of the others stay as they are."""
    before = path.read_text("utf-8") if path.exists() else ""
    block = yaml.safe_dump([entry], allow_unicode=True, sort_keys=False, width=10_000)
    after = f"{before.rstrip()}\n{block}".lstrip()
    try:
        entries = yaml.safe_load(before) or []
        is_new = all({**old, "at": ""} != {**entry, "at": ""} for old in entries)
        if not is_new:
            return  # pressed twice
        whole = yaml.safe_load(after) == [*entries, entry]
    except (yaml.YAMLError, TypeError):
        whole = False
    if not whole:
        raise UserError(
            f"{path} is no list with one entry a '-'", "write it that way, then save"
        )
    write_text(path, after)
