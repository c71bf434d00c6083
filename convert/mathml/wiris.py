"""WIRIS safe XML: MathML whose markup characters were replaced, as kept in `data-mathml`."""

from __future__ import annotations

# https://docs.wiris.com: « < » > ¨ " § & ` '
_SAFE = str.maketrans({"«": "<", "»": ">", "¨": '"', "§": "&", "`": "'"})


def is_safe_xml(text: str) -> bool:
    """Whether `text` is safe XML: it starts with « and holds no real markup."""
    return text.lstrip().startswith("«") and "<" not in text


def from_safe_xml(text: str) -> str:
    """The MathML that safe XML stands for.

    >>> from_safe_xml("«math»«mi mathvariant=¨normal¨»x«/mi»«/math»")
    '<math><mi mathvariant="normal">x</mi></math>'
    """
    return text.translate(_SAFE)
