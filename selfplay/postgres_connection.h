#pragma once
// One connection to a PostgreSQL server, made anew where it broke.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <pqxx/pqxx>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "selfplay/shared_store.h"

namespace selfplay {

class PostgresConnection {
 public:
  // Called on each new connection; what it returns goes before that.
  using Greet = std::function<std::unique_ptr<pqxx::notification_receiver>(pqxx::connection&)>;
  // Connects. Throws as SharedStore's functions do.
  PostgresConnection(StoreAccess access, Greet greet);

  const std::string& name() const { return name_; }  // the URL without its password

  // Runs f(pqxx::work&) as one transaction and returns what it returns. Where the server is away
  // meanwhile it is run again, as StoreAccess::try_again says: also where it is not known whether
  // the transaction was committed. Errors become those of SharedStore.
  template <class F>
  auto transact(F f) {
    return with_connection([&](pqxx::connection& connection) {
      pqxx::work transaction(connection);
      if constexpr (std::is_void_v<decltype(f(transaction))>) {
        f(transaction);
        transaction.commit();
      } else {
        auto result = f(transaction);
        transaction.commit();
        return result;
      }
    });
  }
  // The same with f(pqxx::connection&), outside of a transaction.
  template <class F>
  auto with_connection(F f) {
    const std::lock_guard lock(mutex_);
    for (int tries = 0;; ++tries) {
      try {
        connect();
        return f(*connection_);
      } catch (...) {
        recover(tries);
      }
    }
  }

 private:
  void connect();
  void disconnect();
  // Called while an exception is handled: throws it on in our words, or returns where another try
  // is due.
  void recover(int tries);

  StoreAccess access_;
  std::string name_, settings_;
  Greet greet_;
  std::mutex mutex_;
  std::unique_ptr<pqxx::connection> connection_;
  std::unique_ptr<pqxx::notification_receiver> receiver_;  // of that connection
  bool met_ = false;                                       // there was a connection
};

// Bytes as PostgreSQL takes them in a text, and back.
std::string bytea_of(std::span<const std::byte> bytes);
std::string bytes_of(const pqxx::field& bytea);

// Sends rows by COPY.
template <std::size_t kColumns>
void copy_rows(pqxx::work& transaction, const std::string& table,
               const std::array<const char*, kColumns>& columns,
               const std::vector<std::array<std::string, kColumns>>& rows) {
#if PQXX_VERSION_MAJOR < 7
  pqxx::stream_to stream(transaction, table, columns);
#else
  std::string list;
  for (const char* column : columns) list += std::string(list.empty() ? "" : ", ") + column;
  auto stream = pqxx::stream_to::raw_table(transaction, table, list);
#endif
  for (const auto& row : rows) stream << row;
  stream.complete();
}

}  // namespace selfplay
