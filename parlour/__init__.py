"""Parlour: a fair referee for multi-player games that programs, language models and people play together."""

__version__ = "0.1.0"
