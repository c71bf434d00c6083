"""The table of what English says of figures: a pattern with places, and its reader.

A reader that returns has decided; one that cannot raises `Undecided`, one that finds the contrary
`Contradicted`. The names of relations and measures are those of specs.
"""

from __future__ import annotations

import re
from typing import Any

from . import (
    circle_words,
    count_words,
    curve_words,
    interval_words,
    line_words,
    motion_words,
    shape_words,
    solid_words,
    value_words,
)
from .chart_words import CHART_READERS
from .circle_words import ROUND, ROUND_LINE
from .claim import Reader
from .count_words import IN_PANEL
from .english import (
    CORNER,
    COUNTS,
    IS,
    LETTER,
    LINE,
    NUMBER,
    ON,
    UNIT,
    VALUE,
    P,
    row,
    run,
)
from .interval_words import INEQUALITY, STANDS
from .motion_words import MOVED, REFLECTED, TURNED
from .shape_words import FOUR, OF_TRIANGLE, POLYGONS
from .solid_words import BASE, SIZE, SOLID
from .value_words import PART

_MORE = rf"(?:(?:,? and |, ){NUMBER}{UNIT})"
_VALUES = rf"(?P<values>{NUMBER}{UNIT}{_MORE}{_MORE}*)"
_CENTRE = rf"(?: (?:about|with centre) (?P<centre>{LETTER}))?"
_OF_CENTRE = rf"(?: of (?:the |a )?(?:half |semi)?circle{_CENTRE})?"
_CURVE = r"\b(?:parabola|curve|graph|line|function|[Ii]t|and)\b[^.;?]*?"
_PLACE = rf"(?:(?P<point>{LETTER})(?:\({NUMBER}, ?{NUMBER}\))?|(?P<place>\({NUMBER}, ?{NUMBER}\)))"
POLYGON = "|".join(POLYGONS)
GRAMMAR: tuple[tuple[str, Reader], ...] = (
    (
        rf"(?P<first>{LINE}) (?:is |= )?(?P<how>parallel|perpendicular|equal) to "
        rf"(?P<second>{LINE})",
        line_words.two_lines,
    ),
    (
        rf"(?P<first>{LINE}) (?:stands|is) (?:upright|vertically|vertical) (?:on|to) "
        rf"(?:the )?(?:[a-z]+ ){{0,3}}(?P<second>{LINE})",
        line_words.upright,
    ),
    (rf"({row('2')}) meet at (?:a )?right angles?", line_words.at_right_angles),
    (rf"(?P<first>{LINE})\s*(?P<how>=)\s*(?P<second>{LINE})", line_words.two_lines),
    (rf"({row('2')}) are (parallel|perpendicular|equal)\b", line_words.some_lines),
    (
        rf"(?P<first>{LINE})(?: is|\s*=) "
        rf"(?P<times>twice|double|half|(?P<number>\d+(?:\.\d+)?) times)"
        rf"(?: as long as| of| the length of)? (?P<second>{LINE})",
        line_words.times,
    ),
    (
        rf"(?P<lines>{row('2')}) (?:meet|intersect|cross)(?: each other)? (?:in|at) "
        rf"(?P<point>{LETTER})",
        line_words.meet,
    ),
    (
        rf"(?P<line>{LINE}) (?:cuts|crosses|meets|intersects) (?P<lines>them|{row('2')}) "
        rf"(?:in|at) (?P<points>{row('1')})(?: respectively)?",
        line_words.cuts,
    ),
    (
        rf"(?i:(?P<named>triangle|angle|{FOUR}|path)s?) (?P<shapes>{row('3,6')})",
        shape_words.named,
    ),
    (
        rf"(?i:(?P<kind>{FOUR})) (?P<shapes>{row('4')})"
        rf"|(?P<these>{row('4')}) (?:is|are) (?:an? )?(?P<called>{FOUR})",
        shape_words.four,
    ),
    (
        rf"(?:(?i:(?P<regular>regular )?(?P<kind>{POLYGON})) (?P<shapes>{row('5,12')})"
        rf"|(?P<these>{row('5,12')}) (?:is|are) (?:an? )?(?P<so>regular )?(?P<called>{POLYGON})s?)"
        rf"(?: with centre (?P<centre>{LETTER}))?",
        shape_words.polygon,
    ),
    (
        rf"(?i:(?P<what>side|diagonal)s?) (?P<lines>{row('2')})",
        shape_words.side_or_diagonal,
    ),
    (
        rf"(?i:angles?) (?P<corners>{row('1,3')})(?: of [a-z]+ (?:{P}){{3,}})? (?:is|are) "
        rf"(?:an? )?(?P<how>right|acute|obtuse)(?: angles?)?|"
        rf"(?:an? )?(?P<which>right|acute|obtuse) angles? (?:at|in) (?P<ends>{row('1')})",
        shape_words.right_corners,
    ),
    (
        rf"(?P<what>{OF_TRIANGLE})(?:-angled)? triangle (?P<before>{CORNER})"
        rf"|(?i:triangle) (?P<whole>{CORNER})(?:, which)? (?:is|has) "
        rf"(?:an? )?(?P<is>{OF_TRIANGLE}|equal sides)",
        shape_words.triangle,
    ),
    (
        rf"({LETTER}) (?:is |as |in |be )*the (?:middle|midpoint|mid-point|centre) of "
        rf"{ON}({LINE})",
        line_words.middle,
    ),
    (
        rf"(?P<points>{row('1')}) are the corners of (?P<of>{run('3,')}|[a-z]+ {run('3,')})",
        line_words.corners,
    ),
    (
        rf"({row('1')}) are the (?:middles|midpoints) of the sides of triangle ({CORNER})",
        line_words.middles,
    ),
    (rf"({LINE}) (?:halves|bisects) (?:the )?angle ({CORNER})", line_words.bisects),
    (
        # "O, and C lies on AB" speaks of C alone
        rf"({row('1,2')}(?= (?:lie |are )?on)|{run('1,2')}(?= (?:lies|is|with)\b)) "
        rf"(?:lies? |is |are )?(?:a )?(?:point )?on {ON}({LINE})",
        line_words.lies_on,
    ),
    (
        rf"(?:(?P<first>{LETTER}) is where )?(?:[Tt]he )?(?P<what>bisectors?|medians|heights|"
        rf"altitudes)(?: of angles? {row('1')})? of triangle (?P<of>{CORNER}) meet"
        rf"(?: (?:in|at) (?P<last>{LETTER}))?",
        shape_words.centre,
    ),
    (
        rf"({row('3,6')}) are [a-z]+ (?:of|with) (?:one|equal|the same) (area|perimeter)",
        shape_words.of_one,
    ),
    (
        rf"(?P<inner>{run('1,6')}) (?:lies|is|stands) (?:inside|in) (?:the )?(?:[a-z]+ "
        rf")?(?P<outer>{run('3,6')})",
        shape_words.inside,
    ),
    (
        rf"\b(?:half )?(?:circles?|arcs?) (?:(?:with|has|have) (?:the )?centre |about "
        rf")(?P<centre>{LETTER})"
        rf"|\bcircles (?:with|have) (?:the )?centres (?P<centres>{row('1')})",
        circle_words.about,
    ),
    (
        rf"(?P<inner>{run('3,6')}) (?:stands|lies|is) with its (?:[a-z]+ )?corners on "
        rf"the sides of "
        rf"(?:[a-z]+ )?(?P<outer>{run('3,6')})",
        shape_words.corners_on,
    ),
    (
        rf"(?P<points>{row('1')}(?= (?:lie |are )?(?:points )?on)|{LETTER}(?= (?:lies|is)\b)) "
        rf"(?:lies? |is |are )?(?:a )?(?:points? )?on (?:the|a|its) (?:half "
        rf")?(?:circle|arc){_CENTRE}",
        circle_words.on_circle,
    ),
    (rf"(?:{ROUND_LINE}){_OF_CENTRE}", circle_words.round_line),
    (
        rf"(?P<line>{LINE}) (?:touches|is (?:a )?tangent (?:to|of)) (?:the|a) circle{_CENTRE}"
        rf"(?: (?:in|at) (?P<at>{LETTER}))?",
        circle_words.touches,
    ),
    (
        rf"(?P<at>{LETTER}) is the (?:point of contact|point of tangency|point where it touches)",
        circle_words.contact,
    ),
    (
        rf"circle touches (?:all|the|three)(?: three)? sides of (?:the )?triangle "
        rf"(?P<of>{CORNER})"
        rf"(?:,? (?:and )?(?:side )?(?P<side>{LINE}) (?:in|at) (?P<at>{LETTER}))?",
        circle_words.touches_sides,
    ),
    (
        rf"circles with centres (?P<centres>{row('1')}) touch(?: each other)?(?: from "
        rf"(?P<how>outside|inside))?",
        circle_words.touching,
    ),
    (rf"\b(?i:their) (?P<what>radii|diameters) are {_VALUES}", circle_words.radii),
    (
        rf"(?<!of )(?<!on )(?:(?P<its>[Ii]ts |[Tt]he )?(?i:(?P<part>{ROUND}|{PART})) "
        rf")?(?:length )?"
        rf"(?P<of>{LINE})(?: is drawn and)?{IS}{VALUE}(?! ?(?:°|deg)){UNIT}(?: long)?",
        value_words.has_length,
    ),
    (
        rf"\b(?i:angle) (?P<of>{run('1,3')}){IS}{VALUE}(?:°| degrees)?",
        value_words.has_angle,
    ),
    (
        rf"\b(?P<op>area|perimeter) of (?:[a-z]+ )?(?P<of>{run('3,')}){IS}{VALUE}{UNIT}",
        value_words.of_shape,
    ),
    (rf"\b(?i:its) (?P<op>area|perimeter){IS}{VALUE}{UNIT}", value_words.of_shape),
    (rf"(?P<lines>{row('2')}) (?:are|measure) {_VALUES}", value_words.lengths),
    (rf"\b(?i:the|its) sides (?:are|measure) {_VALUES}", value_words.sides),
    (
        rf"\b(?:side|sides) of the (?P<of>square|rhombus|triangle){IS}{VALUE}{UNIT}",
        value_words.side_of,
    ),
    (rf"\b(?i:the|its) edges (?:are|measure) {_VALUES}(?: long)?", value_words.edges),
    (rf"\bheight on (?P<on>{LINE}){IS}{VALUE}{UNIT}", value_words.height),
    (rf"({LETTER})\(({NUMBER}), ?({NUMBER})\)", curve_words.placed),
    (
        rf"\b(?P<axis>[xy])-coordinate of (?P<of>{LETTER}){IS}{VALUE}",
        curve_words.coordinate,
    ),
    (
        r"(?:\b(?:equation|graph|parabola|curve|line|function)\s+(?:is|of|has the equation)?\s*)?"
        r"(?<![-+*/^])(?<![-+*/^] "
        r")(?:\by|\b[a-z]\(x\))\s*=\s*[^,;?]*?[^\s,;.?](?=[,;.?]?(?:\s|$))",
        curve_words.has_equation,
    ),
    (rf"{_CURVE}(?:passes|goes|runs) through {_PLACE}", curve_words.on_curve),
    (
        rf"{_CURVE}(?:meets|cuts|crosses) the (?P<axis>[xy])-axis (?:at|in) {_PLACE}",
        curve_words.on_curve,
    ),
    (
        rf"{_CURVE}(?:(?P<vertex>vertex|turning point) (?:is |lies )?(?:at |in )?){_PLACE}",
        curve_words.on_curve,
    ),
    (r"\b(?P<what>parabola)\b", curve_words.curve_kind),
    (r"\bopens (?P<how>upwards|downwards)", curve_words.opens),
    (rf"({LETTER}) is the origin", curve_words.origin),
    (
        rf"(?i:\b(?P<count>{'|'.join(COUNTS)})) (?P<what>circles|lines)(?: "
        rf"(?:meet|cross) in (?P<in>{LETTER}))?",
        count_words.count,
    ),
    (
        rf"\b(?i:(?P<count>{'|'.join(COUNTS)})) (?:[a-z]+ )?(?P<what>[a-z]{{3,20}}s)\b",
        count_words.of_chart,
    ),
    (IN_PANEL, count_words.in_panel),
    (SOLID, solid_words.solid),
    (SIZE, solid_words.solid_size),
    (BASE, solid_words.base_of_solid),
    (REFLECTED, motion_words.reflected),
    (TURNED, motion_words.turned),
    (MOVED, motion_words.moved),
    (INEQUALITY, interval_words.inequality),
    (STANDS, interval_words.stands_at),
    *CHART_READERS,
)
READERS: list[tuple[re.Pattern[str], Reader]] = [
    (re.compile(pattern), reader) for pattern, reader in GRAMMAR
]
# What may stand in both.
OF_ANY_ROLE: set[Any] = {
    count_words.count,
    count_words.of_chart,
    shape_words.named,
    solid_words.solid,
    solid_words.base_of_solid,
    *(reader for _, reader in CHART_READERS),
}
# What says where something lies, or how large it is, is no property to be seen.
OF_PLACES: set[Any] = {
    line_words.lies_on,
    curve_words.placed,
    shape_words.named,
    value_words.has_length,
    value_words.has_angle,
    value_words.of_shape,
    value_words.lengths,
    value_words.sides,
    value_words.height,
    curve_words.has_equation,
    curve_words.coordinate,
    circle_words.radii,
    circle_words.about,
    circle_words.on_circle,
    value_words.side_of,
    value_words.edges,
    curve_words.curve_kind,
    curve_words.opens,
    solid_words.solid_size,
    interval_words.inequality,
    interval_words.stands_at,
}
