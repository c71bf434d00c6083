"""Words that carry the meaning of a problem, found in English and in Chinese alike.

`senses.yaml` holds words whose meaning hangs on what stands around them, as regular expressions;
`vocabulary.yaml` holds all others, as plain words. A word may have several meanings: what it means
is settled by what the other text says (`settled`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

import msgspec
import yaml

from ...latex import HAN

Meaning = tuple[str, str]  # kind, name
_NEUTRAL = ("neutral", "")
_ENGLISH = re.compile(r"[A-Za-z]+(?:[.'][a-z]+)*")
_HAN = re.compile(rf"[{HAN}▱△⊙][{HAN}]*|[a-z\d]*[{HAN}]+")
_LONGEST = 5  # words of an English entry
_LONGEST_HAN = 7
# what one character of Chinese says by itself only in these kinds; elsewhere it may say many things
_SHORT = frozenset({"person", "thing", "colour", "compass", "shape", "month"})
_INFLECTED = frozenset({"act", "contest"})


class Word(msgspec.Struct, frozen=True):
    """What stands at text[start:end]; `faint`: it may answer to a word, but is none by itself."""

    meanings: tuple[Meaning, ...]
    start: int
    end: int
    faint: bool = False


class Known(msgspec.Struct, frozen=True):
    """A word whose meaning is settled."""

    kind: str
    name: str
    start: int
    end: int


class _Lexicon(msgspec.Struct, frozen=True):
    pattern: re.Pattern[str]
    rows: dict[str, Meaning]  # name of the regex group -> meaning
    plain: dict[str, tuple[Meaning, ...]]
    counting: frozenset[str]  # those of `plain` that are words by themselves
    idle: frozenset[str]
    pinyin: dict[str, str]
    sections: dict[str, set[str]]  # name of a thing -> sections of the vocabulary
    kept: frozenset[str]  # names of terms that nothing else says


@cache
def _lexicon() -> _Lexicon:
    senses, vocabulary = (
        yaml.safe_load(files(__package__).joinpath(f"{name}.yaml").read_text("utf-8"))
        for name in ("senses", "vocabulary")
    )
    rows = [(_NEUTRAL, *pair) for pair in senses["neutral"]]
    rows += [(("strict", name), *pair) for name, pair in senses["strict"].items()]
    rows += [
        ((kind, name), *pair)
        for kind, entries in senses["contrast"].items()
        for name, pair in entries.items()
    ]
    rows.append((("negation", "not"), *senses["negation"]))
    pattern = "|".join(
        rf"(?P<s{k}>(?<![A-Za-z])(?:{english})(?![A-Za-z])|{chinese})"
        for k, (_, english, chinese) in enumerate(rows)
    )
    idle, spelled = vocabulary.pop("idle"), vocabulary.pop("pinyin").split()
    kept = frozenset(map(str.strip, vocabulary.pop("kept").split(";")))
    plain: dict[str, list[Meaning]] = {}
    counting: set[str] = set()
    sections: dict[str, set[str]] = {}
    for spelling, meaning, counts, section in _entries(vocabulary):
        sections.setdefault(meaning[1], set()).add(section)
        plain.setdefault(spelling, []).append(meaning)
        if counts:
            counting.add(spelling)
    return _Lexicon(
        re.compile(pattern, re.IGNORECASE),
        {f"s{k}": row[0] for k, row in enumerate(rows)},
        {spelling: tuple(dict.fromkeys(meanings)) for spelling, meanings in plain.items()},
        frozenset(counting),
        frozenset(" ".join(idle.values()).split()),
        dict(zip(spelled[::2], spelled[1::2], strict=True)),
        sections,
        kept,
    )


def _entries(vocabulary: dict[str, dict[str, str]]) -> Iterator[tuple[str, Meaning, bool, str]]:
    """(spelling, meaning, is it a word by itself?, section)"""
    for kind, sections in vocabulary.items():
        for section, text in sections.items():
            group = section if kind == "act" else kind
            for entry in filter(None, map(str.strip, text.split(";"))):
                english, _, chinese = entry.partition("=")
                phrases = [p.strip().lower().replace("-", " ") for p in english.split(",")]
                meaning = _NEUTRAL if kind == "neutral" else (group, phrases[0].lstrip("~"))
                for phrase in phrases:
                    for form in _forms(phrase.lstrip("~"), kind):
                        yield form, meaning, phrase[0] != "~", section
                for word in chinese.split():
                    counts = word[-1] == "!" or len(word) > 1 or group in _SHORT
                    yield word.strip("~!").lower(), meaning, counts and word[0] != "~", section


def _forms(phrase: str, kind: str) -> list[str]:
    """A phrase with its plural, or a verb's forms.

    >>> _forms("pear tree", "thing"), _forms("plan", "act")
    (['pear tree', 'pear trees'], ['plan', 'plans', 'planned', 'planning'])
    """
    if kind == "neutral" or re.fullmatch(
        "(?:single|one|two|double|three|four|five|six) digit", phrase
    ):
        return [phrase]
    if kind in _INFLECTED:
        verb, _, rest = phrase.partition(" ")
        return [f"{form} {rest}".strip() for form in (verb, _plural(verb), *_past(verb))]
    return [phrase, _plural(phrase), *([phrase + "es"] if phrase.endswith("o") else [])]


def _plural(word: str) -> str:
    if re.search("(?:s|x|z|ch|sh)$", word):
        return word + "es"
    return word[:-1] + "ies" if re.search("[^aeiou]y$", word) else word + "s"


def _past(verb: str) -> tuple[str, str]:
    stem = verb
    if verb.endswith("e") and not verb.endswith("ee"):
        stem = verb[:-1]
    elif re.fullmatch("[^aeiou]*[aeiou][bdgmnprt]", verb):
        stem = verb + verb[-1]
    elif re.search("[^aeiou]y$", verb):
        return verb[:-1] + "ied", verb + "ing"
    return stem + "ed", stem + "ing"


@lru_cache(maxsize=64)
def words(text: str) -> tuple[Word, ...]:
    """The known words of a text in order; where two could start at one place, the longer one.

    >>> [word.meanings[0][1] for word in words("不小于正整数的面积 is not less than the area")]
    ['at least', 'positive', 'integer', 'area', 'at least', 'area']
    """
    found = sorted(
        [*_patterns(text), *_plain(text), *_people(text)], key=lambda w: (w.start, -w.end, w.faint)
    )
    out: list[Word] = []
    end = 0
    for word in found:
        if word.start >= end:
            end = word.end
            if _NEUTRAL not in word.meanings:
                out.append(word)
    return tuple(out)


def _patterns(text: str) -> Iterator[Word]:
    lexicon = _lexicon()
    for match in lexicon.pattern.finditer(text):
        if match.end() > match.start():
            meaning = lexicon.rows[match.lastgroup or ""]
            yield Word((meaning,), match.start(), match.end())


def _plain(text: str) -> Iterator[Word]:
    plain, counting = _lexicon().plain, _lexicon().counting
    tokens = [(m[0].lower(), m.start(), m.end()) for m in _ENGLISH.finditer(text)]
    for k in range(len(tokens)):
        phrase, start, end = tokens[k]
        best: Word | None = None
        for size in range(_LONGEST):
            if size:
                if k + size >= len(tokens) or text[end : tokens[k + size][1]] not in (" ", "-"):
                    break
                phrase, end = f"{phrase} {tokens[k + size][0]}", tokens[k + size][2]
            if meanings := plain.get(phrase) or plain.get(phrase.removesuffix("'s")):
                faint = phrase not in counting and phrase.removesuffix("'s") not in counting
                best = Word(meanings, start, end, faint)
        if best and best.end > best.start + 1:
            yield best
    for match in _HAN.finditer(text):
        for start in range(match.start(), match.end()):
            for end in range(min(match.end(), start + _LONGEST_HAN), start, -1):
                word = text[start:end].lower()
                if meanings := plain.get(word):
                    yield Word(meanings, start, end, word not in counting)
                    break


_SPELLED = re.compile(r"[A-Z][a-z]{1,5}(?: ?[A-Z][a-z]{1,5}){0,2}(?![a-z])")
_TITLED = "老师|师傅|叔叔|阿姨|爷爷|奶奶|大爷|大妈|大伯|伯伯|先生|女士|医生|经理|同学|某|大叔"
_AFTER_NAME = "今的比有和与买得用带在从每是说看读做拿给要先后也两三一共都平跑走骑家身体年原又再"


def _people(text: str) -> Iterator[Word]:
    """小明, 张华 and 王老师, in English letters or in Chinese."""
    pinyin = _lexicon().pinyin
    known = "".join(pinyin)
    syllables = set(pinyin.values())
    surnames = known[known.index("赵") : known.index("萍")] + "李张王林"
    pattern = (
        rf"[小老阿](?P<one>[{known}])\1?|(?P<titled>[{surnames}])(?={_TITLED})(?:某|同学)?"
        rf"|(?<![{HAN}])(?P<whole>[{surnames}][{known}]{{1,2}})(?![{known}])"
        rf"|(?<=[，、和与比给向是的])(?P<inner>[{surnames}][{known}]{{1,2}})(?=[{_AFTER_NAME}，、])"
    )
    for match in re.finditer(pattern, text):
        name = "".join(pinyin[c] for c in match[match.lastgroup or 0])
        yield Word((("person", name),), match.start(), match.end())
    for match in _SPELLED.finditer(text):
        parts = re.findall("[A-Z][a-z]+", match[0])
        while parts and not _syllables(parts[-1], syllables):
            parts.pop()
        while parts and not _syllables(parts[0], syllables):
            parts = parts[1:]
        if parts and all(_syllables(part, syllables) for part in parts):
            start = match.start() + match[0].index(parts[0])
            end = match.start() + match[0].index(parts[-1]) + len(parts[-1])
            name = "".join(parts).lower()
            yield Word((("person", name.removeprefix("xiao") or name),), start, end)


def _syllables(word: str, syllables: set[str]) -> bool:
    """Is a word made of one or two syllables of names? "He" and "She" are words."""
    word = word.lower()
    if word in ("he", "long", "gang", "song", "fang", "fan", "pan", "she", "me", "hang", "you"):
        return False
    return word in syllables or any(
        word[:k] in syllables and word[k:] in syllables for k in range(2, len(word) - 1)
    )


def settled(text: str, other: str) -> list[Known]:
    """The known words of a text, each in the meaning that the other text knows, too, if any.

    A word of several kinds of which the other text knows none says nothing.

    >>> [word.name for word in settled("the rate", "求速度")]
    ['speed']
    """
    there = {meaning for word in words(other) for meaning in word.meanings}
    kinds = {kind for kind, _ in there} - {"thing"}
    out = []
    for word in words(text):
        shared = [meaning for meaning in word.meanings if meaning in there]
        if shared or not word.faint:
            general = [meaning for meaning in word.meanings if meaning[0] == "generic"]
            likely = [meaning for meaning in word.meanings if meaning[0] in kinds]
            if shared or general or likely or len({kind for kind, _ in word.meanings}) == 1:
                kind, name = (shared or general or likely or word.meanings)[0]
                out.append(Known(kind, name, word.start, word.end))
    return out


def of_a_section(one: str, two: str) -> bool:
    """Do two things stand in one section of the vocabulary, as apples and pears?"""
    sections = _lexicon().sections
    if one not in sections and two not in sections:
        return True  # names of people
    return not sections.get(one, set()).isdisjoint(sections.get(two, set()))


def is_idle(word: str) -> bool:
    """Does the word say nothing that a problem hangs on?"""
    return word in _lexicon().idle


def is_kept(word: Known) -> bool:
    """Is it a term that no other words say? On one side only, it is a change."""
    return word.kind != "thing" and word.name in _lexicon().kept
