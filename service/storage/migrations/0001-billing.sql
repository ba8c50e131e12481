-- Ids cross into JSON numbers, so each stays within what a double holds exactly.
-- Text is compared by code point (collate "C"): the same order on every server.

create table resellers (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  name text collate "C" not null unique check (length(name) between 1 and 255)
);

create table users (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  login text collate "C" not null unique check (length(login) between 1 and 255),
  password_hash text,
  -- The digest finds a key, the ciphertext lets System / Users show it.
  api_key_digest bytea unique check (octet_length(api_key_digest) = 32),
  api_key_ciphertext bytea,
  role text collate "C" not null default 'user' check (length(role) between 1 and 50),
  reseller_id bigint references resellers (id),
  timezone text collate "C" check (length(timezone) between 1 and 100),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  constraint users_api_key_whole check ((api_key_digest is null) = (api_key_ciphertext is null))
);

create index users_reseller_id on users (reseller_id);

create table sessions (
  id uuid primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- The one token that may be refreshed; any earlier one is spent.
  token_id uuid not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create index sessions_user_id on sessions (user_id, expires_at);

create table currencies (
  code text collate "C" primary key check (code ~ '^[A-Z]{3}$'),
  is_base boolean not null default false,
  unique (code, is_base)
);

create unique index currencies_one_base on currencies (is_base) where is_base;

-- Units of the currency for one unit of the base currency, from a moment on. Within these bounds no quotient
-- of two rates vanishes at 10 decimal places.
create table currency_rates (
  currency text collate "C" not null,
  is_base boolean not null default false,
  effective_from timestamptz not null check (isfinite(effective_from)),
  rate numeric(20, 10) not null check (rate between 0.01 and 100000000),
  primary key (currency, effective_from),
  foreign key (currency, is_base) references currencies (code, is_base),
  constraint currency_rates_base_is_one check (not is_base or rate = 1)
);

create table clients (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  reseller_id bigint not null references resellers (id),
  name text collate "C" not null check (length(name) between 1 and 255),
  -- 15 significant digits: each value is exactly one double (DBL_DIG, C11 section 5.2.4.2.2).
  credit numeric(15, 4) not null default 0 check (credit <> 'NaN'),
  currency text collate "C" not null references currencies (code)
);

create index clients_reseller_id on clients (reseller_id, id);
create index clients_currency on clients (currency);

create table gateways (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  name text collate "C" not null unique check (length(name) between 1 and 255),
  title text collate "C" not null check (length(title) between 1 and 255),
  credentials_id bigint not null check (credentials_id between 1 and 9007199254740991),
  editable boolean not null default true
);

create index gateways_title on gateways (title, id);
create index gateways_credentials_id on gateways (credentials_id, id);
create index gateways_editable on gateways (editable, id);

-- One row: tells a node that was started with another BILLING_SECRET.
create table secret_check (
  only_row boolean primary key default true check (only_row),
  fingerprint bytea not null
);
