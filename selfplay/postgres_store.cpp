#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/json.h"
#include "selfplay/postgres_connection.h"
#include "selfplay/postgres_tables.h"
#include "selfplay/shared_store.h"

namespace selfplay {
namespace {

constexpr int kLearnerLock = 0x53234742;  // first key of the advisory locks; the second is the run
constexpr int kAdmittedAtOnce = 256;
constexpr const char* kChannel = "sharpzero_network";

constexpr const char* kStatus = R"(
SELECT coalesce(json_agg(row_to_json(r) ORDER BY r.run), '[]') FROM (
  SELECT name AS run, finished,
    EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $2 AND
            objid = runs.id::oid AND granted AND
            database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS learner,
    (SELECT count(*) FROM games WHERE run = runs.id) AS games,
    (SELECT count(*) FROM games WHERE run = runs.id AND stored > now() - interval '10 minutes') * 6
      AS games_per_h,
    (SELECT count(*) FROM arrivals WHERE run = runs.id) AS queue,
    (SELECT extract(epoch FROM now() - min(arrived)) FROM arrivals WHERE run = runs.id)
      AS longest_in_queue_s,
    (SELECT count(*) FROM refused WHERE run = runs.id) AS refused,
    (SELECT max(generation) FROM networks WHERE run = runs.id) AS network,
    (SELECT extract(epoch FROM now() - max(published)) FROM networks WHERE run = runs.id)
      AS network_age_s,
    (SELECT coalesce(json_agg(json_build_object(
       'lease', lease, 'machine', machine, 'device', device, 'threads', threads,
       'network', network, 'games', games,
       'games_per_h', games * 3600 / greatest(1, extract(epoch FROM seen - began)),
       'waited_s', waited_s, 'seen_s', extract(epoch FROM now() - seen)) ORDER BY lease), '[]')
     FROM actors WHERE run = runs.id AND seen > now() - interval '1 minute') AS actors
  FROM runs WHERE $1 = '' OR name = $1) r
)";

std::string checksum_of(const std::string& bytes) { return std::to_string(base::fnv1a(bytes)); }

// Hears of new networks.
class Listener final : public pqxx::notification_receiver {
 public:
  Listener(pqxx::connection& connection, bool& heard)
      : notification_receiver(connection, kChannel), heard_(heard) {}
  void operator()(const std::string&, int) override { heard_ = true; }

 private:
  bool& heard_;
};

class PostgresStore final : public SharedStore {
 public:
  explicit PostgresStore(const StoreAccess& access)
      : connection_(std::make_shared<PostgresConnection>(
            access, [this](pqxx::connection& connection) { return greet(connection); })) {
    connection_->transact([&](pqxx::work& transaction) {
      if (access.make) make_tables(transaction);
      check_tables(transaction, name());
    });
  }

  std::string name() const override { return connection_->name(); }

  SharedRun find_run(const std::string& run) override {
    return connection_->transact([&](pqxx::work& transaction) {
      const auto rows = transaction.exec_params(
          "SELECT id, name, config, finished FROM runs WHERE $1 = '' OR name = $1 ORDER BY id DESC "
          "LIMIT 1",
          run);
      if (rows.empty()) {
        throw base::InputError(name() + ": holds no run" +
                               (run.empty() ? std::string("s") : " '" + run + "'"));
      }
      return run_of(rows[0]);
    });
  }

  std::int64_t prune(const SharedRun& run, std::int64_t keep) override {
    return connection_->transact([&](pqxx::work& transaction) {
      transaction.exec_params("DELETE FROM refused WHERE run = $1", run.id);
      return remove_networks(transaction, run.id, keep);
    });
  }

  std::int64_t check_networks(const SharedRun& run) override {
    std::int64_t found = 0;
    const auto generations = connection_->transact([&](pqxx::work& transaction) {
      return transaction.exec_params(
          "SELECT generation FROM networks WHERE run = $1 ORDER BY generation", run.id);
    });
    for (const auto& row : generations) {
      if (read_network(run, "generation = $2", row[0].as<std::int64_t>())) ++found;
    }
    return found;
  }

  void let_act(const std::string& role) override {
    connection_->transact([&](pqxx::work& transaction) { grant_to_actor(transaction, role); });
  }

  nlohmann::ordered_json status(const std::string& run) override {
    const std::string text = connection_->transact([&](pqxx::work& transaction) {
      return transaction.exec_params1(kStatus, run, kLearnerLock)[0].as<std::string>();
    });
    return base::parse<nlohmann::ordered_json>(text);
  }

  SharedRun claim_run(const std::string& run, const std::string& config) override {
    claimed_ = connection_->transact([&](pqxx::work& transaction) {
      transaction.exec_params(
          "INSERT INTO runs (name, config) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", run,
          config);
      return transaction.exec_params1("SELECT id FROM runs WHERE name = $1", run)[0].as<int>();
    });
    connection_->with_connection([this](pqxx::connection& connection) { lock(connection); });
    // Only now: until it is locked the run may be another learner's.
    return connection_->transact([&](pqxx::work& transaction) {
      return run_of(transaction.exec_params1(
          "UPDATE runs SET config = CASE WHEN $2 = '' THEN config ELSE $2 END WHERE id = $1 "
          "RETURNING id, name, config, finished",
          *claimed_, config));
    });
  }

  void set_finished(const SharedRun& run, bool finished) override {
    connection_->transact([&](pqxx::work& transaction) {
      transaction.exec_params("UPDATE runs SET finished = $2 WHERE id = $1", run.id, finished);
    });
  }

  std::unique_ptr<GameDatabase> games(const SharedRun& run) override {
    return postgres_games(connection_, run.id);
  }

  void publish(const SharedRun& run, const SharedNetwork& network, int keep) override {
    const std::string bytes = bytea_of(std::as_bytes(std::span(network.file)));
    connection_->transact([&](pqxx::work& transaction) {
      transaction.exec_params(
          "INSERT INTO networks (run, generation, checksum, network) VALUES ($1, $2, $3, $4) ON "
          "CONFLICT (run, generation) DO UPDATE SET checksum = $3, network = $4",
          run.id, network.generation, checksum_of(network.file), bytes);
      remove_networks(transaction, run.id, keep);
      transaction.exec(std::string("NOTIFY ") + kChannel);
    });
  }

  Admission admit(const SharedRun& run, const GameTerms& terms, std::int64_t most_plies) override {
    return connection_->transact(
        [&](pqxx::work& transaction) { return admit_some(transaction, run, terms, most_plies); });
  }

  std::int64_t plies_after(const SharedRun& run, std::int64_t id) override {
    return connection_->transact([&](pqxx::work& transaction) {
      return transaction
          .exec_params1("SELECT coalesce(sum(plies), 0) FROM games WHERE run = $1 AND id > $2",
                        run.id, id)[0]
          .as<std::int64_t>();
    });
  }

  std::int64_t enlist(const SharedRun& run, const ActorCard& card) override {
    return connection_->transact([&](pqxx::work& transaction) {
      return transaction
          .exec_params1("SELECT enlist($1, $2, $3, $4, $5, $6)", run.id, kSharedStoreVersion,
                        card.machine, card.program, card.device, card.threads)[0]
          .as<std::int64_t>();
    });
  }

  bool beat(std::int64_t lease, const ActorProgress& progress) override {
    return connection_->transact([&](pqxx::work& transaction) {
      return transaction
          .exec_params1("SELECT beat($1, $2, $3, $4, $5)", lease, progress.network, progress.games,
                        progress.plies, progress.waited_s)[0]
          .as<bool>();
    });
  }

  std::optional<SharedNetwork> newest_network(const SharedRun& run,
                                              std::int64_t newer_than) override {
    return read_network(run, "generation > $2 ORDER BY generation DESC LIMIT 1", newer_than);
  }

  bool announced() override {
    return connection_->with_connection([this](pqxx::connection& connection) {
      connection.get_notifs();
      return std::exchange(heard_, false);
    });
  }

  void send(const SharedRun& run, std::int64_t lease, std::span<const GameRecord> games) override {
    std::vector<std::array<std::string, 3>> rows;
    for (const GameRecord& game : games) {
      rows.push_back({std::to_string(run.id), std::to_string(lease), bytea_of(encode(game))});
    }
    connection_->transact([&](pqxx::work& transaction) {
      constexpr std::array<const char*, 3> kQueueColumns{"run", "lease", "record"};
      copy_rows(transaction, "arrivals", kQueueColumns, rows);
    });
  }

 private:
  // Called on each new connection.
  std::unique_ptr<Listener> greet(pqxx::connection& connection) {
    auto listener = std::make_unique<Listener>(connection, heard_);
    heard_ = true;  // something may have been missed
    if (claimed_) lock(connection);
    return listener;
  }

  // Locks the run until the connection ends. What a learner that was cut off has left goes within
  // half a minute.
  void lock(pqxx::connection& connection) {
    pqxx::nontransaction transaction(connection);
    transaction.exec("SET lock_timeout = '40s'");
    try {
      transaction.exec_params("SELECT pg_advisory_lock($1, $2)", kLearnerLock, *claimed_);
    } catch (const pqxx::sql_error& error) {
      if (error.sqlstate() != "55P03") throw;
      throw base::EnvironmentError(name() + ": the run is in use by another learner");
    }
    transaction.exec("SET lock_timeout = 0");
  }

  static SharedRun run_of(const pqxx::row& row) {
    return {row[0].as<int>(), row[1].as<std::string>(), row[2].as<std::string>(),
            row[3].as<bool>()};
  }

  static std::int64_t remove_networks(pqxx::work& transaction, int run, std::int64_t keep) {
    const auto removed = transaction.exec_params(
        "DELETE FROM networks WHERE run = $1 AND generation <= (SELECT generation FROM networks "
        "WHERE run = $1 ORDER BY generation DESC OFFSET $2 LIMIT 1)",
        run, keep);
    return static_cast<std::int64_t>(removed.affected_rows());
  }

  std::optional<SharedNetwork> read_network(const SharedRun& run, const std::string& which,
                                            std::int64_t generation) {
    const auto rows = connection_->transact([&](pqxx::work& transaction) {
      return transaction.exec_params(
          "SELECT generation, checksum, network FROM networks WHERE run = $1 AND " + which, run.id,
          generation);
    });
    if (rows.empty()) return std::nullopt;
    SharedNetwork network{rows[0][0].as<std::int64_t>(), bytes_of(rows[0][2])};
    if (checksum_of(network.file) != rows[0][1].as<std::string>()) {
      throw base::InputError(name() + ": network " + std::to_string(network.generation) +
                             " of run '" + run.name + "': its checksum does not fit");
    }
    return network;
  }

  Admission admit_some(pqxx::work& transaction, const SharedRun& run, const GameTerms& terms,
                       std::int64_t most_plies) {
    const auto rows = transaction.exec_params(
        "SELECT id, lease, record FROM arrivals WHERE run = $1 ORDER BY id LIMIT $2", run.id,
        kAdmittedAtOnce);
    Admission done;
    done.empty = static_cast<int>(rows.size()) < kAdmittedAtOnce;
    std::vector<GameRecord> games;
    games.reserve(rows.size());
    std::vector<IncomingGame> incoming;
    std::string looked_at;  // ids
    for (const auto& row : rows) {
      if (done.plies >= most_plies) {
        done.empty = false;
        break;
      }
      looked_at += (looked_at.empty() ? "" : ",") + std::string(row[0].c_str());
      const std::string record = bytes_of(row[2]);
      try {
        games.push_back(checked_game(std::as_bytes(std::span(record)), terms));
        incoming.push_back({&games.back(), row[2].c_str(), row[1].as<std::int64_t>()});
        done.plies += std::ssize(games.back().plies);
      } catch (const base::InputError& error) {
        if (done.refused++ == 0) done.reason = error.what();
        transaction.exec_params(
            "INSERT INTO refused (id, run, lease, reason, record) SELECT id, run, lease, $2, record "
            "FROM arrivals WHERE id = $1",
            row[0].as<std::int64_t>(), std::string(error.what()));
      }
    }
    if (!incoming.empty()) {
      done.games = insert_games(transaction, run.id, incoming, GameDatabase::Ids::kNext).count;
      done.repeated = std::ssize(incoming) - done.games;
    }
    transaction.exec_params("DELETE FROM arrivals WHERE id = ANY ($1::bigint[])",
                            "{" + looked_at + "}");
    return done;
  }

  std::optional<int> claimed_;  // a learner's run
  bool heard_ = false;
  std::shared_ptr<PostgresConnection> connection_;
};

}  // namespace

std::unique_ptr<SharedStore> open_shared_store(const StoreAccess& access) {
  return std::make_unique<PostgresStore>(access);
}

}  // namespace selfplay
