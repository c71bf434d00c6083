"""Models that vote beside people."""
