"""Eight ways to print an exam: numbers, options, key."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Problem = dict[str, Any]  # question, options, answer; pictures as <imageN>


def _amc(problems: list[Problem]) -> str:
    parts = ["# AMC 8 Problems\n"]
    for n, p in enumerate(problems, 1):
        parts.append(f"{n}. {p['question']}\n")
        if p["options"]:
            shown = " \\qquad ".join(
                f"\\textbf{{({c})}} {o}"
                for c, o in zip("ABCDE", p["options"], strict=False)
            )
            parts.append(f"{shown}\n")
    key = "  ".join(f"{n}. {_bracketed(p)}" for n, p in enumerate(problems, 1))
    return "\n".join([*parts, "Answer Key\n", key])


def _aops(problems: list[Problem]) -> str:
    parts = []
    for n, p in enumerate(problems, 1):
        parts.append(f"## Problem {n}\n\n{p['question']}\n")
        options = p["options"]
        if options and all(re.fullmatch(r"\$[^$]*[^$\\,\s]\$", o) for o in options):
            inner = r" \qquad ".join(
                rf"\textbf{{({c})}}\ {o.strip('$').strip()}"
                for c, o in zip("ABCDE", options, strict=False)
            )
            parts.append(f"${inner}$\n")
        elif options:
            parts.append(
                r" $\qquad$ ".join(
                    rf"$\textbf{{({c})}}$ {o}"
                    for c, o in zip("ABCDE", options, strict=False)
                )
            )
        parts.append("")
    key = "\n".join(f"{n}. {p['answer']}" for n, p in enumerate(problems, 1))
    return "\n".join([*parts, "## Answers\n", key])


def _ukmt(problems: list[Problem]) -> str:
    parts = []
    for n, p in enumerate(problems, 1):
        parts.append(f"{n}. {p['question']}")
        if p["options"]:
            parts.append(
                "  ".join(
                    f"{c} {o}" for c, o in zip("ABCDE", p["options"], strict=False)
                )
            )
        parts.append("")
    return "\n".join(parts)


def _kangaroo(problems: list[Problem]) -> str:
    parts = []
    third = -(-len(problems) // 3)
    for k, p in enumerate(problems):
        if k % third == 0:
            parts.append(f"\\section*{{{3 + k // third} point problems}}\n")
        parts.append(f"\\# {p['question']}".replace("\\#", f"{k % third + 1}."))
        parts += [f"({c}) {o}" for c, o in zip("ABCDE", p["options"], strict=False)]
        parts.append("")
    return "\n".join(parts)


def _chinese(problems: list[Problem]) -> str:
    parts = ["一、选择题（每小题3分）\n"]
    for n, p in enumerate(problems, 1):
        parts.append(f"{n}．{p['question']}")
        if p["options"]:
            parts.append(
                "　　".join(
                    f"{c}．{o}" for c, o in zip("ABCDE", p["options"], strict=False)
                )
            )
        parts.append(f"【答案】{p['answer']}\n【解析】略解。\n")
    return "\n".join(parts)


def _tabular(problems: list[Problem]) -> str:
    parts = []
    for n, p in enumerate(problems, 1):
        parts.append(f"\\section*{{Question {n}}}\n{p['question']}\n")
        if p["options"]:
            rows = " \\\\\n".join(
                f"({c}) & {_cell(o)}"
                for c, o in zip("ABCDE", p["options"], strict=False)
            )
            parts.append(
                f"\\begin{{tabular}}{{ll}}\n\\hline {rows} \\\\\n\\hline\n\\end{{tabular}}\n"
            )
    head = "| No. | Answer |\n|---|---|\n"
    key = "\n".join(
        f"| {n} | {_cell(p['answer'])} |" for n, p in enumerate(problems, 1)
    )
    return "\n".join([*parts, "\\section*{Answers}\n", head + key])


def _enumerate(problems: list[Problem]) -> str:
    parts = ["\\begin{enumerate}"]
    for p in problems:
        parts.append(f"\\item {p['question']}")
        if p["options"]:
            items = "\n".join(f"\\item {o}" for o in p["options"])
            parts.append(
                f"\\begin{{enumerate}}[label=(\\Alph*)]\n{items}\n\\end{{enumerate}}"
            )
    return "\n".join([*parts, "\\end{enumerate}"])


def _markdown(problems: list[Problem]) -> str:
    parts = []
    for n, p in enumerate(problems, 1):
        parts.append(f"**{n}.** {p['question']}\n")
        parts += [
            f"- **{c})** {o}" for c, o in zip("ABCDE", p["options"], strict=False)
        ]
        parts.append("")
    letters = [p["answer"] for p in problems]
    if all(re.fullmatch("[A-E]", x) for x in letters):
        parts.append(f"### Answers\n\n1-{len(letters)} {''.join(letters)}")
    return "\n".join(parts)


def _bracketed(problem: Problem) -> str:
    return f"({problem['answer']})" if problem["options"] else problem["answer"]


def _cell(text: str) -> str:
    return text.replace("|", "\\|") if "$" not in text else text


FIRST: dict[str, Callable[[list[Problem]], str]] = {
    "amc": _amc,
    "aops": _aops,
    "ukmt": _ukmt,
    "kangaroo": _kangaroo,
    "chinese": _chinese,
    "tabular": _tabular,
    "enumerate": _enumerate,
    "markdown": _markdown,
}
