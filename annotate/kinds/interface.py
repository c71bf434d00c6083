"""Building blocks of labelling interfaces: Label Studio's XML, made from data.

Every interface has the same page: an optional note on top (advice, other people's votes), the
problem on the left, the form on the right. Names of controls are names of results.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable

from ...taxonomy import SEPARATOR, Tree
from ..votes import PENDING

Element = ET.Element
UNSURE = (PENDING, "Unsure: leave it to the adjudicators.")
HOTKEYS = "1234567890qwertyuiopasdfghjklzxcvbnm"  # given in the order of the page
STYLE = """
.card {border:1px solid #d9d9d9; border-radius:6px; padding:12px; background:#fff; color:#111;
 overflow-wrap:anywhere}
.cols {display:grid; grid-template-columns:minmax(0,1fr) minmax(0,1fr); gap:14px}
.kept {position:sticky; top:0; align-self:start; max-height:92vh; overflow-y:auto}
.note {color:#555; font-size:13px}
.mmd {line-height:1.7; overflow-x:auto; padding:2px}
.mmd svg {display:inline}
.card .lsf-choices {display:grid; grid-template-columns:repeat(auto-fit,minmax(200px,1fr))}
.card .lsf-choices_layout_inline {grid-template-columns:repeat(auto-fit,minmax(80px,max-content))}
.card .lsf-choice, .card .lsf-choice__item {margin:0; padding:2px 0}
@media (max-width:700px) {.cols {grid-template-columns:minmax(0,1fr)} .kept {position:static}
 .lsf-label-view__lsf-container .lsf-editor {margin:0; width:100%}
 .lsf-bottombar, .lsf-bottombar__group, .lsf-bottombar__section {flex-wrap:wrap; height:auto}
 .lsf-controls {grid-auto-columns:minmax(0,1fr)}}
"""


def tag(name: str, /, *children: Element, **attributes: str) -> Element:
    """An element of Label Studio's XML."""
    element = Element(name, attributes)
    element.extend(children)
    return element


def page(left: list[Element], right: list[Element]) -> str:
    """The whole interface as XML: the left card stays in sight while the right one is filled in."""
    style = tag("Style")
    style.text = STYLE
    note = rendered_text("note", className="note")
    left_card = card(*left)
    left_card.set("className", "card kept")
    view = tag(
        "View", style, note, tag("View", left_card, card(*right), className="cols")
    )
    _give_hotkeys(view)
    ET.indent(view, " ")
    return ET.tostring(view, encoding="unicode")


def _give_hotkeys(view: Element) -> None:
    """A key of its own for every choice and label, group by group, as far as there are keys."""
    in_use = {element.get("hotkey") for element in view.iter()}
    free = [key for key in HOTKEYS if key not in in_use]
    choices_without = [
        choice
        for group in view.iter()
        if group.tag != "Taxonomy" and group.get("toName")
        for choice in group
        if choice.tag in ("Choice", "Label") and not choice.get("hotkey")
    ]
    for choice, key in zip(choices_without, free, strict=False):
        choice.set("hotkey", key)


def _flag(value: bool) -> str:
    return "true" if value else "false"


def card(*children: Element) -> Element:
    return tag("View", *children, className="card")


def header(text: str) -> Element:
    """A line of text above the fields that follow, such as a question to the annotator.

    Example: `header("Can this be solved without its picture?")`
    """
    return tag("Header", value=text, size="5")


def rendered_text(name: str = "question", text: str = "", **more: str) -> Element:
    """Rendered text; task data carry it as `<text>_html`, `text` being the name as a rule."""
    return tag(
        "HyperText",
        name=name,
        value=f"${text or name}_html",
        inline="true",
        selectionEnabled="false",
        **more,
    )


def markable_text(name: str, text: str, granularity: str) -> Element:
    """Plain text of the task data, in which regions can be marked."""
    return tag(
        "Text",
        name=name,
        value=f"${text}",
        granularity=granularity,
        saveTextResult="yes",
    )


def picture(name: str = "image", value: str = "", widest: str = "520px") -> Element:
    """A picture of the task's `value`, whole: in its own size, or that of a narrower column.

    By default the page widens a small picture to its column and cuts what stands over.
    """
    return tag(
        "Image",
        name=name,
        value=f"${value or name}",
        zoom="true",
        zoomControl="true",
        defaultZoom="original",
        maxWidth=widest,
    )


def problem_card() -> list[Element]:
    return [rendered_text(), picture()]


def choices(
    name: str,
    values: Iterable[str | tuple[str, str]],
    to: str = "question",
    multiple: bool = False,
    inline: bool = False,
    required: bool = True,
) -> Element:
    """Radio buttons or boxes; a value may come with its definition, shown on hover."""
    group = tag(
        "Choices",
        name=name,
        toName=to,
        choice="multiple" if multiple else "single",
        required=_flag(required),
        showInline=_flag(inline),
        requiredMessage=f"Answer: {name}",
    )
    for value in values:
        text, hint = value if isinstance(value, tuple) else (value, "")
        choice = tag("Choice", value=text)
        if hint:
            choice.set("hint", hint)
        group.append(choice)
    return group


def tree_picker(
    name: str,
    tree: Tree,
    single: bool = False,
    required: bool = True,
    to: str = "question",
) -> Element:
    """The leaves of a tree, each by its path, to be searched and picked; the answer is the path.

    The branches are no choices of their own: by keyboard, Label Studio takes those that it shows as
    disabled.
    """
    picker = tag(
        "Taxonomy",
        name=name,
        toName=to,
        leafsOnly="true",
        showFullPath="true",
        pathSeparator=SEPARATOR,
        minWidth="420px",
        maxWidth="560px",
        required=_flag(required),
        placeholder="pick a leaf of the tree",
    )
    if single:
        picker.set("maxUsages", "1")
    for leaf in tree.leaves:
        choice = tag("Choice", value=leaf.full_name)
        if leaf.definition:
            choice.set("hint", leaf.definition)
        picker.append(choice)
    return picker


def text_area(
    name: str,
    placeholder: str,
    to: str = "question",
    rows: int = 2,
    required: bool = False,
) -> Element:
    """A field for typed text of `rows` lines; its answer is `answer.text(name)`.

    Example: `text_area("what", "What does the picture tell?", required=True)`
    """
    return tag(
        "TextArea",
        name=name,
        toName=to,
        placeholder=placeholder,
        rows=str(rows),
        maxSubmissions="1",
        editable="true",
        required=_flag(required),
    )


def region_text(
    name: str, placeholder: str, to: str, required: bool = False
) -> Element:
    """A field for a text to each region that is marked in `to`."""
    area = text_area(name, placeholder, to, required=required)
    area.set("perRegion", "true")
    area.set("displayMode", "region-list")
    return area


def when(name: str, values: str, *children: Element) -> Element:
    """Shown when one of the comma-separated `values` of the choices `name` is picked."""
    return tag(
        "View",
        *children,
        visibleWhen="choice-selected",
        whenTagName=name,
        whenChoiceValue=values,
    )


def folded(title: str, *children: Element) -> Element:
    return tag("Collapse", tag("Panel", *children, value=title))


def comment() -> Element:
    return folded(
        "Comment (optional)", text_area("comment", "What the curators should know")
    )


def definitions(tree: Tree) -> Element:
    """All definitions of a flat tree, to be opened when in doubt."""
    lines = [
        tag("Header", value=f"{node.name}: {node.definition}", size="6")
        for node in tree.nodes.values()
        if node.definition
    ]
    return folded("Definitions", *lines)
