"""Spelled numbers, in English and in Chinese: words, their values, and how they are read."""

from __future__ import annotations

import re

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_UNITS += " fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh"
_ORDINALS += " twelfth"
_ENGLISH = {word: n for n, word in enumerate(_UNITS.split())}
_ENGLISH |= {word: 20 + 10 * n for n, word in enumerate(_TENS.split())}
_ENGLISH |= {f"{w}{'es' if w == 'six' else 's'}": n for w, n in _ENGLISH.items() if 2 < n < 10}
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 10**9}
ROMAN = {"II": 2, "III": 3, "IV": 4, "VI": 6, "VII": 7, "VIII": 8}
NTH = {word: n for n, word in enumerate(_ORDINALS.split())}
PARTS = {word + s: n for word, n in NTH.items() if n > 2 for s in ("", "s")}
PARTS |= {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
FOLDS = {
    "twice": 2, "double": 2, "doubled": 2, "doubles": 2, "doubling": 2, "both": 2,
    "pair": 2, "couple": 2, "either": 2, "thrice": 3, "triple": 3, "tripled": 3, "tripling": 3,
    "dozen": 12, "single": 1, "once": 1,
}  # fmt: skip
FOLD = frozenset(
    "twice double doubled doubles doubling thrice triple tripled tripling half".split()
)
DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}

_CARDINAL = rf"(?:{'|'.join(sorted(_ENGLISH, key=len, reverse=True))})"
WORDS = rf"{_CARDINAL}(?:(?:[ -](?:and )?)(?:{_CARDINAL}|hundred|thousand|million|billion)\b)*"
UNDER = "|".join(sorted(PARTS, key=len, reverse=True))
HAN_NUMBER = "[零〇一二两三四五六七八九十百千万亿]+"
# Words with a numeral in them that count nothing.
HAN_NAMES = (
    r"[一二三四五六七八九十n]+[元次]+(?=[一二三四]*[元次]?(?:方程|函数|不等|多项|项|根))|[二三]元一次|一元[一二三]次"
    r"|三角|[四五六七八九十]+[边角]形|[四五六七八九十]+面体|[三四五六]棱[柱锥台]|二项式|二面角|三视图|三等分"
    r"|星期[一二三四五六]|周[一二三四五六]"
    r"|[一二三四五六七八九十]+月|千米|千克|毫克|百分[之比率]|[平负胜]一[场局]|万一|一[些定样起共般直旦致切]|统一|唯一|两两|一一|[三四]轮|同一|任一|进一步|三段|二次"
    r"|十[分字](?!之)|[十百千万]位(?=数|上|与|和|的|是|比|、)|(?:多少|几)[百千万亿]|第二[次天]|零[件钱售食头]|第一|一半|半"
)
HAN_SCALES = {"百": 100, "千": 1000, "万": 10_000, "亿": 10**8}


def english(words: str) -> int:
    total = current = 0
    for word in re.split(r"[ -]+", words.lower()):
        if word in SCALES:
            current = max(current, 1) * SCALES[word]
            if word != "hundred":
                total, current = total + current, 0
        else:
            current += _ENGLISH.get(word, 1 if word in ("a", "an") else 0)
    return total + current


def han(characters: str) -> int:
    if not any(c in _POWERS for c in characters):
        return int("".join(str(DIGITS[c]) for c in characters))
    total = section = digit = 0
    for character in characters:
        if character in DIGITS:
            digit = DIGITS[character]
            continue
        power = _POWERS[character]
        if power >= 10_000:
            total += max(section + digit, 1) * power
            section = 0
        else:
            section += (digit or 1) * power
        digit = 0
    return total + section + digit
