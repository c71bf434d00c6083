"""Asking a model about every sample."""
