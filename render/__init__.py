"""Diagrams, pages and the six versions of a problem."""
