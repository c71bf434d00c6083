"""Whether a picture can be read: measured, and by OCR."""

from __future__ import annotations

from .check import legibility
from .ocr import printed_numbers, words_of
