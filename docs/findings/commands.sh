./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 9000 --seed 1 --out studies/findings/games
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 250,4000 --games 1500 --seed 1 --out studies/findings/games
./sharpzero advantage --net networks/nnue/second_seed --sims 1000 --games 1500 --seed 1 --out studies/findings/second_seed
./sharpzero advantage --net networks/nnue/second_seed --sims 1000 --games 1500 --checkpoints 7 --seed 1 --out studies/findings/training
./sharpzero scoring --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 9000 --table impasse_equal=4.9 --table stalemate=2.2 --table bishop=3.25 --sweep impasse_equal=0:10:11 --sweep impasse_unequal=0:5:6 --sweep stalemate=0:5:6 --seed 1 --out studies/findings/games
./sharpzero scoring --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 4000 --games 1500 --table impasse_equal=4.9 --table stalemate=2.2 --table bishop=3.25 --sweep impasse_equal=0:10:11 --sweep impasse_unequal=0:5:6 --sweep stalemate=0:5:6 --seed 1 --out studies/findings/games
./sharpzero scoring --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 2000 --play --table impasse_equal=4.9 --table stalemate=2.2 --table bishop=3.25 --fair impasse_equal --fair impasse_unequal --fair stalemate --seed 1 --out studies/findings/games
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 500 --fen "8/pppppppp/8/8/8/8/PPPPPPPP/8[KRRBBNNkqrrbbnn] w - - 0 1" --seed 1 --out studies/findings/handicaps
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 500 --fen "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkrrbbnn] w - - 0 1" --seed 1 --out studies/findings/handicaps
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 500 --fen "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRBBNNkqrrbbnn] w - - 0 1" --seed 1 --out studies/findings/handicaps
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 500 --fen "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrbbnn] w - - 0 1" --seed 1 --out studies/findings/handicaps
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 500 --fen "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBNNkqrrbbnn] w - - 0 1" --seed 1 --out studies/findings/handicaps
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 500 --fen "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbnn] w - - 0 1" --seed 1 --out studies/findings/handicaps
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 500 --fen "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNkqrrbbnn] w - - 0 1" --seed 1 --out studies/findings/handicaps
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 500 --fen "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbn] w - - 0 1" --seed 1 --out studies/findings/handicaps
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 500 --fen "8/pppppppp/8/8/8/8/PPP1PPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1" --seed 1 --out studies/findings/handicaps
./sharpzero advantage --net networks/nnue/colour_blind/chess_sharp.safetensors --sims 1000 --games 500 --fen "8/ppp1pppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1" --seed 1 --out studies/findings/handicaps
./sharpzero advantage --net networks/rule_sets/chess_sharp_options.safetensors --sims 64 --games 600 --rules chess_sharp --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_sharp_options.safetensors:sims=64 --b alphabeta:2 --rules chess_sharp --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_sharp_options.safetensors --sims 64 --games 600 --rules chess_sharp+sprint --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_sharp_options.safetensors:sims=64 --b alphabeta:2 --rules chess_sharp+sprint --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_sharp_options.safetensors --sims 64 --games 600 --rules chess_sharp+before=3 --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_sharp_options.safetensors:sims=64 --b alphabeta:2 --rules chess_sharp+before=3 --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_sharp_options.safetensors --sims 64 --games 600 --rules chess_sharp+before=7 --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_sharp_options.safetensors:sims=64 --b alphabeta:2 --rules chess_sharp+before=7 --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_sharp_options.safetensors --sims 64 --games 600 --rules chess_sharp+bishops_opposite --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_sharp_options.safetensors:sims=64 --b alphabeta:2 --rules chess_sharp+bishops_opposite --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_family.safetensors --sims 64 --games 600 --rules chess --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_family.safetensors:sims=64 --b alphabeta:2 --rules chess --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_family.safetensors --sims 64 --games 600 --rules no_castling --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_family.safetensors:sims=64 --b alphabeta:2 --rules no_castling --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_family.safetensors --sims 64 --games 600 --rules pawn_one_square --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_family.safetensors:sims=64 --b alphabeta:2 --rules pawn_one_square --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_family.safetensors --sims 64 --games 600 --rules chess960 --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_family.safetensors:sims=64 --b alphabeta:2 --rules chess960 --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_family.safetensors --sims 64 --games 600 --rules chess480 --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_family.safetensors:sims=64 --b alphabeta:2 --rules chess480 --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_family.safetensors --sims 64 --games 600 --rules pre_chess --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_family.safetensors:sims=64 --b alphabeta:2 --rules pre_chess --games 100 --seed 1
./sharpzero advantage --net networks/rule_sets/chess_family.safetensors --sims 64 --games 600 --rules chess_plus --seed 1 --out studies/findings/rule_sets
./sharpzero match --a networks/rule_sets/chess_family.safetensors:sims=64 --b alphabeta:2 --rules chess_plus --games 100 --seed 1
./sharpzero advantage --rules chess_sharp,chess_sharp+sprint,chess_sharp+before=3,chess_sharp+before=7,chess_sharp+bishops_opposite,chess,no_castling,pawn_one_square,chess960,chess480,pre_chess,chess_plus,stalemate_win,raindrop --player alphabeta:2 --games 1500 --opening-plies 4 --seed 1 --out studies/findings/balance
./sharpzero book --out networks/book --games 500 --game-nodes 1000 --seed 1
./sharpzero luck --games 100 --player random --player greedy --player alphabeta:1 --player alphabeta:2 --seed 1
