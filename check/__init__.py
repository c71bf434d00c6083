"""Validators of problems, and the self-test of gold answers."""
