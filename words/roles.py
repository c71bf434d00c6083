"""What is called an answer, a solution, a question; how replies conclude, choose, deny, decline.

The words of many languages, as data: a language is added by adding its words. Rules join them with
`words`, and know no language themselves.
"""

from __future__ import annotations

from collections.abc import Collection

# role -> language -> words, regular expressions without groups; longest first within a language
WORDS: dict[str, dict[str, str]] = {
    "solution": {  # headings and fields of what leads to the answer
        "en": "solutions?|explanations?|rationales?",
        "zh": "小问[^】\\n]{0,6}详解|解析|解答|详解|分析|点评|点睛",
    },
    "instruction": {  # how the paper is to be worked on
        "en": "calculators?|pencils?|booklets?|answer[ \\t]+sheet",
        "zh": "答题卡|铅笔|考试|作答|考生|试卷|准考证|答案写",
    },
    "answer": {  # what is declared
        "en": "answers?|ans",
        "zh": "答案",
        "ja": "答え|解答|正解|こたえ",
        "ko": "정답|답은|답",
        "de": "antwort",
        "fr": "réponse",
        "es": "respuesta",
        "pt": "resposta",
        "it": "risposta",
        "ru": "ответ",
        "uk": "відповідь",
        "pl": "odpowiedź",
        "nl": "antwoord",
        "tr": "cevap|yanıt",
        "id": "jawaban(?:nya)?",
        "vi": "đáp án|đáp số|câu trả lời",
        "ar": "الإجابة|الجواب",
        "fa": "پاسخ",
        "hi": "उत्तर|जवाब",
        "bn": "উত্তর",
        "th": "คำตอบ",
    },
    "result": {  # declared by a verb; a heading of this name only opens the work
        "en": "result|solution",
        "zh": "结果",
        "de": "lösung|ergebnis",
        "fr": "résultat",
        "es": "solución|resultado",
        "pt": "solução|resultado",
        "it": "soluzione|risultato",
        "pl": "wynik",
        "vi": "kết quả",
    },
    "right": {  # between the answer's noun and its verb: "la respuesta correcta es"
        "es": "correcta|final",
        "it": "corretta|esatta|finale",
        "fr": "correcte|exacte|finale",
        "id": "yang benar",
        "vi": "đúng|cuối cùng",
        "ar": "الصحيحة|النهائية|الصحيح",
        "en": "letter|here",
    },
    "is": {
        "en": "is|are|was|be|should be|must be|would be|will be|seems to be|equals"
              "|comes out to be|comes out as",
        "zh": "应该是|应该为|应当是|应当为|应为|应是|分别为|分别是|为|是|选",
        "ja": "は|が",
        "ko": "은|는|이",
        "de": "ist|sind|lautet|beträgt",
        "fr": "est|sont",
        "es": "es|son",
        "pt": "é|são",
        "it": "è|sono",
        "pl": "jest|wynosi",
        "id": "adalah",
        "vi": "là",
        "ar": "هي|هو",
        "th": "คือ",
    },
    "gives": {  # a statement's verb in front of its value
        "en": "needs?|costs?|get|gives?|equals?",
        "zh": "等于|共有|得到|得|有",
    },
    "leads": {  # between the verb and the value, and no part of it
        "en": "option|choice|the value of|the|value of|equal to|about|approximately|roughly|exactly"
              "|only|a total of|to be|also|therefore|thus|then|that|simply|just|still|now|again",
        "zh": "约为|约|因此|所以|就是",
    },
    "joins": {  # several values of one answer
        "en": "and|or",
        "zh": "或者|或|和|与|及",
    },
    "ends": {  # behind the value, in languages whose verb stands last
        "ja": "です|である|となります|となる|だ",
        "ko": "입니다|이다|이에요|예요",
        "hi": "हैं|है",
        "tr": "dir|dır|tir|tır",
    },
    "so": {
        "en": "so|thus|therefore|hence|consequently|in conclusion|in summary|overall",
        "zh": "综上所述|综上|因此|所以|从而|故",
        "ja": "よって|したがって|ゆえに",
        "ko": "따라서|그러므로",
        "de": "also|daher|somit|folglich",
        "fr": "donc|ainsi",
        "es": "por lo tanto|así que|entonces|luego",
        "pt": "portanto|logo",
        "it": "quindi|dunque|pertanto",
        "ru": "следовательно|таким образом|значит|итак",
        "vi": "vậy|do đó",
        "hi": "इसलिए|अतः",
    },
    "option": {
        "en": "option|choice|letter",
        "zh": "选项",
        "ja": "選択肢",
        "ko": "보기",
        "de": "variante",
        "fr": "lettre",
        "es": "opción|letra",
        "pt": "opção|alternativa|letra",
        "it": "opzione|lettera",
        "ru": "вариант",
        "pl": "opcja",
        "vi": "phương án",
        "id": "pilihan|opsi",
        "tr": "seçenek",
        "hi": "विकल्प",
        "ar": "الخيار",
    },
    "choose": {
        "en": "go with|finali[sz]e|choose|select|pick|correct is|corresponds to|matches",
        "zh": "故选择|故选|应选|选择|选|答案】?",
    },
    "correct": {  # says of an option that it is right
        "en": "correct|right|true|valid",
        "zh": "正确|符合题意|符合|对",
        "ja": "正しい|正解",
        "ko": "맞다|맞습니다|옳다|옳습니다",
        "de": "richtig|korrekt",
        "es": "correctas?",
        "fr": "correctes?|exactes?",
        "pt": "corretas?",
        "it": "corrette?|corretta",
        "ru": "верны?|правильны?|верен|верно",
    },
    "and": {"en": "and", "zh": "以及|和|与|及", "ja": "と", "ko": "와|과|및", "de": "und",
            "fr": "et", "es": "y", "pt": "e", "it": "e", "ru": "и", "vi": "và"},
    "yes": {"en": "yes|true", "zh": "是|对|正确", "fr": "oui", "de": "ja", "es": "sí"},
    "no": {"en": "no|false", "zh": "否|不是|错误", "fr": "non", "de": "nein", "es": "no"},
    "negates": {
        "en": "is not|are not|was not|were not|does not|do not|did not|cannot|isn't|aren't|wasn't"
              "|doesn't|don't|didn't",
        "zh": "不是|并非|并不",
    },
    "corrects": {
        "en": "no|wait|actually|correction|sorry|oops|on second thought|on second look",
        "zh": "不对|等等|更正|纠正|应该是",
        "de": "nein|moment|korrektur",
        "fr": "non|attendez|correction",
        "es": "espera|corrección",
    },
    "compared": {  # in front of a number that is a bound, not an answer
        "en": "than|least|most|above|below|over|under|between|until|up to|not|cannot be",
        "zh": "大于|小于|超过|低于|高于|至少|至多|不是|不",
    },
    "courtesy": {  # closes a reply without saying anything
        "en": "i hope (?:this|it|that)|let me know|do you (?:want|have|need)|is there anything"
              "|if you have any|feel free|would you like|please let me",
        "zh": "希望|如果你|如果您|如有",
    },
    "question": {  # opens another question that nobody has asked
        "en": "question|problem|human|user|exercise",
        "zh": "问题|题目|用户",
    },
    "decline": {  # the reply says that it cannot answer
        "en": r"(?:cannot|can't|can not|could not|couldn't|unable to|not able to|impossible to"
              r"|not possible to|(?:don't|do not) have the (?:ability|capability) to"
              r"|difficult to)\s+(?:\w+\s+){0,3}"
              r"(?:see|view|analy[sz]e|access|display|determine|answer|provide|find|help|process"
              r"|interpret|solve|identify|calculate|say|tell|give|assist|conclude|be (?:determined"
              r"|answered|found|calculated|solved))"
              r"|(?:no|isn't any|missing|without)\s+(?:\w+\s+){0,2}"
              r"(?:image|picture|diagram|figure|information|context|details|data)"
              r"|(?:not|n't)\s+(?:\w+\s+){0,3}(?:provided|given|attached|visible|enough"
              r"|sufficient|clear)"
              r"|insufficient|need (?:more|additional|further)|(?:please|could you) "
              r"(?:please )?(?:provide|describe|clarify|share|update|upload|give)"
              r"|(?:would|will) need (?:to|more|the)|as an ai|as a (?:text|language)"
              r"|i'm sorry|i am sorry|i apologi[sz]e",
        "zh": "无法(?:确定|回答|看到|判断|查看|提供|得出|解答)|不能(?:确定|回答|看到)"
              "|没有(?:提供|足够)|抱歉|请提供|信息不足",
        "ja": "できません|わかりません|申し訳",
        "ko": "없습니다|죄송",
        "de": "kann (?:ich )?nicht|nicht möglich|tut mir leid",
        "fr": "ne peux pas|désolée?|impossible de",
        "es": "no puedo|lo siento|no es posible",
        "pt": "não posso|não consigo|desculpe",
        "it": "non posso|mi dispiace",
        "ru": "не могу|невозможно|извините",
    },
}  # fmt: skip


_UNSPACED = frozenset("zh ja ko th hi bn".split())
SCHOOL = ("en", "zh")  # the languages of exams that are read


def words(*roles: str, languages: Collection[str] = ()) -> str:
    """One group of all words of these roles; words of Latin, Cyrillic and the like stand whole.

    `languages`: only these, where a word means something else in another (解答).

    >>> import re; re.findall(words("so"), "So it is B. Also, 故选 B")
    ['故']
    """
    spaced: list[str] = []
    unspaced: list[str] = []
    for role in roles:
        for language, listed in WORDS[role].items():
            if not languages or language in languages:
                (unspaced if language in _UNSPACED else spaced).append(listed)
    whole = rf"\b(?:{'|'.join(spaced)})\b" if spaced else r"(?!)"
    return rf"(?:{whole}|{'|'.join(unspaced)})" if unspaced else rf"(?:{whole})"
