"""Further styles: other numbers, other labels, tables, keys per section, page furniture."""

from __future__ import annotations

from collections.abc import Callable

from exam_styles import Problem

CIRCLED = "①②③④⑤⑥⑦⑧"


def _lettered(options: list[str], pattern: str, labels: str, glue: str) -> str:
    return glue.join(
        f"{pattern.format(c)} {o}" for c, o in zip(labels, options, strict=False)
    )


def _lower_bracket(problems: list[Problem]) -> str:
    """`7)` and `a)`, one option a line; the key is a list of its own lines."""
    parts = [
        f"{n}) {p['question']}\n{_lettered(p['options'], '{})', 'abcde', chr(10))}\n"
        for n, p in enumerate(problems, 1)
    ]
    key = "\n".join(f"{n}) {p['answer'].lower()}" for n, p in enumerate(problems, 1))
    return "\n".join([*parts, "**Answers**\n", key])


def _lower_inline(problems: list[Problem]) -> str:
    """`(7)` and `(a) .. (b) ..` on one line; the key stands on the line of its heading."""
    parts = [
        f"({n}) {p['question']}\n\n{_lettered(p['options'], '({})', 'abcde', ' ')}\n"
        for n, p in enumerate(problems, 1)
    ]
    key = "; ".join(
        f"{n} ({p['answer'].lower()})" if p["options"] else f"{n} {p['answer']}"
        for n, p in enumerate(problems, 1)
    )
    return "\n".join([*parts, f"Answer key: {key}"])


def _circled(problems: list[Problem]) -> str:
    """`第7题` and `① ② ③`, as East Asian papers print them."""
    parts = [
        f"第{n}题 {p['question']}\n{_lettered(p['options'], '{}', CIRCLED, '　')}\n"
        for n, p in enumerate(problems, 1)
    ]
    key = "　".join(
        f"{n}．{CIRCLED['ABCDE'.index(p['answer'])] if p['options'] else p['answer']}"
        for n, p in enumerate(problems, 1)
    )
    return "\n".join([*parts, "参考答案\n", key])


def _one_tabular(problems: list[Problem]) -> str:
    """`Problem 7.` and all options in one tabular of two columns; the key is a tabular."""
    parts = []
    for n, p in enumerate(problems, 1):
        parts.append(f"Problem {n}. {p['question']}\n")
        cells = [f"{c}. {o}" for c, o in zip("ABCDE", p["options"], strict=False)]
        rows = " \\\\\n".join(
            " & ".join(cells[k : k + 2]) for k in range(0, len(cells), 2)
        )
        if rows:
            parts.append(f"\\begin{{tabular}}{{ll}}\n{rows}\n\\end{{tabular}}\n")
    answers = [p["answer"] for p in problems]
    rows = []
    for k in range(0, len(answers), 10):
        rows.append(
            " & ".join(str(n) for n in range(k + 1, min(k + 10, len(answers)) + 1))
        )
        rows.append(" & ".join(answers[k : k + 10]))
    columns = "|c" * min(10, len(answers)) + "|"
    body = " \\\\\n\\hline ".join(rows)
    table = f"\\begin{{tabular}}{{{columns}}}\n\\hline {body} \\\\\n\\hline\n\\end{{tabular}}"
    return "\n".join([*parts, "\\section*{Answer Key}\n", table])


def _figures_after(problems: list[Problem]) -> str:
    """Figures behind the options; sections restart the numbers, and so does their key."""
    parts, key = [], []
    half = -(-len(problems) // 2)
    for k, p in enumerate(problems):
        if k % half == 0:
            title = f"Part {'AB'[k // half]}"
            parts.append(f"## {title}\n")
            key.append(f"{title}\n")
        parts.append(f"{k % half + 1}. {p['question']}")
        parts.append(_lettered(p["options"], "({})", "ABCDE", "\n") + "\n")
        parts.append(f"{p['below']}\n")
        key.append(f"{k % half + 1}. {p['answer']}\n")
    return "\n".join([*parts, "# Answers\n", *key])


def _furniture(problems: list[Problem]) -> str:
    """A front page with numbered instructions; a running head and a foot on every page."""
    parts = [
        "# Mathematics Contest\n\n1. Do not open this booklet until told to.\n"
        "2. No calculators are allowed.\n3. Figures are not drawn to scale.\n"
    ]
    for n, p in enumerate(problems, 1):
        parts.append(f"{n}. {p['question']}\n")
        if p["options"]:
            parts.append(_lettered(p["options"], "({})", "ABCDE", r" \quad ") + "\n")
        if n % 5 == 0 and n < len(problems):
            parts.append(
                f"GO ON TO THE NEXT PAGE\n\nMathematics Contest 2021, page {n // 5}\n"
            )
    key = "\n".join(f"- {n}. {p['answer']}" for n, p in enumerate(problems, 1))
    return "\n".join([*parts, "\\section*{Answers}\n", key])


def _recogniser(problems: list[Problem]) -> str:
    """As local recognisers write: `### 7.`, `- A. ..`, an HTML table as key."""
    parts = []
    for n, p in enumerate(problems, 1):
        parts.append(f"### {n}.\n\n{p['question']}\n")
        parts += [f"- {c}. {o}" for c, o in zip("ABCDE", p["options"], strict=False)]
        parts.append("")
    rows = "".join(
        f"<tr><td>{n}</td><td>{p['answer']}</td></tr>"
        for n, p in enumerate(problems, 1)
    )
    head = "<tr><th>Question</th><th>Answer</th></tr>"
    return "\n".join([*parts, "## Answer Key\n", f"<table>{head}{rows}</table>"])


def _marks(problems: list[Problem]) -> str:
    """`Q7.` and `[A] .. [B] ..`; the answer stands below each problem."""
    parts = []
    for n, p in enumerate(problems, 1):
        options = _lettered(p["options"], "[{}]", "ABCDE", "    ")
        parts.append(f"Q{n}. {p['question']}\n\n{options}\n\nAnswer: {p['answer']}\n")
    return "\n".join(parts)


def _pipes(problems: list[Problem]) -> str:
    """`**Problem 7**` and options in a table of pipes, letters above; a key in one line."""
    parts = []
    for n, p in enumerate(problems, 1):
        parts.append(f"**Problem {n}**\n\n{p['question']}\n")
        if count := len(p["options"]):
            rows = ["ABCDE"[:count], p["options"]]
            head, cells = (f"| {' | '.join(row)} |" for row in rows)
            parts.append(f"{head}\n|{'---|' * count}\n{cells}\n")
    key = ", ".join(f"{n}: {p['answer']}" for n, p in enumerate(problems, 1))
    return "\n".join([*parts, "**Answer Key**\n", key])


def _chinese_sections(problems: list[Problem]) -> str:
    """Choices first, options parted by `；`; a key by section: `1-5 CABDE`, then a list."""
    choices = [p for p in problems if p["options"]]
    parts = ["一、选择题\n"]
    for n, p in enumerate(problems, 1):
        if n == len(choices) + 1:
            parts.append("二、填空题\n")
        parts.append(
            f"{n}、{p['question']}\n{_lettered(p['options'], '{}、', 'ABCDE', '；')}\n"
        )
    letters = [p["answer"] for p in choices]
    key = [_five(k, letters[k : k + 5]) for k in range(0, len(letters), 5)]
    rest = [
        f"{n}、{p['answer']}" for n, p in enumerate(problems, 1) if not p["options"]
    ]
    return "\n".join(
        [*parts, "参考答案\n\n一、选择题", "  ".join(key), "\n二、填空题", *rest]
    )


def _five(k: int, group: list[str]) -> str:
    return (
        f"{k + 1}-{k + len(group)} {''.join(group)}"
        if group[1:]
        else f"{k + 1}．{group[0]}"
    )


def _spaced(problems: list[Problem]) -> str:
    """`7 .` and `A .`, every option a paragraph; `ANSWERS:` in capitals."""
    parts = ["Name: ________   Date: ________\n"]
    for n, p in enumerate(problems, 1):
        parts.append(f"{n} . {p['question']}\n")
        parts += [f"{c} . {o}\n" for c, o in zip("ABCDE", p["options"], strict=False)]
    key = [f"{n} . {p['answer']}" for n, p in enumerate(problems, 1)]
    return "\n".join([*parts, "ANSWERS:\n", *key])


def _formula_labels(problems: list[Problem]) -> str:
    """`Exercise 7:` and `$\\mathrm{A}$.`, as recognisers read letters in maths fonts."""
    parts = []
    for n, p in enumerate(problems, 1):
        options = _lettered(p["options"], "$\\mathrm{{{}}}$.", "ABCDE", "\n")
        parts.append(f"Exercise {n}: {p['question']}\n\n{options}\n")
    return "\n".join(parts)


MORE: dict[str, Callable[[list[Problem]], str]] = {
    "lower-bracket": _lower_bracket,
    "lower-inline": _lower_inline,
    "circled": _circled,
    "one-tabular": _one_tabular,
    "figures-after": _figures_after,
    "furniture": _furniture,
    "recogniser": _recogniser,
    "marks": _marks,
    "pipes": _pipes,
    "chinese-sections": _chinese_sections,
    "spaced": _spaced,
    "formula-labels": _formula_labels,
}
