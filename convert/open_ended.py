"""Open-ended questions (MM-MATH, appendix B): no options, no blanks, parts as a chain.

Rules open what they can without guessing: a multiple-choice question that asks for a value, a
blank at the end of a sentence, and parts (1), (2), ... whose answers are known, where the
conclusion of a part is a premise of the next and proofs are premises only. Everything else stays
closed, with the reason, and is left to a model's suggestion and a person's review.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from ..latex import is_chinese, maths_spans
from ..problem import Problem, parts_text
from ..words import HAN_NAMES, NAMES, OPTION, SCHOOL, points_elsewhere, words
from .readers import bare, cut_at_marks, guess_kind, read_parts
from .readers import part as sub_answer


class Opened(msgspec.Struct):
    """The open-ended problems, or why there are none."""

    problems: list[Problem] = []
    reason: str = ""


_BLANK = (
    r"(?:[(（]\s*(?:\$?\s*(?:\\qquad|\\quad)\s*\$?)?\s*[)）]|_{2,}"
    r"|\$?\s*\\underline\s*\{(?:\s|\\q?quad|\\hspace\{[^}]*\}|~)*\}\s*\$?"
    r"|\$\s*\\(?:qquad|square)\s*\$)"
)
# the unit that stands behind a blank, in a formula or in prose, and what asks for it
_UNIT_MARK = (
    rf"\^\s*\{{?\s*\\circ\s*\}}?|°|\\?%|{HAN_NAMES}|[岁人个]"
    r"|\\(?:text|mathrm)\{\s*~?[^{}]{1,12}\}"
    rf"|(?:[cdkm]?m|[km]?g|{NAMES})"
    r"(?:\^?[23²³])?(?![A-Za-z])"
)
_UNIT = re.compile(rf"\s*+(\$?)\s*+({_UNIT_MARK})\s*\1")
_SPELT = {"°": "degrees", r"\%": "per cent", "%": "per cent"}
# a blank at the end of a formula, which the prose behind may close: `$a=(\quad)$`, `$a=(\quad$ ）`
_IN_FORMULA = re.compile(
    r"(?:\\left\s*)?[(（](?:\s|\\q?quad|\\[,;:!]|~|\\hspace\{[^}]*\})*(?:(?:\\right\s*)?[)）])?\s*[.。]?$"
    r"|(?:\\_\s*){2,}[.。]?$|_{2,}$|\\underline\s*\{(?:\s|\\q?quad|~)*\}$|\\(?:qquad|square)$"
)
_CLOSES = re.compile(r"\s*[)）]")
_NO_SINGLE_VALUE = re.compile(
    r"(?i)\bcould\b|\bmight\b|\bmay be\b|\bpossible (?:value|graph|shape)\b"
    r"|\bgraph(?: of [^.?!]{1,80}?)? (?:is|looks like)\s*[(（_]"
    r"|\bone (?:example|possible)\b|写出?(?:一个|任意)|答案不唯一|任写"
    r"|可以[是为]|可能[是为]?|大致|图[象像](?:是|为)|示意图[是为]|之一[是为]|条件是|形状[是为]"
)
_BEHIND = re.compile(
    r"[\s.。．;；?？]*(?:<image\d+>\s*)*[\s.。．]*"
)  # what may follow the blank
_COMPARES = re.compile(
    r"(?i)\bwhich\b|\bof the following\b|\bthese\b|\bcorrect\b|\btrue\b|\bfalse\b"
    r"|下列|以下|哪|正确|错误|可能是"
)
_NO_VALUE = re.compile(
    r"(?i)none of|all of|not enough|cannot be|以上|无法确定|不确定|都不"
    rf"|^[{OPTION}]$|^<image\d+>$|\b[{OPTION}]\s*(?:and|or|和|或)\s*[{OPTION}]\b"
)
_PROOF = re.compile(r"(?:\b[Pp]rove(?: that)?\b|\b[Ss]how that\b|求证|证明)[:：]?\s*")
_ASKS = re.compile(r"(?i)[?？]|\bfind\b|\bcalculate\b|\bdetermine\b|求(?!证)")
# what makes a proof's own condition: it holds for its claim alone, and not for later parts
_SUPPOSES = re.compile(rf"(?i){words('condition', 'supposes', languages=SCHOOL)}")
_CHAINED = (
    "(1)",
    "(Ⅰ)",
    "Question 1:",
)  # marks of sub-questions, of which each may use the last


def open_up(problem: Problem) -> Opened:
    """The open-ended form of a problem: itself, or one problem per part.

    >>> from benchwright.problem import Option, Source
    >>> p = Problem(id="a", origin="a", source=Source(name="a", raw_id="1"), answer="B",
    ...     question="Then the length of $CE$ is ( )",
    ...     options=[Option(label="A", text="3"), Option(label="B", text="$\\\\frac{20}{3}$")])
    >>> o = open_up(p).problems[0]
    >>> o.question, o.answer
    ('What is the length of $CE$?', '\\\\frac{20}{3}')
    """
    for style in _CHAINED:
        stem, parts = cut_at_marks(problem.question, style)
        if len(parts) > 1 and 1 in parts:
            return _chain(problem, stem, parts, style)
    if reason := _mixed(problem):
        return Opened(reason=reason)
    if not problem.options and _without_value(problem.answer):
        if _PROOF.search(problem.question):
            return Opened(reason="proof")
        if problem.answer:
            return Opened(reason="answer elsewhere")
    if problem.options:
        return _without_options(problem)
    if _NO_SINGLE_VALUE.search(problem.question):
        return Opened(reason="no single value")
    values = _values(problem)
    opened = _filled(problem.question, problem.language, values)
    if opened is None:
        return Opened(reason="blank")
    opened_up = msgspec.structs.replace(problem, question=opened)
    if len(re.findall(_BLANK, _blanks_in_prose(problem.question))) == len(values) > 1:
        in_blanks = [
            sub_answer(str(number), one) for number, one in enumerate(values, 1)
        ]
        opened_up = msgspec.structs.replace(opened_up, parts=in_blanks)
    return Opened([_in_parts(opened_up)])


_BETWEEN_VALUES = re.compile(r"\s*+[;；、，,]\s*+")


def _values(problem: Problem) -> list[str]:
    """What stands in the blanks of a question, one behind the other."""
    if problem.parts:
        return [one.answer for one in problem.parts]
    return [bare(one) for one in _BETWEEN_VALUES.split(problem.answer)]


def _mixed(problem: Problem) -> str:
    """Why the sub-answers ①... of a problem fit no sub-questions; nothing where they do."""
    answers = read_parts(problem.answer)
    if problem.options or len(answers) < 2:
        return ""
    if any(_without_value(part.answer) for part in answers):
        return "a sub-answer is a proof"
    asked = cut_at_marks(problem.question, "①")[1]
    if [str(number) for number in asked] != [part.label for part in answers]:
        return f"{len(answers)} sub-answers, {len(asked)} sub-questions"
    return ""


def _without_value(answer: str) -> bool:
    return not answer or points_elsewhere(answer) or _PROOF.search(answer) is not None


def _in_parts(problem: Problem) -> Problem:
    """With the sub-answers of `①30°②5` as parts, where the answer has several."""
    parts = problem.parts or read_parts(problem.answer)
    if not parts:
        return problem
    return msgspec.structs.replace(
        problem, parts=parts, answer_kind="parts", answer=parts_text(parts)
    )


def _without_options(problem: Problem) -> Opened:
    texts = {option.label: option.text for option in problem.options}
    value = texts.get(problem.answer)
    if value is None:
        return Opened(reason="answer is no option")
    if _NO_VALUE.search(value.strip()):
        return Opened(reason="answer is no value")
    if _COMPARES.search(problem.question):
        return Opened(reason="compares its options")
    if _NO_SINGLE_VALUE.search(problem.question):
        return Opened(reason="no single value")
    question = _filled(problem.question, problem.language, [bare(value)])
    if question is None:
        return Opened(reason="blank")
    if not _ASKS.search(question):
        return Opened(reason="no question")
    answer = value.strip()
    if re.fullmatch(r"\$[^$]+\$", answer):
        answer = answer[1:-1].strip()
    notes = [
        *problem.notes,
        f"open-ended: was multiple choice, answer {problem.answer}",
    ]
    solution = (
        _letterless(problem.solution, problem.answer) if problem.solution else None
    )
    if solution and (named := _OPTION_NAMED.search(solution)):
        notes.append(f"open-ended: the solution may name an option: {named[0].strip()}")
    opened = msgspec.structs.replace(
        problem,
        question=question,
        options=[],
        answer=answer,
        answer_kind=guess_kind(answer, []),
        solution=solution,
        notes=notes,
    )
    return Opened([opened])


_NOUNS = words("option", languages=SCHOOL)
# an option by its letter: "option B", "选项B", "(B)", "B选项", "B is correct"
_OPTION_NAMED = re.compile(
    rf"(?i:{_NOUNS})s?\s*[(（]?[{OPTION}](?![A-Za-z])|[(（][{OPTION}][)）]"
    rf"|(?<![A-Za-z])[{OPTION}]\s*(?i:{_NOUNS}|(?:is )?{words('correct', languages=SCHOOL)})"
)


def _letterless(solution: str, label: str) -> str:
    """A solution without the clause that closes it by naming the option (MM-MATH, figure 7).

    >>> _letterless(r"So AB = 2. Hence the answer is B or $2$.", "B")
    'So AB = 2.'
    """
    blind = solution
    for span in maths_spans(solution):  # formulas hold no words
        if not re.fullmatch(
            rf"\\\w+\{{\(?{label}\)?\}}|\(?{label}\)?", span.tex.strip()
        ):
            blind = (
                blind[: span.start] + "·" * (span.end - span.start) + blind[span.end :]
            )
    noun = words("answer", "choose", "option", languages=SCHOOL)
    letter = rf"(?<![A-Za-z]){label}(?![A-Za-z0-9'])"
    for clause in reversed(
        list(re.finditer(r"(?:[^.,;。．，；\n]|\.(?=\d))+[.;。．；\n]*", blind))
    ):
        if re.search(rf"(?i){noun}(?-i:.*{letter})|(?-i:{letter}).*{noun}", clause[0]):
            box = re.search(r"\$?\\boxed.*", solution[clause.start() : clause.end()])
            before = solution[: clause.start()].rstrip(" ,，;；")
            return f"{before} {box[0] if box else ''}{solution[clause.end() :]}".strip()
    return solution


_UNIT_AT_END = re.compile(rf"(?:{_UNIT_MARK})\s*[.。]?$")


def _blanks_in_prose(question: str) -> str:
    r"""Blanks at the ends of formulas as blanks behind them; no dollar is lost.

    >>> _blanks_in_prose(r"so $a=(\quad)$ or $b=(\quad$ ）"), _blanks_in_prose("$f(x)$")
    ('so $a=$ ( ) or $b=$ ( )', '$f(x)$')
    """
    out: list[str] = []
    position = 0
    for span in maths_spans(question):
        unit = _UNIT_AT_END.search(span.tex)
        tex = span.tex[: unit.start()] if unit else span.tex
        blank = _IN_FORMULA.search(tex)
        if blank is None or span.opener not in ("$", "$$"):
            continue
        end = span.end
        opened = blank[0][:1] in "(（\\" and "(" in blank[0].replace("（", "(")
        if opened and not re.search("[)）]", blank[0]):
            closing = _CLOSES.match(question, end)
            if closing is None:
                continue
            end = closing.end()
        rest = span.tex[: blank.start()].strip()
        out += [
            question[position : span.start],
            f"{span.opener}{rest}{span.opener} " if rest else "",
        ]
        out.append("( )" + (_plain_unit(unit[0]) if unit else ""))
        position = end
    return "".join([*out, question[position:]])


def _plain_unit(mark: str) -> str:
    r"""`^{\circ}` as °, `\mathrm{~cm}` as cm."""
    mark = mark.strip().rstrip(".。").strip()
    if "circ" in mark:
        return "°"
    return re.sub(r"^\\(?:text|mathrm)\{\s*~?|\}$", "", mark)


MOST_BLANKS = 6  # of a question that are asked for
NEAR = 20  # characters of what stands beside a blank, or at the end
_PICTURE = re.compile(r"<image\d+>\Z")
# What stands in front of a number in Chinese.
_COUNTS = re.compile(r"(?:[是为有共长高约用需要得第到了剩]|等于|[＝=]\s*\$?)$")
# A value without a letter or a word of its own: 12, -0.5, \frac{1}{2}, 2\sqrt{3}, 30^{\circ}.
_NUMERIC = re.compile(
    r"(?:\d|[-+.,°%/^(){}\s]|\\(?:[dt]?frac|sqrt|pi|circ|%)(?![A-Za-z]))++"
)


def _in_place(
    question: str, blanks: list[re.Match[str]], values: Sequence[str]
) -> str | None:
    """A Chinese question with 多少 in place of blanks that stand for numbers, wherever they are.

    >>> question = "图中共有____条线段，____个角"
    >>> _in_place(question, list(re.finditer(_BLANK, question)), ["6", "3"]) is None
    True
    >>> question = "图中共有____条线段，有____个角。"
    >>> _in_place(question, list(re.finditer(_BLANK, question)), ["6", "3"])
    '图中共有①多少条线段，有②多少个角？'
    """
    numeric = all(_NUMERIC.fullmatch(v) and re.search(r"\d", v) for v in values)
    if len(blanks) != len(values) or len(blanks) > MOST_BLANKS or not numeric:
        return None
    fronts = (
        question[max(0, blank.start() - NEAR) : blank.start()] for blank in blanks
    )
    if not is_chinese(question) or not all(_COUNTS.search(f.rstrip()) for f in fronts):
        return None
    signs = iter("①②③④⑤⑥" if len(blanks) > 1 else [""])  # by which replies name each
    text = re.sub(_BLANK, lambda _: f"{next(signs)}多少", question).rstrip()
    pictures = ""
    while picture := _PICTURE.search(text[-NEAR:]):
        text, pictures = text[: -len(picture[0])].rstrip(), f"{picture[0]}{pictures}"
    return text.rstrip(" .。．;；?？") + f"？{pictures}"


def _filled(question: str, language: str, values: Sequence[str] = ()) -> str | None:
    """The question without its blanks; None when one stands where no rule reaches.

    `values` are the answers, of which rules for numbers ask that they are some.
    """
    question = _blanks_in_prose(question)
    blanks = list(re.finditer(_BLANK, question))
    if not blanks:
        return question
    end = blanks[0].end()
    unit = ""
    if mark := _UNIT.match(question, end):
        unit = _plain_unit(mark[2])
        end = mark.end()
    if len(blanks) > 1 or not _BEHIND.fullmatch(question, end):
        return _in_place(question, blanks, values)
    before = question[: blanks[0].start()].rstrip()
    after = re.sub(r"^[\s.。．;；?？]+", "", question[end:])
    tail = f"\n{after}" if after else ""
    chinese = is_chinese(before) or (
        language == "zh" and not re.search(r"[A-Za-z]{2}", before)
    )
    if chinese and re.search(r"(?:[是为有共长高约用需要得]|等于|[＝=]\s*\$?)$", before):
        return f"{before}多少{unit}？{tail}"
    tail = (f" in {_SPELT.get(unit, unit)}" if unit else "") + f"?{tail}"
    if asked := re.search(
        r"(?i)(?:\b(?:then|so|hence|thus)\s+)?(?:\$([^$]+?)\s*=\s*\$|(∠?\w+)\s*=)$",
        before,
    ):
        start = before[: asked.start()]
        what = "what" if start.rstrip().endswith(",") else "What"
        return f"{start}{what} is {f'${asked[1]}$' if asked[1] else asked[2]}{tail}"
    if english := re.search(
        r"(?is)(?:^|(?<=[,.;:?!]\s))(?:then\s+|so\s+)?(the\s+[^.?!;]*?)\s+(is|are|equals?)(?:\s+equal\s+to)?$",
        before,
    ):
        verb = "are" if english[2].lower() == "are" else "is"
        start = before[: english.start()]
        what = "what" if start.rstrip().endswith(",") else "What"
        return f"{start}{what} {verb} {english[1][0].lower()}{english[1][1:]}{tail}"
    if before.endswith(("?", "？")) and not unit:
        return before + tail[1:]
    return None


def _chain(problem: Problem, stem: str, parts: dict[int, str], style: str) -> Opened:
    """One problem per part that asks for something; earlier conclusions become premises."""
    answers = {
        int(part.label): part.answer for part in problem.parts if part.label.isdecimal()
    }
    answers = answers or _marked(problem.answer, style)
    solutions = _marked(problem.solution or "", style)
    premises: list[str] = []
    made: list[Problem] = []
    for number, part in parts.items():
        if proof := _PROOF.search(part):
            given = part[: proof.start()]
            if _SUPPOSES.search(given) or _ASKS.search(part):
                return Opened(
                    reason=f"part {number}: a proof with a condition or question of its own"
                )
            said = [given.strip(" ,.，。"), part[proof.end() :].strip()]
            premises.append(
                ("，" if is_chinese(part) else ", ").join(filter(None, said))
            )
            continue
        answer = answers.get(number, "")
        question = _filled(part, problem.language, [bare(answer)])
        if question is None or not answer:
            return Opened(reason="blank" if answer else "parts without answers")
        solution = solutions.get(number, problem.solution)
        one = _part(problem, number, stem, premises, question, answer, solution)
        if reason := _mixed(one):
            return Opened(reason=f"part {number}: {reason}")
        made.append(_in_parts(one))
        premises.append(_conclusion(part, answer, is_chinese(problem.question)))
    if any(_PROOF.search(one.question) for one in made):
        return Opened(reason="a proof within the text")
    return Opened(made) if made else Opened(reason="proof")


def _marked(text: str, style: str) -> dict[int, str]:
    """What stands behind the marks of a question, which answers may write in another style."""
    cuts = (cut_at_marks(text, s)[1] for s in (style, *_CHAINED, "①"))
    return next((cut for cut in cuts if cut), {})


def _part(
    problem: Problem,
    number: int,
    stem: str,
    premises: list[str],
    question: str,
    answer: str,
    solution: str | None,
) -> Problem:
    answer = _without_reason(answer.strip().rstrip(";；,，.。").strip())
    bare = answer[1:-1].strip() if re.fullmatch(r"\$[^$]+\$", answer) else answer
    return msgspec.structs.replace(
        problem,
        id=f"{problem.id}-{number}",
        question="\n".join(filter(None, [stem, *premises, question])),
        answer=bare,
        answer_kind=guess_kind(bare, []),
        parts=[],
        solution=solution,
        spans=[],
        steps=[],
        notes=[*problem.notes, f"open-ended: part {number} of {problem.id}"],
    )


# what is asked for stands behind the verb, or in front of "how much"; no second clause, no list
_SOUGHT = re.compile(
    r"(?is)^(?P<given>(?:.*[,.;:]\s*)?)(?:(?:please|then)\s+)?"
    r"(?:find|calculate|determine|compute|what\s+(?:is|are))\s+(?P<what>[^,;.?]+)$"
)
_SOUGHT_WIDE = re.compile(
    r"^(?P<given>(?:.*[，,。；;：:])?)(?:试|请|则)*(?:求出?|计算|判断)(?P<what>[^，,。；;、和]+)$"
    r"|^(?P<given2>(?:.*[，,。；;：:])?)则?(?P<what2>[^，,。；;、和]+?)(?:是|为|等于)多少$"
)


# What asks for the reason of a judgement, behind it: "，并说明理由", ", and explain why".
_WITH_REASON = re.compile(
    r"[，,；;]?\s*并?(?:说明|写出|简述)(?:你的|其)?理由$"
    r"|,?\s*and (?:explain|justify|give)\b[^,.;]*$"
)
# What a gold says behind its value: "理由见解析", "see the solution".
_TAIL = re.compile(r"[，,；;。]\s*")


def _without_reason(answer: str) -> str:
    """A gold without the tail that says where its reason is to be looked for.

    >>> _without_reason("直角三角形，理由见解析"), _without_reason("3，5")
    ('直角三角形', '3，5')
    """
    *_, last = ["", *_TAIL.finditer(answer)]
    if isinstance(last, str):
        return answer
    tail = re.sub(r"^(?:其|证明|理由)", "", answer[last.end() :])
    return answer[: last.start()] if points_elsewhere(tail) else answer


def _conclusion(part: str, answer: str, wide: bool) -> str:
    """What a part has found, as a statement (MM-MATH, 2.2); where its question is no plain one,
    the question and its result.

    >>> _conclusion("If $AC=3$, find the length of $AD$.", "$2$", False)
    'If $AC=3$, the length of $AD$ is $2$.'
    >>> _conclusion("求AD的长", "3", True)
    'AD的长为3。'
    >>> _conclusion("试判断△ABC的形状，并说明理由", "直角三角形，理由见解析", True)
    '△ABC的形状为直角三角形。'
    """
    answer = _without_reason(answer.strip().rstrip(";；,，.。"))
    question = _WITH_REASON.sub("", part.rstrip(" .。;；?？"))
    if sought := (_SOUGHT_WIDE if wide else _SOUGHT).match(question):
        found = {
            name.rstrip("2"): text for name, text in sought.groupdict().items() if text
        }
        given = found.get("given", "")
        what = found["what"]
        if not re.search(r"\band\b", what):
            said = f"{what}为{answer}。" if wide else f"{what} is {answer}."
            return f"{given}{said}" if given else said[0].upper() + said[1:]
    return (
        f"已知：{question}，结果为{answer}。"
        if wide
        else f"Given: {question}; the result is {answer}."
    )
