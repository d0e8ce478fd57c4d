#pragma once
// The tables of a shared store, as the program makes them, and a run's games in them.

#include <memory>
#include <pqxx/pqxx>
#include <span>
#include <string>

#include "selfplay/game_store.h"
#include "selfplay/postgres_connection.h"

namespace selfplay {

inline constexpr int kSharedStoreVersion = 1;

// Games that a queue holds at most; further ones are refused.
inline constexpr int kMostQueued = 20000;

// Makes the tables where there are none. One at a time: others wait.
void make_tables(pqxx::work& transaction);
// Throws base::InputError where there are none, or of another version. `name` begins the message.
void check_tables(pqxx::work& transaction, const std::string& name);
// SharedStore::let_act().
void grant_to_actor(pqxx::work& transaction, const std::string& role);

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
