"""Vote policies: from the votes on one item to a value, with the rule that decided.

`majority`    the value that more people gave than any other; a tie is undecided.
`mathv`       MATH-V, section 3.2: more than half of at least two experts; models advise.
`unanimous`   everybody who voted, at least two people, says the same (MATH-V, section 3.2: text
              and picture cross-verified).
`wemath`      We-Math, section 3.3: at least two people identical (whole sets); where three have
              answered and no two agree, the item is excluded.
`combined`    MATH-V, appendix G.2: the groups of people and the models are counted together, a
              value of more than half of them; of at least two people, and never of models alone.
`parts`       sets, spans and placements part by part, by more than half of two people or more, also
              to a set that nobody gave as a whole.
`adjudicate`  two people decide; advisers only break a full tie among people; what is left, and
              what both advisers oppose, goes to an adjudicator, whose word is final.

"pending" abstains everywhere. No policy takes a label from models alone; those beside `adjudicate`
and `combined` let them break a tie of people only where they are told to (`ties="advisers"`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from ...base.registry import Registry, mark
from ...errors import UserError
from ...pipeline import bug
from ...problem import Vote
from ...taxonomy import REJECTED, is_rejection, structure_of
from .votes import without_abstentions

Ties = Literal["open", "advisers"]
Parts = Literal["no", "given", "any"]
F = TypeVar("F", bound=Callable[..., Any])
BUILT_IN = {
    name: f"annotate.votes.policies:{name}"
    for name in (
        "majority",
        "mathv",
        "unanimous",
        "wemath",
        "combined",
        "parts",
        "adjudicate",
    )
}
POLICIES = Registry("policy", BUILT_IN, group="policies", consulted=True)
EXPERTS = 3  # of We-Math: when so many have answered, nobody else is waited for


class Outcome(msgspec.Struct, kw_only=True):
    """The decision on one item. `value` is None when it is undecided; `margin` is the winner's
    votes minus the runner-up's; `flagged` items want an adjudicator although they are decided,
    `excluded` ones are no question for an adjudicator any more. `agreed` are parts of an open item
    that most people gave alike."""

    value: Any = None
    rule: str
    margin: int = 0
    flagged: bool = False
    excluded: bool = False
    agreed: Any = None


class Ranking(msgspec.Struct):
    """What people gave: the commonest value, how often, and how often the next one."""

    best: Any
    most: int
    next_most: int

    @property
    def margin(self) -> int:
        return self.most - self.next_most


def policy(
    name: str,
    *,
    quorum: int,
    ties: Ties = "open",
    experts: int = 0,
    adjudicated: bool = False,
    by_parts: Parts = "no",
    models: bool = False,
) -> Callable[[F], F]:
    """Mark a function `(people, ranking, answered) -> Outcome` as a vote policy.

    It decides once `quorum` people gave a value: `people` are their votes, `ranking` has the value
    that most gave, `answered` counts those who were unsure, too. `ties` says who breaks a tie of
    people. Once `experts` have answered without a quorum, the item is excluded. With `adjudicated`,
    advisers break full ties only, and what all of them oppose is flagged; with `by_parts`
    "given", spans and placements without a majority are decided where every part of them is, and
    with "any" sets, too, that nobody gave as a whole; with `models`, their votes are among
    `people`. Raises UserError for a quorum of nobody.

    Example: `@policy("two-thirds", quorum=3)`
    """
    facts = dict(locals())
    if quorum < 1:
        raise UserError(
            f"policy {name!r}: quorum {quorum}", "one person at least decides"
        )
    return mark("policy", **facts)


class PolicyRule(msgspec.Struct, frozen=True, kw_only=True):
    """A policy's function, and what `@policy` says of it."""

    name: str
    judge: Callable[[list[Vote], Ranking, int], Outcome]
    quorum: int
    ties: Ties
    experts: int
    adjudicated: bool
    by_parts: Parts
    models: bool = False

    def outcome(self, people: list[Vote], answered: int) -> Outcome:
        """What the function decides. Raises UserError for a bug in it."""
        try:
            decided = self.judge(people, ranked(people), answered)
            if not isinstance(decided, Outcome):
                raise TypeError(f"it returned {type(decided).__name__}, not an Outcome")
            return decided
        except UserError:
            raise
        except Exception as error:
            on = f"the votes on {people[0].problem_id!r}"
            raise bug(f"policy {self.name!r}", self.judge, error, on) from error


def load_policy(name: str) -> PolicyRule:
    """The policy called `name`. Raises UserError naming the nearest known one."""
    judge = POLICIES.load(name)
    return PolicyRule(judge=judge, **judge.__policy__)


def canonical(value: Any) -> str:
    """Equal values have equal texts: sets of labels do not know an order.

    >>> canonical(["b", "a"]) == canonical(["a", "b"])
    True

    Decompositions are equal when they have as many steps, each with the same concept and answer;
    their wording is each author's own, and one author's is taken.

    >>> hers, his = ({"steps": [{"knowledge": "Area", "question": q}]} for q in "ab")
    >>> canonical(hers) == canonical(his)
    True
    """
    if isinstance(value, dict) and isinstance(value.get("steps"), list):
        value = structure_of(value)
    elif is_rejection(value):
        value = REJECTED
    return _json(without_order(value))


def without_order(value: Any) -> Any:
    """A set of labels in one order, without repetitions; anything else as it is."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return sorted(set(value))
    return value


def _json(value: Any) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def decide(
    votes: list[Vote],
    policy: str,
    finals: Sequence[Vote] = (),
    quorum: int | None = None,
    ties: Ties | None = None,
) -> Outcome:
    """The outcome of the votes that count (each voter once) under a policy.

    `quorum` people have to give a value before anything is decided, and `ties` says whether
    advisers break a tie of people; without them the policy's own numbers hold (see `@policy`).
    What adjudicators agree on in `finals` is final.

    >>> def vote(value, who, kind="human"):
    ...     return Vote(problem_id="p", field="f", value=value, annotator=who, kind=kind)
    >>> decide([vote("x", "a"), vote("y", "b"), vote("x", "c")], "majority").value
    'x'
    >>> split = [vote("x", "a"), vote("y", "b"), vote("z", "c"), vote("y", "m", "model")]
    >>> decide(split, "adjudicate").rule
    'advisers broke a full tie'
    >>> decide(split, "mathv").rule, decide(split, "mathv", ties="advisers").value
    ('no majority of people', 'y')
    """
    rule = load_policy(policy)
    answered = sum(vote.kind == "human" for vote in votes)
    cast = without_abstentions(votes)
    people = [vote for vote in cast if vote.kind == "human"]
    if last_words := without_abstentions(finals):
        return _unless_rejected(_final(last_words, people))
    advisers = [vote for vote in cast if vote.kind == "model"]
    needed = rule.quorum if quorum is None else quorum
    if len(people) < needed or not people:
        return _below_quorum(rule, people, answered, needed, bool(votes))
    voters = people + advisers if rule.models else people
    outcome = rule.outcome(voters, answered)
    if outcome.value is None and (ties or rule.ties) == "advisers":
        outcome = _tie_broken(outcome, people, advisers, rule.adjudicated)
    if rule.adjudicated and outcome.value is not None and len(advisers) >= 2:
        outcome.flagged = not _agreeing(advisers, outcome.value)
    return _unless_rejected(outcome)


def _final(finals: list[Vote], people: list[Vote]) -> Outcome:
    """What more than half of the adjudicators say, against people or other adjudicators, too."""
    value = ranked(finals).best
    agreeing = _agreeing(finals, value)
    if 2 * len(agreeing) <= len(finals):
        return Outcome(rule=f"adjudicators differ: {_names(finals)}")
    rule_name = f"adjudicated by {_names(agreeing)}"
    if others := [vote for vote in finals if vote not in agreeing]:
        rule_name += f", not {_names(others)}"
    agreed = len(people) > 1 and len(_agreeing(people, people[0].value)) == len(people)
    if agreed and canonical(people[0].value) != canonical(value):
        rule_name += f" against all {len(people)}"
    return Outcome(value=value, rule=rule_name)


def _names(votes: list[Vote]) -> str:
    return " and ".join(sorted(vote.annotator for vote in votes))


def _agreeing(votes: list[Vote], value: Any) -> list[Vote]:
    """The votes for a value, however they word it."""
    text = canonical(value)
    return [vote for vote in votes if canonical(vote.value) == text]


def _below_quorum(
    rule: PolicyRule, people: list[Vote], answered: int, needed: int, any_votes: bool
) -> Outcome:
    if rule.experts and answered >= max(rule.experts, needed):
        return Outcome(rule=f"no two of {answered} people identical", excluded=True)
    if not people:
        return Outcome(rule="no label of a person" if any_votes else "no votes")
    return Outcome(rule=f"{len(people)} of the {needed} people that a decision needs")


def _unless_rejected(outcome: Outcome) -> Outcome:
    """A rejection that wins leaves nothing to take: somebody has to write anew."""
    if is_rejection(outcome.value):
        reasons = ", ".join(outcome.value[REJECTED])
        return Outcome(rule=f"reviewers reject it: {reasons}", margin=outcome.margin)
    return outcome


def ranked(votes: list[Vote]) -> Ranking:
    """Of equal values that are worded apart, the wording given most often, then first, is taken."""
    counts = Counter(canonical(vote.value) for vote in votes)
    (best, most), *others = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    winners = [vote for vote in votes if canonical(vote.value) == best]
    wordings = Counter(_json(vote.value) for vote in winners)

    def order(vote: Vote) -> tuple[int, str, str, str]:
        wording = _json(vote.value)
        return -wordings[wording], vote.at, vote.annotator, wording

    return Ranking(min(winners, key=order).value, most, others[0][1] if others else 0)


def _tie_broken(
    outcome: Outcome, people: list[Vote], advisers: list[Vote], full_only: bool
) -> Outcome:
    """What most advisers say, of the values that most people gave."""
    counts = Counter(canonical(vote.value) for vote in people)
    most = max(counts.values())
    tied = list(counts.values()).count(most) > 1
    if not tied or (full_only and most > 1):
        return outcome
    advice = [vote for vote in advisers if counts[canonical(vote.value)] == most]
    if not advice:
        return outcome
    winner = ranked(advice)
    if not winner.margin:
        return outcome
    return Outcome(
        value=ranked(_agreeing(people, winner.best)).best,  # in the words of people
        rule="advisers broke a full tie" if most == 1 else "advisers broke a tie",
        margin=winner.margin,
    )


@policy("majority", quorum=1, by_parts="given")
def majority(people: list[Vote], ranking: Ranking, answered: int) -> Outcome:
    if not ranking.margin:
        return Outcome(rule="tie")
    return Outcome(value=ranking.best, rule="majority of people", margin=ranking.margin)


@policy("mathv", quorum=2)
def mathv(people: list[Vote], ranking: Ranking, answered: int) -> Outcome:
    if 2 * ranking.most <= len(people):
        return Outcome(rule="no majority of people")
    return Outcome(
        value=ranking.best, rule="majority of experts", margin=ranking.margin
    )


@policy("unanimous", quorum=2)
def unanimous(people: list[Vote], ranking: Ranking, answered: int) -> Outcome:
    if ranking.most < len(people):
        return Outcome(rule="people disagree")
    return Outcome(value=ranking.best, rule="people agree", margin=ranking.margin)


@policy("wemath", quorum=2, experts=EXPERTS)
def wemath(people: list[Vote], ranking: Ranking, answered: int) -> Outcome:
    if ranking.most >= 2 and ranking.margin:
        return Outcome(
            value=ranking.best, rule="at least two identical", margin=ranking.margin
        )
    if answered < EXPERTS:
        return Outcome(rule="people disagree, a third is waited for")
    if ranking.most >= 2:
        return Outcome(
            rule="two pairs of people stand against each other", excluded=True
        )
    return Outcome(rule=f"no two of {answered} people identical", excluded=True)


@policy("combined", quorum=2, models=True)
def combined(people: list[Vote], ranking: Ranking, answered: int) -> Outcome:
    if 2 * ranking.most <= len(people):
        return Outcome(rule="no majority of people and models")
    supporters = _agreeing(people, ranking.best)
    if all(vote.kind == "model" for vote in supporters):
        return Outcome(rule="models alone")
    return Outcome(
        value=ranking.best, rule="majority of people and models", margin=ranking.margin
    )


@policy("parts", quorum=2, by_parts="any")
def parts(people: list[Vote], ranking: Ranking, answered: int) -> Outcome:
    return mathv(people, ranking, answered)


@policy("adjudicate", quorum=2, ties="advisers", adjudicated=True, by_parts="given")
def adjudicate(people: list[Vote], ranking: Ranking, answered: int) -> Outcome:
    if ranking.most >= 2 and ranking.margin:
        return Outcome(
            value=ranking.best, rule="two people agree", margin=ranking.margin
        )
    return Outcome(rule="people are divided" if ranking.most > 1 else "full tie")
