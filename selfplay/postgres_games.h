#pragma once
// A run's games in a shared store.

#include <memory>
#include <pqxx/pqxx>
#include <span>
#include <string>
#include <vector>

#include "selfplay/game_database.h"
#include "selfplay/postgres_connection.h"

namespace selfplay {

// A game on its way into the table `games`.
struct IncomingGame {
  const GameRecord* game = nullptr;
  std::string record;      // as bytea_of()
  std::int64_t lease = 0;  // of the actor; 0: none
};

// Stores games in one COPY, all but those that are there already: with the next ids of the run or
// with their own. Returns the first id and how many were stored. Until the end of the transaction
// others who store games of this run wait.
struct Inserted {
  std::int64_t first_id = 0, count = 0;
};
Inserted insert_games(pqxx::work& transaction, int run, std::span<const IncomingGame> games,
                      GameDatabase::Ids ids);

std::unique_ptr<GameDatabase> postgres_games(std::shared_ptr<PostgresConnection> connection,
                                             int run);

}  // namespace selfplay
