-- Expands: programs without this migration go on working.

-- Authenticator apps (RFC 6238). The secret is encrypted and bound to its user.
create table totp_secrets (
  user_id bigint primary key references users (id) on delete cascade,
  sealed bytea not null,
  -- Null: the user has not shown yet that the app has it.
  confirmed_at timestamptz,
  -- The step of the last accepted code, which is not accepted again.
  last_step bigint not null default -1
);

-- Codes of 80 random bits, each accepted once. Only SHA-256 of them is here.
create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  digest bytea not null check (octet_length(digest) = 32),
  primary key (user_id, digest)
);

-- New codes, encrypted, until the next page of a session shows them.
create table recovery_offers (
  user_id bigint primary key references users (id) on delete cascade,
  sealed bytea not null,
  session_id uuid not null,
  until timestamptz not null
);

create table passkeys (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  user_id bigint not null references users (id) on delete cascade,
  name text collate "C" not null check (length(name) between 1 and 100),
  -- Base64url, as browsers send it.
  credential_id text collate "C" not null unique check (length(credential_id) between 1 and 1400),
  public_key bytea not null check (octet_length(public_key) <= 4096),
  counter bigint not null check (counter >= 0),
  transports text collate "C" not null check (length(transports) <= 200),
  -- The host name that it belongs to.
  rp_id text collate "C" not null check (length(rp_id) between 1 and 255),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

create index passkeys_user_id on passkeys (user_id, id);

-- Challenges that a passkey has answered. Each is accepted once.
create table spent_challenges (
  digest bytea primary key check (octet_length(digest) = 32),
  spent_at timestamptz not null default now()
);

create index spent_challenges_spent_at on spent_challenges (spent_at);

-- When the user of a session last proved to be the one, by signing in or by the password.
alter table admin_sessions add column confirmed_at timestamptz not null default now();

do $$
declare
  name text;
begin
  foreach name in array array['totp_secrets', 'recovery_codes', 'recovery_offers', 'passkeys', 'spent_challenges'] loop
    execute format('alter table %I enable row level security, force row level security', name);
    execute format('create policy within_scope on %I using (not (select is_scoped()))', name);
  end loop;
end
$$;
