r"""What commands and environments of LaTeX and of exam classes say, or that they say nothing.

Closed lists: what LaTeX and its layout packages define for the eye. What is a problem, a solution,
an answer or a hint is not listed, see `roles.py`; what formulas may hold, `latex.is_set` says.
"""

from __future__ import annotations

# Commands for the eye: name -> how many arguments go with them (a leading option always does).
SILENT = dict.fromkeys(
    "vfill hfill newpage clearpage pagebreak nopagebreak linebreak nolinebreak noindent indent"
    " medskip smallskip bigskip centering raggedright raggedleft small large Large LARGE huge Huge"
    " normalsize footnotesize scriptsize tiny bfseries mdseries itshape upshape slshape scshape"
    " rmfamily sffamily ttfamily normalfont em rm bf it sc sl tt sf displaystyle textstyle"
    " noprintanswers printanswers addpoints noaddpoints pointsinmargin pointsinrightmargin"
    " nopointsinmargin pointsdroppedatright bracketedpoints boxedpoints maketitle draftpaper secret"
    " gradetable pointtable droptotalpoints droppoints hline toprule midrule bottomrule hrulefill"
    " dotfill columnbreak allowbreak unskip relax null strut par@ singlespacing onehalfspacing"
    " doublespacing protect begingroup endgroup noparindent nointerlineskip leavevmode"
    " ignorespaces ignorespacesafterend obeylines sloppy appendix frontmatter mainmatter backmatter"
    " tableofcontents qed qedhere qedsymbol goodbreak filbreak phantomsection makeatletter"
    " makeatother hfil vss frenchspacing onecolumn twocolumn cleardoublepage bgroup egroup"
    " choicelabel arraystretch extrarowheight scriptspace thepage columnseprule everymath hss"
    " boldmath unboldmath selectfont Closesolutionfile".split(),
    0,
) | {
    "vspace": 1, "hspace": 1, "label": 1, "setlength": 2, "addtolength": 2, "setcounter": 2,
    "addtocounter": 2, "stepcounter": 1, "refstepcounter": 1, "pagestyle": 1, "thispagestyle": 1,
    "examsetup": 1, "fillwithlines": 1, "fillwithdottedlines": 1, "fillwithgrid": 1,
    "makeemptybox": 1, "cline": 1, "cmidrule": 1, "title": 1, "subject": 1, "author": 1, "date": 1,
    "information": 1, "warning": 1, "index": 1, "color": 1, "rowcolor": 1, "cellcolor": 1,
    "setstretch": 1, "setlist": 1, "settasks": 1, "rule": 2, "phantom": 1, "vphantom": 1,
    "hphantom": 1, "usepackage": 1, "pointpoints": 2, "pointname": 1, "qformat": 1, "header": 3,
    "footer": 3, "cfoot": 1, "lhead": 1, "rhead": 1, "chead": 1, "lfoot": 1, "rfoot": 1,
    "captionsetup": 1, "documentclass": 1, "newcounter": 1, "addcontentsline": 3, "markboth": 2,
    "markright": 1, "hypersetup": 1, "graphicspath": 1, "usetikzlibrary": 1, "pdfbookmark": 2,
    "Opensolutionfile": 2, "Writetofile": 2, "needspace": 1, "enlargethispage": 1,
    "theoremstyle": 1, "numberwithin": 2, "bibliography": 1, "bibliographystyle": 1,
    "thanks": 1, "linespread": 1, "selectlanguage": 1, "setmainfont": 1, "definecolor": 3,
}  # fmt: skip
# Commands that take a size, as \vskip 3pt
SIZES = frozenset("vskip hskip kern parskip parindent baselineskip topskip".split())

# Commands whose last argument is their text: name -> how many arguments stand before it.
FONTS = frozenset(
    "textbf emph textit textsl textsc textsf texttt underline uline fbox bold".split()
)
TRANSPARENT = dict.fromkeys(
    "text mbox textrm textmd textup textnormal framebox makebox centerline caption url uwave"
    " textsuperscript textsubscript dotuline CJKfamily enspace leftline rightline hbox vbox"
    " MakeUppercase uppercase".split(),
    0,
) | dict.fromkeys(FONTS, 0) | {
    "textcolor": 1, "colorbox": 1, "parbox": 1, "href": 1, "raisebox": 1, "multicolumn": 2,
    "multirow": 2, "scalebox": 1, "resizebox": 2, "textfigure": 0, "fcolorbox": 2, "captionof": 1,
}  # fmt: skip

# Environments whose text simply stands there: name -> how many arguments go before it.
WRAPPERS = dict.fromkeys(
    "document center flushleft flushright quote quotation figure table samepage small large"
    " parts subparts subsubparts coverpages EnvFullwidth EnvUplevel framed spacing* mdframed"
    " abstract tcolorbox frame subequations verse titlepage minipage@ footnotesize shaded"
    " figure* table* landscape sloppypar onehalfspace doublespace singlespace".split(),
    0,
) | {
    "multicols": 1, "multicols*": 1, "minipage": 1, "spacing": 1, "wrapfigure": 2, "adjustbox": 1,
    "subfigure": 1, "adjustwidth": 2, "block": 1,
}  # fmt: skip
TABLES = {
    "tabular": 1, "tabular*": 2, "tabularx": 2, "longtable": 1, "array": 1, "tabulary": 2,
    "tblr": 1,
}  # fmt: skip
# what is stated or told, and asks nothing: the names that amsthm's manual and its users give
STATED = frozenset(
    "theorem thm lemma lem corollary cor proposition prop definition def defn remark rem note"
    " notation fact claim axiom conjecture example eg ex@ observation convention".split()
)
OUTSIDE = frozenset("notice comment gradingtable thebibliography filecontents".split())
PARTS = {
    "part": 1, "bonuspart": 1, "subpart": 2, "bonussubpart": 2, "subsubpart": 3,
    "bonussubsubpart": 3,
}  # fmt: skip
ITEMS = frozenset(("item", "task", "task*", "ExePart"))
HEADINGS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
INSTRUCTIONS = frozenset("fullwidth uplevel instructions".split())
BREAKS = frozenset("par \\ newline noindent medskip smallskip bigskip vspace newpage".split())

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
    "oe": "œ", "l": "ł", "L": "Ł", "i": "i", "j": "j", "LaTeX": "LaTeX", "TeX": "TeX",
    "textbullet": "•", "textendash": "–", "textemdash": "—", "half": "½", "slash": "/",
    "nobreakspace": " ", "hrule": "", "today": "",
}  # fmt: skip
ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "r": "\u030a",
    "k": "\u0328",
}  # fmt: skip
