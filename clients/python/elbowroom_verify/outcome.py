"""How a verification can end besides a proof."""

from __future__ import annotations


class BadInput(Exception):
    """A file that cannot be read, or a value that it must not have: exit code 2."""


class OutsideScope(Exception):
    """A correct input that this checker does not support: exit code 3. Nothing is said about the motion."""


class NotProved(Exception):
    """The certificate is no proof: exit code 1."""
