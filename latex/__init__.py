"""The one answer to what a formula is: delimiters, groups, boxes, symbols, drawings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .bare import BARE_ENVIRONMENT, bare_formulas
    from .boxed import boxes, read_boxed, write_boxed
    from .damage import mended
    from .delimiters import (
        MATHPIX,
        PROBLEM_TEXT,
        Delimiters,
        MathSpan,
        code_stretches,
        joined,
        maths_spans,
        outside,
        replace_maths,
    )
    from .groups import group_end, pieces
    from .html_tables import tabulars
    from .ink import (
        ENVIRONMENTS,
        Ink,
        UnreadableError,
        character_of,
        expected_ink,
        unlike,
        unset,
    )
    from .katex_drawing import KATEX_BORDERS, katex_ink
    from .prose import reads_as_prose, stray_dollars, unescaped
    from .rows import rows_of
    from .sub_answers import PART_STYLES, first_run, last_run, parts_of
    from .svg import html_of
    from .symbols import (
        CJK,
        FOLD,
        FULL_WIDTH,
        FUNCTIONS,
        HAN,
        INVISIBLE,
        SCHOOL_FUNCTIONS,
        SYMBOLS,
        UNSPACED,
        WIDE_ASCII,
        is_chinese,
        with_scripts,
    )
    from .syntax import fault_of
    from .tokens import (
        BEGIN_OR_END,
        COMMAND,
        COMMENT,
        DOLLAR,
        ENVIRONMENT_EDGE,
        NAME,
        NAME_ENDS,
        SIGN,
        TOKEN,
        without_comments,
    )
    from .typeset import (
        GLUED,
        Face,
        MathBox,
        RefusedError,
        beside,
        cjk_face,
        covers,
        math_box,
        math_ink,
        sized,
        text_face,
        words,
    )
else:
    from ..base.lazy import door

    __getattr__ = door(__name__)
