"""Validators, the self-test of golds, which problems are taken, options and captions."""
