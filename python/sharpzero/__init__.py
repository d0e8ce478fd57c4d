"""Chess# and its relatives: rules, alpha-beta search, a network's encoding, and games of runs.

Moves are strings in UCI, points are White's of ten, outcomes come in the order of OUTCOMES (Black
wins … White wins). Bad input raises ValueError with one line that says what, where and what was
expected; an argument of a wrong type raises TypeError, which shows the signature.
"""

from importlib.metadata import version

from ._core import (
    OUTCOMES,
    Batch,
    Engine,
    Game,
    Line,
    Ply,
    Position,
    Report,
    RuleSet,
    ScoringTable,
    games,
    planes,
    policy_index,
    policy_indices,
    read_pgn,
    shape,
)

__version__ = version("sharpzero")

__all__ = [
    "OUTCOMES",
    "Batch",
    "Engine",
    "Game",
    "Line",
    "Ply",
    "Position",
    "Report",
    "RuleSet",
    "ScoringTable",
    "__version__",
    "games",
    "planes",
    "policy_index",
    "policy_indices",
    "read_pgn",
    "shape",
]
