"""Duplicates: an exact join on text, pictures, classes, review, decisions."""
