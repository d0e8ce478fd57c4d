#include "selfplay/postgres_connection.h"

#include <libpq-fe.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "base/errors.h"

namespace selfplay {
namespace {

using namespace std::chrono_literals;

// For what the URL leaves open: a link that is cut is known within half a minute.
const std::map<std::string, std::string> kDefaults{
    {"application_name", "sharpzero"}, {"connect_timeout", "10"}, {"keepalives_idle", "10"},
    {"keepalives_interval", "5"},      {"keepalives_count", "3"}, {"tcp_user_timeout", "20000"}};

std::string quoted(const std::string& value) {
  std::string out = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

struct Settings {
  std::string text;  // "key='value' …"
  std::string name;
};

Settings settings_of(const std::string& url) {
  char* message = nullptr;
  PQconninfoOption* const options = PQconninfoParse(url.c_str(), &message);
  if (!options) {
    std::string why = message ? message : "no memory";
    PQfreemem(message);
    while (!why.empty() && why.back() == '\n') why.pop_back();
    throw base::InputError("--store: " + why + "; expected postgresql://USER@HOST/DATABASE");
  }
  std::map<std::string, std::string> values = kDefaults;
  for (const PQconninfoOption* option = options; option->keyword; ++option) {
    if (option->val) values[option->keyword] = option->val;
  }
  PQconninfoFree(options);
  Settings found;
  for (const auto& [key, value] : values) found.text += key + "=" + quoted(value) + " ";
  found.name = "postgresql://" + values["host"] +
               (values["port"].empty() ? "" : ":" + values["port"]) + "/" + values["dbname"];
  return found;
}

// Whether the server may do later what it refuses now.
bool passes(const std::string& state) {
  constexpr std::array<std::string_view, 5> kClasses{"08", "40", "53", "57", "58"};
  return std::ranges::any_of(kClasses, [&](auto start) { return state.starts_with(start); });
}

std::string message_of(const std::exception& error) {
  const std::string text = base::first_line(error.what());
  return text.starts_with("ERROR:  ") ? text.substr(8) : text;
}

// libpqxx 6 would reconnect by itself, without the locks and settings of the session.
void forbid_reactivation([[maybe_unused]] pqxx::connection& connection) {
#if PQXX_VERSION_MAJOR < 7
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  connection.inhibit_reactivation(true);
#pragma GCC diagnostic pop
#endif
}

}  // namespace

PostgresConnection::PostgresConnection(StoreAccess access, Greet greet)
    : access_(std::move(access)), greet_(std::move(greet)) {
  Settings settings = settings_of(access_.url);
  settings_ = std::move(settings.text);
  name_ = std::move(settings.name);
  with_connection([](pqxx::connection&) {});
  met_ = true;
}

void PostgresConnection::connect() {
  if (connection_ && connection_->is_open()) return;
  disconnect();
  auto made = std::make_unique<pqxx::connection>(settings_);
  forbid_reactivation(*made);
  pqxx::nontransaction(*made).exec(
      "SET search_path = sharpzero, pg_temp; SET client_min_messages = warning; "
      "SET bytea_output = hex; SET idle_in_transaction_session_timeout = '60s'; "
      "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; "
      "SET tcp_keepalives_count = 3; SET tcp_user_timeout = 20000");
  auto receiver = greet_(*made);
  connection_ = std::move(made);
  receiver_ = std::move(receiver);
}

void PostgresConnection::disconnect() {
  receiver_.reset();
  connection_.reset();
}

void PostgresConnection::recover(int tries) {
  std::string why;
  bool away = !connection_ || !connection_->is_open();
  try {
    throw;
  } catch (const pqxx::sql_error& error) {
    why = message_of(error);
    away = away || passes(error.sqlstate());
    constexpr std::array<std::string_view, 5> kInput{"P0001", "23505", "42P01", "42703", "XX001"};
    if (!away && std::ranges::count(kInput, error.sqlstate()) > 0) {
      throw base::InputError(name_ + ": " + why);
    }
  } catch (const pqxx::in_doubt_error& error) {
    why = message_of(error);
    away = true;
  } catch (const pqxx::failure& error) {
    why = message_of(error);
  }
  if (!away) throw base::EnvironmentError(name_ + ": " + why);
  disconnect();
  const std::string said = name_ + ": " + why;
  if (!met_ || !access_.try_again) throw StoreAway(said);
  std::this_thread::sleep_for(std::min(2000ms, 100ms * (1 << std::min(tries, 5))));
  if (!access_.try_again(said)) throw StoreAway(said);
}

std::string bytea_of(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "\\x";
  text.reserve(2 + 2 * bytes.size());
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<std::size_t>(byte >> 4)];
    text += kDigits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

std::string bytes_of(const pqxx::field& bytea) {
  const std::string_view text(bytea.c_str(), bytea.size());
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 2; i + 1 < text.size(); i += 2) {  // after \x
    bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  }
  return bytes;
}

}  // namespace selfplay
