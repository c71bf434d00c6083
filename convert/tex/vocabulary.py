r"""What commands and environments of LaTeX, exam.cls and exam-zh say, or that they say nothing."""

from __future__ import annotations

# Commands for the eye: name -> how many arguments go with them (a leading option always does).
SILENT = dict.fromkeys(
    "vfill hfill newpage clearpage pagebreak nopagebreak linebreak nolinebreak noindent indent"
    " medskip smallskip bigskip centering raggedright raggedleft small large Large LARGE huge Huge"
    " normalsize footnotesize scriptsize tiny bfseries mdseries itshape upshape slshape scshape"
    " rmfamily sffamily ttfamily normalfont em rm bf it sc displaystyle textstyle noprintanswers"
    " printanswers addpoints noaddpoints pointsinmargin pointsinrightmargin nopointsinmargin"
    " bracketedpoints boxedpoints maketitle draftpaper secret gradetable pointtable"
    " droptotalpoints droppoints hline toprule midrule bottomrule hrulefill dotfill columnbreak"
    " allowbreak unskip relax null strut par@ singlespacing onehalfspacing doublespacing protect"
    " begingroup endgroup noparindent nointerlineskip leavevmode ignorespaces".split(),
    0,
) | {
    "vspace": 1, "hspace": 1, "label": 1, "setlength": 2, "addtolength": 2, "setcounter": 2,
    "addtocounter": 2, "stepcounter": 1, "pagestyle": 1, "thispagestyle": 1, "examsetup": 1,
    "fillwithlines": 1, "fillwithdottedlines": 1, "fillwithgrid": 1, "makeemptybox": 1,
    "cline": 1, "cmidrule": 1, "title": 1, "subject": 1, "author": 1, "date": 1, "information": 1,
    "warning": 1, "index": 1, "color": 1, "rowcolor": 1, "cellcolor": 1, "setstretch": 1,
    "renewcommand": 2, "choicelabel": 0, "setlist": 1, "settasks": 1, "rule": 2, "arraystretch": 0,
    "extrarowheight": 0, "phantom": 1, "vphantom": 1, "hphantom": 1, "usepackage": 1,
    "pointpoints": 2, "pointname": 1, "qformat": 1, "header": 3, "footer": 3, "cfoot": 1,
    "lhead": 1, "rhead": 1, "chead": 1, "lfoot": 1, "rfoot": 1, "captionsetup": 1,
    "scriptspace": 0, "hskip": 0,
}  # fmt: skip

# Commands whose last argument is their text: name -> how many arguments stand before it.
TRANSPARENT = dict.fromkeys(
    "textbf emph textit textsl text mbox textrm textsf texttt textsc textmd textup textnormal"
    " uline underline fbox framebox makebox centerline caption url textsuperscript uwave"
    " dotuline CJKfamily enspace".split(),
    0,
) | {
    "textcolor": 1, "colorbox": 1, "parbox": 1, "href": 1, "raisebox": 1, "multicolumn": 2,
    "multirow": 2, "scalebox": 1, "resizebox": 2, "textfigure": 0,
}  # fmt: skip

# Environments whose text simply stands there: name -> how many arguments go before it.
WRAPPERS = dict.fromkeys(
    "document center flushleft flushright quote quotation figure table samepage small large"
    " questions parts subparts subsubparts coverpages EnvFullwidth EnvUplevel framed spacing*"
    " mdframed enumerate* abstract".split(),
    0,
) | {
    "multicols": 1, "multicols*": 1, "minipage": 1, "spacing": 1, "wrapfigure": 2, "adjustbox": 1,
    "subfigure": 1, "longtable@": 1,
}  # fmt: skip
TABLES = {
    "tabular": 1, "tabular*": 2, "tabularx": 2, "longtable": 1, "array": 1, "tabulary": 2,
    "tblr": 1,
}  # fmt: skip
SOLUTIONS = frozenset(
    "solution solutionorbox solutionorlines solutionordottedlines solutionorgrid sol answerbox"
    " analysis proof".split()
)
OUTSIDE = frozenset("notice titlepage comment instructions@ gradingtable multicolnotice".split())
ITEMS = frozenset("question problem exercise exercise* prob".split())
OPTION_LISTS = frozenset("choices oneparchoices checkboxes oneparcheckboxes tasks".split())
QUESTIONS = frozenset("question titledquestion bonusquestion bonustitledquestion".split())
PARTS = {
    "part": 1, "bonuspart": 1, "subpart": 2, "bonussubpart": 2, "subsubpart": 3,
    "bonussubsubpart": 3,
}  # fmt: skip
RIGHT = frozenset("CorrectChoice correctchoice CorrectChoice* correct".split())
CHOICES = RIGHT | {"choice", "item", "task", "choice*", "task*"}
HEADINGS = frozenset("section subsection subsubsection chapter paragraph".split())
INSTRUCTIONS = frozenset("fullwidth uplevel instructions".split())

SIGNS = {
    "%": "%", "&": "&", "#": "#", "_": r"\_", "$": r"\$", "{": "{", "}": "}", " ": " ", "\n": " ",
    ",": " ", ";": " ", ":": " ", "!": "", "-": "", "/": "", "@": "", "\\": "\n",
    "quad": " ", "qquad": " ", "enspace": " ", "thinspace": " ", "space": " ", "newline": "\n",
    "tabularnewline": "\n", "par": "\n\n", "ldots": "...", "dots": "...", "textellipsis": "...",
    "degree": "°", "textdegree": "°", "celsius": "°C", "textquoteright": "’", "textquoteleft": "‘",
    "textquotedblleft": "“", "textquotedblright": "”", "textbackslash": "\\", "textgreater": ">",
    "textless": "<", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "pounds": "£",
    "textsterling": "£", "euro": "€", "texteuro": "€", "EUR": "€", "yen": "¥", "S": "§",
    "copyright": "©", "aa": "å", "AA": "Å", "ae": "æ", "AE": "Æ", "o": "ø", "O": "Ø", "ss": "ß",
    "oe": "œ", "l": "ł", "L": "Ł", "i": "i", "LaTeX": "LaTeX", "TeX": "TeX", "textbullet": "•",
    "textendash": "–", "textemdash": "—", "half": "½", "times": "×",
}  # fmt: skip
ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "r": "\u030a",
    "k": "\u0328",
}  # fmt: skip
