#include "base/errors.h"
#include "selfplay/postgres_tables.h"

namespace selfplay {
namespace {

// An actor's role has no rights on tables but to read three and to insert into the queue; what else
// it may do are the two functions, which run with the owner's rights and check who calls.
constexpr const char* kPostgresSchema = R"(
CREATE SCHEMA sharpzero;

CREATE TABLE sharpzero.about (version integer NOT NULL);

CREATE TABLE sharpzero.runs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 200),
  config text NOT NULL,                       -- TOML, every key
  finished boolean NOT NULL DEFAULT false,
  made timestamptz NOT NULL DEFAULT now());

CREATE TABLE sharpzero.networks (
  run integer NOT NULL REFERENCES sharpzero.runs,
  generation bigint NOT NULL,
  checksum text NOT NULL,                     -- FNV-1a, 64 bits
  network bytea NOT NULL,                     -- a network file
  published timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run, generation));
ALTER TABLE sharpzero.networks ALTER COLUMN network SET STORAGE EXTERNAL;

CREATE TABLE sharpzero.actors (
  lease bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run integer NOT NULL REFERENCES sharpzero.runs,
  role text NOT NULL,                         -- that logged in
  machine text NOT NULL,
  program text NOT NULL,
  device text NOT NULL,
  threads integer NOT NULL,
  network bigint NOT NULL DEFAULT 0,          -- generation of the one that plays
  games bigint NOT NULL DEFAULT 0,
  plies bigint NOT NULL DEFAULT 0,
  waited_s double precision NOT NULL DEFAULT 0,
  began timestamptz NOT NULL DEFAULT now(),
  seen timestamptz NOT NULL DEFAULT now());

-- Games that count. The learner gives the ids: in its order, not in that of arrival.
CREATE TABLE sharpzero.games (
  run integer NOT NULL REFERENCES sharpzero.runs,
  id bigint NOT NULL,
  generation integer NOT NULL,
  rules text NOT NULL,
  start_fen text NOT NULL,
  scoring_table text NOT NULL,                -- changes to the rule set's own table
  outcome text NOT NULL,
  points_white double precision NOT NULL,     -- of ten, under that table
  ended text NOT NULL,                        -- rules, resignation, fast_fifty
  plies integer NOT NULL,
  seed bigint NOT NULL,                       -- of the game's own random stream; 0: none
  lease bigint NOT NULL,                      -- of the actor that played it; 0: the learner
  record bytea NOT NULL,                      -- the whole game
  stored timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run, id));
ALTER TABLE sharpzero.games ALTER COLUMN record SET STORAGE EXTERNAL;  -- it is compressed
CREATE INDEX games_by_generation ON sharpzero.games (run, generation, plies);
CREATE INDEX games_by_time ON sharpzero.games (run, stored);
CREATE UNIQUE INDEX games_by_seed ON sharpzero.games (run, generation, seed) WHERE seed <> 0;

-- The queue: what actors sent and the learner has not checked yet.
CREATE TABLE sharpzero.arrivals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run integer NOT NULL REFERENCES sharpzero.runs,
  lease bigint NOT NULL,
  record bytea NOT NULL CHECK (octet_length(record) <= 262144),
  arrived timestamptz NOT NULL DEFAULT now());
ALTER TABLE sharpzero.arrivals ALTER COLUMN record SET STORAGE EXTERNAL;

CREATE TABLE sharpzero.refused (
  id bigint PRIMARY KEY,                      -- in the queue
  run integer NOT NULL REFERENCES sharpzero.runs,
  lease bigint NOT NULL,
  reason text NOT NULL,
  record bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT now());

CREATE FUNCTION sharpzero.guard_queue() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = sharpzero, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM arrived LEFT JOIN actors
             ON actors.lease = arrived.lease AND actors.run = arrived.run AND actors.role = session_user
             WHERE actors.lease IS NULL) THEN
    RAISE EXCEPTION 'games under a lease that % does not have for this run', session_user;
  END IF;
  IF EXISTS (SELECT FROM arrivals OFFSET %QUEUE% LIMIT 1) THEN
    RAISE EXCEPTION 'the queue is full' USING ERRCODE = 'configuration_limit_exceeded';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER guard AFTER INSERT ON sharpzero.arrivals REFERENCING NEW TABLE AS arrived
  FOR EACH STATEMENT EXECUTE FUNCTION sharpzero.guard_queue();

CREATE FUNCTION sharpzero.enlist(of_run integer, in_version integer, on_machine text,
                                 with_program text, on_device text, with_threads integer)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = sharpzero, pg_temp AS $$
DECLARE given bigint;
BEGIN
  IF in_version <> (SELECT version FROM about) THEN
    RAISE EXCEPTION 'a store of version %, this program''s is %', (SELECT version FROM about), in_version;
  END IF;
  IF (SELECT count(*) FROM actors WHERE role = session_user AND seen > now() - interval '1 minute')
     >= 10000 THEN
    RAISE EXCEPTION 'too many actors' USING ERRCODE = 'configuration_limit_exceeded';
  END IF;
  INSERT INTO actors (run, role, machine, program, device, threads)
    VALUES (of_run, session_user, left(on_machine, 200), left(with_program, 200),
            left(on_device, 200), with_threads) RETURNING lease INTO given;
  RETURN given;
END $$;

CREATE FUNCTION sharpzero.beat(of_lease bigint, plays bigint, has_games bigint, has_plies bigint,
                               has_waited_s double precision)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = sharpzero, pg_temp AS $$
DECLARE goes_on boolean;
BEGIN
  UPDATE actors SET network = plays, games = has_games, plies = has_plies, waited_s = has_waited_s,
                    seen = now()
    WHERE lease = of_lease AND role = session_user;
  SELECT NOT finished INTO goes_on FROM runs JOIN actors ON actors.run = runs.id
    WHERE lease = of_lease AND role = session_user;
  IF goes_on IS NULL THEN
    RAISE EXCEPTION 'there is no lease % of %', of_lease, session_user;
  END IF;
  RETURN goes_on;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA sharpzero FROM PUBLIC;
)";

}  // namespace

void make_tables(pqxx::work& transaction) {
  constexpr const char* kLock = "SELECT pg_advisory_xact_lock(1395869506)";
  transaction.exec(kLock);
  const auto schemas = transaction.exec("SELECT 1 FROM pg_namespace WHERE nspname = 'sharpzero'");
  if (!schemas.empty()) return;
  std::string schema = kPostgresSchema;
  const std::string mark = "%QUEUE%";
  schema.replace(schema.find(mark), mark.size(), std::to_string(kMostQueued));
  transaction.exec(schema);
  transaction.exec("INSERT INTO sharpzero.about VALUES (" + std::to_string(kSharedStoreVersion) +
                   ")");
}

void check_tables(pqxx::work& transaction, const std::string& name) {
  const auto tables = transaction.exec("SELECT to_regclass('sharpzero.about') IS NOT NULL");
  if (!tables[0][0].as<bool>()) {
    throw base::InputError(name + ": holds no store of games; `train --store` makes one");
  }
  const auto versions = transaction.exec("SELECT version FROM sharpzero.about");
  const int version = versions.empty() ? 0 : versions[0][0].as<int>();
  if (version != kSharedStoreVersion) {
    throw base::InputError(name + ": a store of version " + std::to_string(version) +
                           ", expected " + std::to_string(kSharedStoreVersion));
  }
}

void grant_to_actor(pqxx::work& transaction, const std::string& role) {
  const std::string to = " TO " + transaction.quote_name(role);
  transaction.exec("GRANT USAGE ON SCHEMA sharpzero" + to);
  transaction.exec("GRANT SELECT ON sharpzero.about, sharpzero.runs, sharpzero.networks" + to);
  transaction.exec("GRANT INSERT (run, lease, record) ON sharpzero.arrivals" + to);
  transaction.exec("GRANT EXECUTE ON FUNCTION sharpzero.enlist, sharpzero.beat" + to);
}

}  // namespace selfplay
