"""The command group `benchwright convert`: each command lives in a module of its own."""

from __future__ import annotations

import click

from ..base.command_group import LazyGroup

# name -> (module:command, one line of help)
COMMANDS = {
    "mathml": ("convert.mathml.command:mathml", "MathML formulas and HTML pages to LaTeX."),
    "docx": ("convert.documents.docx_command:docx", "Text and equations of Word documents."),
    "mmd": (
        "convert.documents.markdown_command:mmd",
        "Mathpix Markdown to text and $...$.",
    ),
    "ocr": (
        "convert.documents.recognised_command:ocr",
        "Outputs of MinerU, Marker, Mistral and others to Markdown.",
    ),
    "text": ("convert.normalise.command:text", "Normalise LaTeX and punctuation."),
    "exam": ("convert.readers.exam_command:exam", "Split exams in Mathpix Markdown into problems."),
    "pdf": ("convert.documents.pdf_command:pdf", "Send PDFs and scans to Mathpix; keep its files."),
    "assist": ("convert.suggestions.command:assist", "Ask a model for suggestions; review them."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def convert() -> None:
    """Convert MathML, Word, Mathpix Markdown and exams to clean LaTeX.

    \b
    Example:
      benchwright convert mathml < formulas.jsonl > latex.jsonl
    """
