#!/usr/bin/env python3
"""perft_fairy.py [PROGRAM] [ENGINE]: games from files that Fairy-Stockfish can express too, counted by both.

Prints a line for each: depth, PROGRAM's leaves, ENGINE's, FEN, and the game as a file's text; the lines are what
tests/rules/perft_test.cpp compares with. Exit code 1 where two differ. PROGRAM is ./sharpzero, ENGINE
/usr/games/fairy-stockfish (11.1).
"""
import pathlib
import re
import subprocess
import sys
import tempfile

CLASSICAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MIDDLE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
NEAR = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"
RESERVE = """variantTemplate = crazyhouse
pocketSize = 5
pawn = p
knight = n
bishop = b
rook = r
queen = q
commoner = k
pieceDrops = true
capturesToHand = false
mustDrop = true
mustDropType = k
doubleStep = false
castling = false
extinctionValue = loss
extinctionPieceTypes = k
nMoveRule = 50
nFoldRule = 0
"""
DE = " ".join(file + str(row) for file in "de" for row in range(1, 9))
HELD = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KRRBBNNkrrbbnn] w - - 0 1"
# Text of a game, Fairy-Stockfish's variant, what this adds to it, positions and depths.
GAMES = [
    ("based_on='chess'\nsetup.rows=['RNBKQBNR','PPPPPPPP']\nkings.castling='none'", "chess", "castling = false",
     [("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1", 4)]),
    ("based_on='chess'\nsetup={rows=['RNBQKBNR','1PPPPPP1'], black=['4K3','PPPPPPPP','P6P']}", "chess", "",
     [("4k3/pppppppp/p6p/8/8/8/1PPPPPP1/RNBQKBNR w KQ - 0 1", 4)]),
    ("based_on='chess'\npawns.promotion=['knight','rook']", "chess", "promotionPieceTypes = nr", [(NEAR, 4)]),
    ("based_on='chess'\npawns.promotion=['queen']", "chess", "promotionPieceTypes = q", [(NEAR, 4), (MIDDLE, 3)]),
    ("based_on='chess'\npawns.double_step=[3]\nsetup.rows=['RNBQKBNR','8','PPPPPPPP']", "chess",
     "doubleStepRank = 3\ndoubleStepRankMin = 3", [("rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w KQkq - 0 1", 4)]),
    ("based_on='chess'\nends.goal_king=['d4','e4','d5','e5']", "kingofthehill", "",
     [(CLASSICAL, 4), ("4k3/8/8/8/8/3K4/4P3/8 w - - 0 1", 4), (MIDDLE, 3)]),
    ("based_on='chess'\nends.goal_king=['8']", "chess",
     "flagPiece = k\nwhiteFlag = *8\nblackFlag = *1\nflagMove = false", [("8/4K3/8/8/8/8/3k4/8 w - - 0 1", 4), (ENDING, 4)]),
    ("based_on='chess'\nends.bare_king_loses=true", "chess",
     "extinctionValue = loss\nextinctionPieceTypes = *\nextinctionPieceCount = 1", [("4k3/3n4/8/8/8/8/3R4/4K3 w - - 0 1", 4)]),
    ("setup.reserve='KRRBBNN'", "own", "whiteDropRegion = *1\nblackDropRegion = *8\npromotionPieceTypes = q", [(HELD, 4)]),
    ("setup.reserve='KRRBBNN'\nplacing.squares=['1','2','3']", "own",
     "whiteDropRegion = *1 *2 *3\nblackDropRegion = *8 *7 *6\npromotionPieceTypes = q", [(HELD, 3)]),
    ("setup.reserve='KRRBBNN'\nplacing.squares=['d','e']\npawns={double_step=[2], promotion=['queen','knight']}", "own",
     f"whiteDropRegion = {DE}\nblackDropRegion = {DE}\npromotionPieceTypes = qn\ndoubleStep = true", [(HELD, 3)]),
    ("setup.reserve='KRRBBNN'\nends.goal_king=['4']", "own",
     "whiteDropRegion = *1\nblackDropRegion = *8\npromotionPieceTypes = q\nflagPiece = k\nwhiteFlag = *4\nblackFlag = *5",
     [("8/pppppppp/8/4k3/8/3K4/PPPPPPPP/8[] w - - 0 1", 4), (HELD, 3)]),
    ("setup.reserve='KRRBBNN'\nends.extinct=['knight']", "own",
     "whiteDropRegion = *1\nblackDropRegion = *8\npromotionPieceTypes = q\nextinctionPieceTypes = kn",
     [("4k2n/pppppppp/5N2/8/4N3/5n2/PPPPPPPP/4K3[] w - - 0 1", 4)]),
]


def own(program, file, fen, depth):
    answer = subprocess.run([program, "perft", "--rules", file, "--fen", fen, "--depth", str(depth), "--ends"], check=True,
                            capture_output=True, text=True)
    return int(answer.stdout)


def fairy(engine, ini, variant, fen, depth):
    said = subprocess.run([engine], capture_output=True, text=True, check=True,
                          input=f"setoption name VariantPath value {ini}\nsetoption name UCI_Variant value {variant}\n"
                                f"position fen {fen}\ngo perft {depth}\nquit\n").stdout
    return int(re.search(r"Nodes searched: (\d+)", said)[1])


def main():
    program, engine = (sys.argv[1:] + ["./sharpzero", "/usr/games/fairy-stockfish"][len(sys.argv) - 1:])[:2]
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        file, ini = pathlib.Path(folder) / "own_game.toml", pathlib.Path(folder) / "own.ini"
        for number, (text, base, lines, positions) in enumerate(GAMES):
            file.write_text(text + "\n", encoding="utf-8")
            head = f"[own{number}]\n{RESERVE}" if base == "own" else f"[own{number}:{base}]\n"
            ini.write_text(head + lines + "\n", encoding="utf-8")
            for fen, depth in positions:
                counts = own(program, file, fen, depth), fairy(engine, ini, f"own{number}", fen, depth)
                differ += counts[0] != counts[1]
                print("" if counts[0] == counts[1] else "DIFFER", depth, *counts, fen, repr(text))
    sys.exit(differ > 0)


main()
