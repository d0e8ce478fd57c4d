"""Reads a PGN file with python-chess and tells of each game, a line of JSON each, what it came to."""
import json
import sys

import chess.pgn

with open(sys.argv[1], encoding="utf-8") as file:
    while (game := chess.pgn.read_game(file)) is not None:
        board = game.end().board()
        print(json.dumps({
            "errors": [str(error) for error in game.errors],
            "plies": board.ply() - game.board().ply(),
            "fen": board.shredder_fen() if board.chess960 else board.fen(),
            "checkmate": board.is_checkmate(),
            "stalemate": board.is_stalemate(),
            "result": game.headers["Result"],
        }))
