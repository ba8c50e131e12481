-- What people say they have seen of a user or a Reseller when they change it.
alter table users add column version bigint not null default 1
  check (version between 1 and 9007199254740991);
alter table resellers add column version bigint not null default 1
  check (version between 1 and 9007199254740991);

-- Who is signed in to the administration area. Of the cookie's token only SHA-256 is here.
create table admin_sessions (
  id uuid primary key default gen_random_uuid(),
  digest bytea not null unique check (octet_length(digest) = 32),
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  -- What the browser calls itself, so that its owner can tell one session from another.
  agent text collate "C" not null check (length(agent) <= 200)
);

create index admin_sessions_user_id on admin_sessions (user_id, created_at);

-- Whoever changes a password or deactivates a user, by whatever way, ends what was opened with it.
create function end_sessions() returns trigger language plpgsql as $$
begin
  delete from admin_sessions where user_id = new.id;
  update sessions set revoked_at = now() where user_id = new.id and revoked_at is null;
  return null;
end
$$;

create trigger users_end_sessions after update on users for each row
  when (old.password_hash is distinct from new.password_hash or (old.active and not new.active))
  execute function end_sessions();

-- What the audit trail is told: never a password or a key, only whether there is one.
create function told_of_user(told users) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'id', told.id, 'login', told.login, 'role', told.role, 'reseller_id', told.reseller_id,
    'timezone', told.timezone, 'active', told.active, 'has_password', told.password_hash is not null,
    'has_api_key', told.api_key_digest is not null, 'version', told.version::text
  )
$$;

create function told_of_reseller(told resellers) returns jsonb language sql immutable as $$
  select jsonb_build_object('id', told.id, 'name', told.name, 'version', told.version::text)
$$;
