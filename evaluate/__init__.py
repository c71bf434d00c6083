"""Predictions in, scores out: extraction, grading, metrics, judges, reports."""
