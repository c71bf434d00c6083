"""Labelling in Label Studio: tasks out, answers back, votes counted, agreement measured."""
