"""Is this answer right: the grammar of answers, equality, extraction, verdicts, official rules."""
