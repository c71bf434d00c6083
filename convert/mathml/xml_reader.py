"""XML of documents and question banks, read safely: no entity is resolved, nothing is loaded."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from .tree import MAX_DEPTH, Refusal

_PARSER = etree.XMLParser(
    resolve_entities=False,
    no_network=True,
    load_dtd=False,
    huge_tree=False,
    remove_comments=True,
    remove_pis=True,
)


def parse_xml(text: str | bytes) -> Any:
    """An lxml element; raises Refusal for what is no XML, or nested too deeply."""
    try:
        if isinstance(text, str):
            text = re.sub(r"^<\?xml[^>]*\?>", "", text).encode("utf-8", "strict")
        return etree.fromstring(text, _PARSER)
    except (etree.XMLSyntaxError, UnicodeEncodeError, ValueError) as error:
        if "depth" in str(error):
            raise Refusal(f"nested deeper than {MAX_DEPTH} elements") from None
        raise Refusal(f"malformed XML: {getattr(error, 'msg', error)}"[:200]) from None
