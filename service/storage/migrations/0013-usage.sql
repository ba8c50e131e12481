-- Expands: programs without this migration go on working.

-- Who calls what, by day: no values of calls, and consumers only as hashes. Nodes add to it about once a minute.
create table usage_calls (
  id bigint generated always as identity primary key,
  day date not null,
  api text collate "C" not null,
  version text collate "C" not null,
  -- The version that calls were tried on, and what was looked for. Empty: none.
  next text collate "C" not null,
  watched text collate "C" not null,
  operation text collate "C" not null,
  protocol text collate "C" not null,
  consumer text collate "C" not null,
  calls bigint not null check (calls >= 0),
  sampled bigint not null check (sampled >= 0),
  unattributed bigint not null check (unattributed >= 0),
  last timestamptz not null,
  unique (day, version, operation, protocol, consumer, next, watched, api)
);

-- The changes that break these calls, by fingerprint.
create table usage_hits (
  usage_id bigint not null references usage_calls (id) on delete cascade,
  fingerprint text collate "C" not null,
  calls bigint not null check (calls >= 0),
  last timestamptz not null,
  primary key (usage_id, fingerprint)
);

-- It is of all Resellers together, so that no statement of a Reseller's scope sees it.
alter table usage_calls enable row level security, force row level security;
create policy within_scope on usage_calls using (not (select is_scoped()));

alter table usage_hits enable row level security, force row level security;
create policy within_scope on usage_hits using (not (select is_scoped()));
