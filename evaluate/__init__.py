"""Predictions in, scores out: replies asked for and matched, judges, metrics, reports."""
