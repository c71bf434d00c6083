"""The front door: what `from benchwright import ...` offers, and where it lives.

Every command has one Python twin, a function that does its whole work and prints nothing that is
a result; the command parses, calls it and prints. A test holds this table to the commands.
"""

from __future__ import annotations

# command -> its twin, "module:function" below this package
TWINS = {
    "build-release": "building.build:build_release",
    "init": "building.start:init",
    "verify": "exports.verify:verify",
    "diff": "exports.diff:diff",
    "show": "exports.show:show",
    "statistics": "exports.paper_tables:paper_tables",
    "export": "exports.formats:export",
    "stages": "building.catalogue:stages",
    "convert mathml": "convert.mathml.converter:mathml_to_latex",
    "convert docx": "convert.documents.docx:docx_to_text",
    "convert mmd": "convert.documents.markdown:read_mmd",
    "convert ocr": "convert.documents.recognised:read_recognised",
    "convert text": "convert.normalise.normalise:normalise",
    "convert exam": "convert.readers.exam:split_exam",
    "convert pdf": "convert.documents.mathpix_api:send_to_mathpix",
    "convert assist ask": "convert.suggestions.ask:suggest",
    "convert assist compare": "convert.suggestions.compare:compare_suggestions",
    "convert assist queue": "convert.suggestions.review:review_queue",
    "convert assist decide": "convert.suggestions.review:decide_suggestion",
    "dedup pairs": "dedup.pairs:find_pairs",
    "dedup review": "dedup.review:review_pairs",
    "dedup evidence": "dedup.evidence:write_evidence",
    "dedup against": "dedup.against:find_contamination",
    "taxonomy show": "taxonomy.outline:show_tree",
    "taxonomy check": "taxonomy.coverage:check_labels",
    "annotate serve": "annotate.server.serve:serve",
    "annotate push": "annotate.projects.push:push",
    "annotate pull": "annotate.projects.pull:pull",
    "annotate status": "annotate.projects.status:status",
    "annotate advise": "annotate.advisers.advise:advise",
    "annotate vote": "annotate.votes.vote:vote",
    "annotate agreement": "annotate.votes.agreement:agreement",
    "annotate adjudicate": "annotate.votes.adjudication:adjudicate",
    "render diagram": "render.diagram.draw_file:draw_file",
    "render page": "render.versions.pages:page",
    "render versions": "render.versions.make_versions:versions",
    "render contact": "render.versions.contact_sheet:write_contact",
    "render legibility": "render.legibility.pages:check_legibility",
    "predict": "evaluate.inference.ask_model:predict",
    "score": "evaluate.scoring.score:score",
    "compare": "evaluate.runs.compare:compare",
    "view": "serving.server:view",
    "grade": "evaluate.grading.grade:grade",
    "extract": "evaluate.extraction.extract:extract",
    "evaluate leaderboard": "evaluate.runs.leaderboard:leaderboard",
    "evaluate errors": "evaluate.runs.errors:rank_errors",
    "evaluate booklets": "evaluate.people.booklets:booklets",
    "evaluate humans": "evaluate.people.human_baseline:humans",
    "evaluate agreement": "evaluate.judges.human_agreement:judge_agreement",
}

# what the twins take and give, and what else a notebook asks for
OTHERS = (
    "problem:Drop", "problem:Image", "problem:Option", "problem:Part", "problem:Problem",
    "problem:Sample", "problem:Source", "problem:Span", "problem:Step", "problem:Vote",
    "problem:asked", "problem:samples_of",
    "errors:UserError",
    "release:read_manifest", "release:read_problems", "release:read_samples",
    "release:split_names",
    "pipeline:Engine", "pipeline:read_recipe", "building.check:check_recipe",
    "pipeline.stage:stage", "convert.readers:reader", "exports:exporter",
    "evaluate.official:profile",
    "annotate.kinds:Material", "annotate.kinds:Task", "annotate.kinds:TaskAnswer",
    "annotate.kinds:choices", "annotate.kinds:header", "annotate.kinds:kind",
    "annotate.kinds:problem_task", "annotate.kinds:text_area", "annotate.kinds:tree_picker",
    "annotate.kinds:when", "annotate.votes:Outcome", "annotate.votes:policy",
    "base.answer_kinds:answer_kind", "check.rules:validator",
    "convert.readers:Raw", "convert.readers:guess_kind", "convert.readers:json_array_rows",
    "convert.readers:json_lines_rows", "convert.readers:lettered", "convert.readers:table_rows",
    "llm:Model", "evaluate.judges:Judge", "evaluate.judges:Panel",
    "convert.mathml.html:html_to_text",
    "evaluate.grading.grade:grade_response", "evaluate.grading:Verdict",
    "render.diagram.draw:draw",
    "taxonomy.coverage:check_tree", "taxonomy:load_tree",
)  # fmt: skip

# name -> "module:attribute"
PLACES = {place.split(":")[1]: place for place in (*TWINS.values(), *OTHERS)}
