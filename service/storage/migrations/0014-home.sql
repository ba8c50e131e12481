-- Expands: programs without this migration go on working.

-- Calls in stretches of five minutes, from all nodes together, for the charts of the administration area.
create table call_counts (
  -- Seconds since the epoch.
  starts bigint not null,
  -- Empty: the request reached no operation.
  operation text collate "C" not null,
  protocol text collate "C" not null,
  calls bigint not null check (calls >= 0),
  errors bigint not null check (errors >= 0),
  refused bigint not null check (refused >= 0),
  -- Numbers of calls by their time: up to 5, 10, 25, 50, 100, 250, 500, 1000, 2500 ms, and longer.
  times bigint[] not null check (cardinality(times) = 10),
  primary key (starts, operation, protocol)
);

-- Each running node, as it was a minute ago at most.
create table nodes (
  id uuid primary key,
  name text collate "C" not null check (length(name) <= 255),
  started_at timestamptz not null,
  seen_at timestamptz not null,
  in_flight integer not null,
  lag_ms integer not null,
  memory_mb integer not null
);

-- They are of all Resellers together, so that no statement of a Reseller's scope sees them.
alter table call_counts enable row level security, force row level security;
create policy within_scope on call_counts using (not (select is_scoped()));

alter table nodes enable row level security, force row level security;
create policy within_scope on nodes using (not (select is_scoped()));

alter table users add column last_sign_in_at timestamptz;

-- What a login looks like: without case, with Latin letters for the Cyrillic and Greek ones that look like them, and
-- with one character for 1, I and L.
create function login_look(login text) returns text language sql immutable as $$
  select translate(
    in_any_case(normalize(login, NFKC)),
    'АВЕЅІЈКМНОРСТУХ' || 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ' || '01L',
    'ABESIJKMHOPCTYX' || 'ABEZHIKMNOPTYXC' || 'OII'
  )
$$;
