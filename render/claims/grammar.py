"""The table of what English says of figures: a pattern with places, and its reader.

A reader that returns has decided; one that cannot raises `Undecided`, one that finds the contrary
`Contradicted`. The names of relations and measures are those of specs.
"""

from __future__ import annotations

import re
from typing import Any

from . import readers as r
from .chart_words import CHART_READERS
from .claim import Reader
from .english import CORNER, COUNTS, LETTER, LINE, NUMBER, VALUE, P, row, run
from .readers import FOUR, IS, OF_TRIANGLE, ON, PART, POLYGONS, ROUND, ROUND_LINE, UNIT

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
        r.two_lines,
    ),
    (rf"(?P<first>{LINE})\s*(?P<how>=)\s*(?P<second>{LINE})", r.two_lines),
    (rf"({row('2')}) are (parallel|perpendicular|equal)\b", r.some_lines),
    (
        rf"(?P<first>{LINE})(?: is|\s*=) "
        rf"(?P<times>twice|double|half|(?P<number>\d+(?:\.\d+)?) times)"
        rf"(?: as long as| of| the length of)? (?P<second>{LINE})",
        r.times,
    ),
    (
        rf"(?P<lines>{row('2')}) (?:meet|intersect|cross)(?: each other)? (?:in|at) "
        rf"(?P<point>{LETTER})",
        r.meet,
    ),
    (
        rf"(?i:(?P<named>triangle|angle|{FOUR}|path)s?) (?P<shapes>{row('3,6')})",
        r.named,
    ),
    (
        rf"(?i:(?P<kind>{FOUR})) (?P<shapes>{row('4')})"
        rf"|(?P<these>{row('4')}) (?:is|are) (?:an? )?(?P<called>{FOUR})",
        r.four,
    ),
    (
        rf"(?:(?i:(?P<regular>regular )?(?P<kind>{POLYGON})) (?P<shapes>{row('5,12')})"
        rf"|(?P<these>{row('5,12')}) (?:is|are) (?:an? )?(?P<so>regular )?(?P<called>{POLYGON})s?)"
        rf"(?: with centre (?P<centre>{LETTER}))?",
        r.polygon,
    ),
    (rf"(?i:(?P<what>side|diagonal)s?) (?P<lines>{row('2')})", r.side_or_diagonal),
    (
        rf"(?i:angles?) (?P<corners>{row('1,3')})(?: of [a-z]+ (?:{P}){{3,}})? (?:is|are) "
        rf"(?:an? )?(?P<how>right|acute|obtuse)(?: angles?)?|"
        rf"(?:an? )?(?P<which>right|acute|obtuse) angles? (?:at|in) (?P<ends>{row('1')})",
        r.right_corners,
    ),
    (
        rf"(?P<what>{OF_TRIANGLE})(?:-angled)? triangle (?P<before>{CORNER})"
        rf"|(?i:triangle) (?P<whole>{CORNER})(?:, which)? (?:is|has) "
        rf"(?:an? )?(?P<is>{OF_TRIANGLE}|equal sides)",
        r.triangle,
    ),
    (
        rf"({LETTER}) (?:is |as |in |be )*the (?:middle|midpoint|mid-point|centre) of "
        rf"{ON}({LINE})",
        r.middle,
    ),
    (
        rf"(?P<points>{row('1')}) are the corners of (?P<of>{run('3,')}|[a-z]+ {run('3,')})",
        r.corners,
    ),
    (
        rf"({row('1')}) are the (?:middles|midpoints) of the sides of triangle ({CORNER})",
        r.middles,
    ),
    (rf"({LINE}) (?:halves|bisects) (?:the )?angle ({CORNER})", r.bisects),
    (
        # "O, and C lies on AB" speaks of C alone
        rf"({row('1,2')}(?= (?:lie |are )?on)|{run('1,2')}(?= (?:lies|is|with)\b)) "
        rf"(?:lies? |is |are )?(?:a )?(?:point )?on {ON}({LINE})",
        r.lies_on,
    ),
    (
        rf"(?:(?P<first>{LETTER}) is where )?(?:[Tt]he )?(?P<what>bisectors?|medians|heights|"
        rf"altitudes)(?: of angles? {row('1')})? of triangle (?P<of>{CORNER}) meet"
        rf"(?: (?:in|at) (?P<last>{LETTER}))?",
        r.centre,
    ),
    (
        rf"({row('3,6')}) are [a-z]+ (?:of|with) (?:one|equal|the same) (area|perimeter)",
        r.of_one,
    ),
    (
        rf"(?P<inner>{run('1,6')}) (?:lies|is|stands) (?:inside|in) (?:the )?(?:[a-z]+ "
        rf")?(?P<outer>{run('3,6')})",
        r.inside,
    ),
    (
        rf"\b(?:half )?(?:circles?|arcs?) (?:(?:with|has|have) (?:the )?centre |about "
        rf")(?P<centre>{LETTER})"
        rf"|\bcircles (?:with|have) (?:the )?centres (?P<centres>{row('1')})",
        r.about,
    ),
    (
        rf"(?P<inner>{run('3,6')}) (?:stands|lies|is) with its (?:[a-z]+ )?corners on "
        rf"the sides of "
        rf"(?:[a-z]+ )?(?P<outer>{run('3,6')})",
        r.corners_on,
    ),
    (
        rf"(?P<points>{row('1')}(?= (?:lie |are )?(?:points )?on)|{LETTER}(?= (?:lies|is)\b)) "
        rf"(?:lies? |is |are )?(?:a )?(?:points? )?on (?:the|a|its) (?:half "
        rf")?(?:circle|arc){_CENTRE}",
        r.on_circle,
    ),
    (rf"(?:{ROUND_LINE}){_OF_CENTRE}", r.round_line),
    (
        rf"(?P<line>{LINE}) (?:touches|is (?:a )?tangent (?:to|of)) (?:the|a) circle{_CENTRE}"
        rf"(?: (?:in|at) (?P<at>{LETTER}))?",
        r.touches,
    ),
    (
        rf"circle touches (?:all|the|three)(?: three)? sides of (?:the )?triangle "
        rf"(?P<of>{CORNER})"
        rf"(?:,? (?:and )?(?:side )?(?P<side>{LINE}) (?:in|at) (?P<at>{LETTER}))?",
        r.touches_sides,
    ),
    (
        rf"circles with centres (?P<centres>{row('1')}) touch(?: each other)?(?: from "
        rf"(?P<how>outside|inside))?",
        r.touching,
    ),
    (rf"\b(?i:their) (?P<what>radii|diameters) are {_VALUES}", r.radii),
    (
        rf"(?<!of )(?<!on )(?:(?P<its>[Ii]ts |[Tt]he )?(?i:(?P<part>{ROUND}|{PART})) "
        rf")?(?:length )?"
        rf"(?P<of>{LINE})(?: is drawn and)?{IS}{VALUE}(?! ?(?:°|deg)){UNIT}(?: long)?",
        r.has_length,
    ),
    (rf"\b(?i:angle) (?P<of>{run('1,3')}){IS}{VALUE}(?:°| degrees)?", r.has_angle),
    (
        rf"\b(?P<op>area|perimeter) of (?:[a-z]+ )?(?P<of>{run('3,')}){IS}{VALUE}{UNIT}",
        r.of_shape,
    ),
    (rf"\b(?i:its) (?P<op>area|perimeter){IS}{VALUE}{UNIT}", r.of_shape),
    (rf"(?P<lines>{row('2')}) (?:are|measure) {_VALUES}", r.lengths),
    (rf"\b(?i:the|its) sides (?:are|measure) {_VALUES}", r.sides),
    (
        rf"\b(?:side|sides) of the (?P<of>square|rhombus|triangle){IS}{VALUE}{UNIT}",
        r.side_of,
    ),
    (rf"\b(?i:the|its) edges (?:are|measure) {_VALUES}(?: long)?", r.edges),
    (rf"\bheight on (?P<on>{LINE}){IS}{VALUE}{UNIT}", r.height),
    (rf"({LETTER})\(({NUMBER}), ?({NUMBER})\)", r.placed),
    (rf"\b(?P<axis>[xy])-coordinate of (?P<of>{LETTER}){IS}{VALUE}", r.coordinate),
    (
        r"(?:\b(?:equation|graph|parabola|curve|line|function)\s+(?:is|of|has the equation)?\s*)?"
        r"(?<![-+*/^])(?<![-+*/^] "
        r")(?:\by|\b[a-z]\(x\))\s*=\s*[^,;?]*?[^\s,;.?](?=[,;.?]?(?:\s|$))",
        r.has_equation,
    ),
    (rf"{_CURVE}(?:passes|goes|runs) through {_PLACE}", r.on_curve),
    (
        rf"{_CURVE}(?:meets|cuts|crosses) the (?P<axis>[xy])-axis (?:at|in) {_PLACE}",
        r.on_curve,
    ),
    (
        rf"{_CURVE}(?:(?P<vertex>vertex|turning point) (?:is |lies )?(?:at |in )?){_PLACE}",
        r.on_curve,
    ),
    (r"\b(?P<what>parabola)\b", r.curve_kind),
    (r"\bopens (?P<how>upwards|downwards)", r.opens),
    (rf"({LETTER}) is the origin", r.origin),
    (
        rf"(?i:\b(?P<count>{'|'.join(COUNTS)})) (?P<what>circles|lines)(?: "
        rf"(?:meet|cross) in (?P<in>{LETTER}))?",
        r.count,
    ),
    *CHART_READERS,
)
READERS: list[tuple[re.Pattern[str], Reader]] = [
    (re.compile(pattern), reader) for pattern, reader in GRAMMAR
]
# What may stand in both.
OF_ANY_ROLE: set[Any] = {r.count, r.named, *(reader for _, reader in CHART_READERS)}
# What says where something lies, or how large it is, is no property to be seen.
OF_PLACES: set[Any] = {
    r.lies_on,
    r.placed,
    r.named,
    r.has_length,
    r.has_angle,
    r.of_shape,
    r.lengths,
    r.sides,
    r.height,
    r.has_equation,
    r.coordinate,
    r.radii,
    r.about,
    r.on_circle,
    r.side_of,
    r.edges,
    r.curve_kind,
    r.opens,
}
