"""Whether a picture can be read: measured, and by OCR."""
