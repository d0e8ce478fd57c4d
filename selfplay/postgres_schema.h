#pragma once
// The tables of a shared store, as the program makes them.

#include <pqxx/pqxx>
#include <string>

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

}  // namespace selfplay
