"""Validators, the self-test of golds, which problems are taken, and open questions with options."""
