"""The front door: every command with its Python twin, and every public name, in one table.

A command is a function in the `commands.py` beside its twin, called as its last word; the twin does
the whole work and prints nothing that is a result. From this table come the command line, what
`from benchwright import ...` offers, and `__init__.pyi` for type checkers (`make __init__.pyi`).
"""

from __future__ import annotations

from keyword import iskeyword

# command -> (its twin, "module:function" below this package; one line of help)
COMMANDS = {
    "build-release": ("building.build:build_release", "Build a release from a recipe."),
    "look": (
        "building.first_look:look", "Say what files are, and write a recipe for them.",
    ),
    "init": ("building.start:init", "Start a benchmark from the example of a paper."),
    "forget": ("building.forget:forget", "Empty what builds keep to be quick."),
    "verify": ("building.verify:verify", "Prove that a release is complete and undamaged."),
    "sign": ("exports.anchor:sign", "Sign a release or a folder of scores."),
    "diff": ("exports.diff:diff", "What changed between two releases, by id."),
    "publish": ("hub.publish:publish", "Publish a release on the hub."),
    "site": ("hub.site:site", "Write browse page and leaderboard for a web host."),
    "show": ("exports.show:show", "Follow one problem through a release."),
    "statistics": (
        "exports.paper_tables:paper_tables", "Count a release as the papers' tables do.",
    ),
    "export": ("exports.formats:export", "Write a release in another tool's format."),
    "stages": ("building.catalogue:stages", "List stages, readers, exporters and profiles."),
    "convert mathml": (
        "convert.html.records:mathml_to_latex", "MathML formulas and HTML pages to LaTeX.",
    ),
    "convert docx": (
        "convert.documents.docx:docx_to_text", "Text and equations of Word documents.",
    ),
    "convert mmd": (
        "convert.documents.markdown:read_mmd", "Mathpix Markdown to text and $...$.",
    ),
    "convert ocr": (
        "convert.documents.recognised:read_recognised",
        "Outputs of MinerU, Marker, Mistral and others to Markdown.",
    ),
    "convert text": ("convert.normalise.normalise:normalise", "Normalise LaTeX and punctuation."),
    "convert exam": (
        "convert.readers.exam:split_exam", "Split exams in Mathpix Markdown into problems.",
    ),
    "convert pdf": (
        "convert.documents.mathpix_api:send_to_mathpix",
        "Send PDFs and scans to Mathpix; keep its files.",
    ),
    "convert assist ask": (
        "convert.suggestions.ask:suggest", "Ask a model about every problem.",
    ),
    "convert assist compare": (
        "convert.suggestions.compare:compare_suggestions",
        "Let another model compare originals and suggestions.",
    ),
    "convert assist queue": (
        "convert.suggestions.review:review_queue", "Show what waits for a person.",
    ),
    "convert assist decide": (
        "convert.suggestions.review:decide_suggestion", "Accept or reject one suggestion.",
    ),
    "dedup pairs": ("dedup.pairs:find_pairs", "Write all pairs that may be duplicates."),
    "dedup evidence": ("dedup.evidence:write_evidence", "Write a page about pairs."),
    "dedup against": (
        "dedup.against:find_contamination", "Report questions that occur in another set.",
    ),
    "taxonomy show": ("taxonomy.outline:show_tree", "Print a tree with its definitions."),
    "taxonomy check": (
        "taxonomy.coverage:check_labels", "Check a tree, or the labels of problems against it.",
    ),
    "annotate serve": ("annotate.server.serve:serve", "Start Label Studio here; create accounts."),
    "annotate push": ("annotate.projects.push:push", "Give problems to the annotators."),
    "annotate pull": ("annotate.projects.pull:pull", "Fetch their answers into votes.jsonl."),
    "annotate take": (
        "annotate.projects.hand_exports:take", "Votes from an export made by hand.",
    ),
    "annotate status": ("annotate.projects.status:status", "How far the annotators are."),
    "annotate advise": ("annotate.advisers.advise:advise", "Ask models for their votes."),
    "annotate vote": ("annotate.votes.vote:vote", "Turn votes into labels by a stated policy."),
    "annotate agreement": (
        "annotate.votes.agreement:agreement", "How far annotators agree, with intervals.",
    ),
    "annotate adjudicate": (
        "annotate.votes.adjudication:adjudicate", "Send open votes to a third person.",
    ),
    "render diagram": (
        "render.diagram.draw_file:draw_file", "Draw diagrams from YAML specs or logic forms.",
    ),
    "render import": (
        "render.geogebra.import_file:import_geogebra", "Read a GeoGebra file as a diagram spec.",
    ),
    "render page": (
        "render.versions.pages:page", "Put question, options and diagram into one picture.",
    ),
    "render versions": (
        "render.versions.make_versions:versions", "Make the six versions of every problem.",
    ),
    "render contact": (
        "render.versions.contact_sheet:write_contact", "Show all samples of a release on one page.",
    ),
    "render vary": ("living.preview:vary", "Show variants of a seed of a living problem."),
    "render legibility": (
        "render.legibility.pages:check_legibility", "Measure whether pictures can be read.",
    ),
    "predict": ("evaluate.inference.ask_model:predict", "Ask a model about every sample."),
    "score": ("evaluate.scoring.score:score", "Score predictions on a release."),
    "compare": ("evaluate.runs.compare:compare", "Compare two sets of predictions with intervals."),
    "explain": ("evaluate.runs.explain:explain", "Split a difference of figures over its causes."),
    "suspects": ("check.suspects:suspects", "Rank the golds that are likely wrong."),
    "grade": ("grading.verdicts.grade:grade", "Judge whether answers are equal (JSONL tool)."),
    "extract": (
        "grading.extraction.extract:extract", "Find option letters in replies (JSONL tool).",
    ),
    "view": ("serving.server:view", "Serve pages on this machine, live; save decisions."),
    "evaluate agreement": (
        "evaluate.judges.human_agreement:judge_agreement", "How far a judge agrees with people.",
    ),
    "evaluate verdicts": (
        "evaluate.runs.drawn_verdicts:drawn_verdicts", "Draw verdicts for people to check.",
    ),
    "evaluate leaderboard": ("evaluate.runs.leaderboard:leaderboard", "Rank scored runs."),
    "evaluate parts": (
        "evaluate.runs.parts:parts", "Show testmini beside the whole, label by label.",
    ),
    "evaluate errors": ("evaluate.runs.errors:rank_errors", "Rank the telling cases of runs."),
    "evaluate booklets": (
        "evaluate.people.booklets:booklets", "Deal a split out to booklets for people.",
    ),
    "evaluate humans": ("evaluate.people.human_baseline:humans", "Score what people answered."),
}  # fmt: skip

GROUPS = {
    "convert": """MathML, Mathpix Markdown and exams to clean LaTeX.

Example:
  benchwright convert mathml < formulas.jsonl > latex.jsonl""",
    "convert assist": """Ask a model for suggestions; review them.

A recipe uses the accepted ones.

Example:
  benchwright convert assist ask problems.jsonl --task rephrase --model M -o rephrase.jsonl
  benchwright convert assist compare rephrase.jsonl --model N -o compared.jsonl
  benchwright convert assist queue compared.jsonl
  benchwright convert assist decide compared.jsonl 1f2e accept --reviewer ada""",
    "dedup": "Find and classify duplicate problems.",
    "taxonomy": """Show and check subject and concept trees.

Built-in trees: math-v, mathverse, mm-math, we-math; a path reads a tree of your own.

Example:
  benchwright taxonomy show we-math --under "Solid Figures\"""",
    "annotate": """Label in Label Studio; count votes.

Example:
  benchwright annotate serve --annotator anna --annotator ben --annotator chris
  benchwright annotate push problems.jsonl -o labels/subject --kind subject --tree math-v
  benchwright annotate pull labels/subject""",
    "render": """Draw diagrams, pages and the six versions.

Example:
  benchwright render diagram triangle.yaml -o triangle.png""",
    "evaluate": "Leaderboards, people as a baseline, judges.",
}

# command -> old option -> new option; each works for one version more
RENAMED = {
    "build-release": {"--key": "--commitment-key"},
    "dedup pairs": {"--answers": "--cache"},
    "dedup against": {"--field": "--text-field"},
    "annotate serve": {"--env": "--environment", "--data": "--server", "--url": "--server"},
    "annotate push": {
        "--suggestions": "--material", "--responses": "--material", "--pairs": "--material",
        "--data": "--server", "--url": "--server",
    },
    "annotate advise": {
        "--suggestions": "--material", "--responses": "--material", "--pairs": "--material",
    },
    "annotate pull": {"--data": "--server", "--url": "--server"},
    "annotate status": {"--data": "--server", "--url": "--server"},
    "render diagram": {"--from": "--form"},
    "render page": {"--engine": "--typesetter"},
    "render versions": {"--engine": "--typesetter"},
    "predict": {
        "--prompt": "--style", "--batch-in": "--set=read-batch=",
        "--batch-out": "--set=write-batch=",
        "--in-words": "--pictures=captions", "--blind": "--pictures=none",
        "--allow-missing-pictures": "--pictures=held",
    },
    "score": {"--id-field": "--field=id=", "--response-field": "--field=response="},
    "compare": {"--id-field": "--field=id=", "--response-field": "--field=response="},
    "evaluate humans": {"--gold": "--answers"},
}  # fmt: skip

# The options that matter most, which help shows before all others.
FIRST = {
    "predict": "split out model style samples",
    "score": "split out judge profile verdicts",
    "build-release": "out check page until answers",
    "verify": "answers key quick from json",
    "export": "out answers",
    "compare": "split out release profile json",
    "dedup pairs": "threshold images pictures families",
    "dedup against": "out report clean threshold json",
    "annotate push": "out kind field people guidelines",
    "annotate advise": "votes kind tree model",
    "annotate vote": "field policy tree out problems",
    "convert exam": "out key images name license",
    "convert assist ask": "task out model reader",
    "convert assist compare": "out model",
    "evaluate booklets": "split out number people by",
}

# What Python and recipes take of a twin, and nobody types.
UNTYPED = {
    "convert pdf": "url patience interval",
    "convert exam": "base_url",
    "dedup pairs": "most wait",
    "dedup against": "most wait",
    "verify": "wait",
    "export": "engine scheduler scheduler_file wait ship",
    "annotate vote": "ties",
    "evaluate agreement": "seed",
    "evaluate booklets": "seed",
    "evaluate verdicts": "seed",
    "render page": "font",
}

# module -> what else it offers: records, and what a notebook asks for
OTHERS = {
    "problem": "Drop Image Option Part Problem Sample Source Span Step Vote asked samples_of",
    "errors": "BenchwrightError MachineError UserError",
    "release": "read_manifest read_problems read_samples split_names",
    "pipeline": "Engine Lines Recipe SourceSpec read_recipe",
    "pipeline.stage": "stage",
    "building.build": "Built",
    "building.catalogue": "Listed",
    "building.check": "Checked check_recipe",
    "building.first_look": "Looked",
    "base.answer_kinds": "answer_kind",
    "check.rules": "validator",
    "check.suspects": "Suspects",
    "convert.conservation": "Holding",
    "convert.readers": (
        "Raw Unreadable guess_kind json_array_rows json_lines_rows lettered reader table_rows"
    ),
    "convert.readers.exam": "SplitExam",
    "convert.html.page": "html_to_text",
    "convert.documents.markdown": "Document",
    "convert.documents.mathpix_api": "Sent",
    "convert.documents.recognised": "Recognised",
    "convert.normalise": "TextChange",
    "convert.suggestions.ask": "Suggested",
    "convert.suggestions.review": "Queue Suggestion SuggestionDecision",
    "latex": "Delimiters",
    "taxonomy": "Tree load_tree",
    "taxonomy.coverage": "TreeCoverage check_tree",
    "taxonomy.outline": "Outline",
    "dedup.items": "Item",
    "dedup.classes": "Pair",
    "dedup.pairs": "Pairs",
    "dedup.against": "Contamination",
    "dedup.contamination": "Passage",
    "annotate.kinds": (
        "Material Task TaskAnswer choices header kind problem_task text_area tree_picker when"
    ),
    "annotate.projects.hand_exports": "HandExport",
    "annotate.projects.push": "Pushed",
    "annotate.projects.pull": "Pulled",
    "annotate.projects.progress": "Status",
    "annotate.advisers.advise": "Advice",
    "annotate.votes": "Outcome policy",
    "annotate.votes.vote": "Ledger",
    "annotate.votes.ledger": "LedgerEntry",
    "annotate.votes.remarks": "Remark",
    "pages.blocks": "ReportTable",
    "annotate.votes.agreement": "Agreement",
    "render.diagram.draw": "Drawing draw",
    "living.preview": "Varied",
    "render.diagram.measure": "measure",
    "render.geogebra.import_file": "Imported",
    "render.looks.look": "Look",
    "render.page": "Page",
    "render.versions.make_versions": "Versions",
    "render.legibility.check": "Legibility",
    "llm": "Model",
    "evaluate.inference.ask_model": "Predicted",
    "evaluate.inference.asking": "Asking",
    "grading.extraction": "Letter",
    "grading.verdicts": "Verdict",
    "grading.verdicts.grade": "grade_response",
    "grading.official": "profile",
    "evaluate.metrics": "Comparison Comparisons Explained Scores Weights",
    "evaluate.judges": "Judge Panel",
    "evaluate.runs.drawn_verdicts": "DrawnVerdicts",
    "evaluate.judges.human_agreement": "JudgeAgreement",
    "evaluate.scoring.score": "Scored",
    "evaluate.runs.errors": "TellingCases",
    "evaluate.runs.leaderboard": "Leaderboard",
    "evaluate.people.human_baseline": "Humans",
    "exports": "exporter",
    "exports.formats": "Export",
    "exports.compare": "Damages",
    "exports.diff": "Changes",
    "exports.show": "History",
    "exports.paper_tables": "PaperTables",
    "hub.publish": "Published",
    "hub.site": "Site",
}

# public name -> "module:name"
PLACES = {place.split(":")[1]: place for place, _ in COMMANDS.values()}
PLACES |= {
    name: f"{module}:{name}"
    for module, names in OTHERS.items()
    for name in names.split()
}


def function_of(command: str) -> str:
    """The place of a command's function.

    >>> function_of("dedup pairs"), function_of("score")
    ('dedup.commands:pairs', 'evaluate.scoring.commands:score')
    """
    room = COMMANDS[command][0].split(":")[0].rpartition(".")[0]
    name = command.split()[-1].replace("-", "_")
    return f"{room}.commands:{name}{'_' * iskeyword(name)}"


def stub() -> str:
    """The text of `__init__.pyi`: what type checkers see of the names that are imported late."""
    places = sorted(place.split(":") for place in PLACES.values())
    lines = [f"from .{module} import {name} as {name}" for module, name in places]
    return "\n".join(
        ["# made by `make __init__.pyi`", *lines, "", "__version__: str", ""]
    )
