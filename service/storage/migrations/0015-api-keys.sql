-- Expands: programs without this migration go on working.

-- API keys, several for a user. Older programs know the one in `users` alone, which has its row here too: triggers keep
-- both the same.
create table api_keys (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  user_id bigint not null references users (id) on delete cascade,
  name text collate "C" not null check (length(name) between 1 and 100),
  -- The digest finds a key, the ciphertext lets System / Users show it.
  digest bytea not null unique check (octet_length(digest) = 32),
  ciphertext bytea not null,
  created_at timestamptz not null default now(),
  -- Null: never.
  expires_at timestamptz,
  -- To the minute. Null: never.
  last_used_at timestamptz,
  -- Whether another key has its place and its name. It works until it expires.
  is_replaced boolean not null default false,
  -- The session of the administration area whose next page may show the key, and until when.
  shown_to uuid,
  shown_until timestamptz
);

create index api_keys_user_id on api_keys (user_id, id);
create unique index api_keys_name on api_keys (user_id, name) where not is_replaced;

alter table api_keys enable row level security, force row level security;
create policy within_scope on api_keys using (not (select is_scoped()));

insert into api_keys (user_id, name, digest, ciphertext, created_at)
  select id, 'First key', api_key_digest, api_key_ciphertext, created_at from users where api_key_digest is not null;

create function keep_first_key() returns trigger language plpgsql as $$
declare
  old_digest bytea;
begin
  if tg_op = 'UPDATE' then
    old_digest := old.api_key_digest;
  end if;
  if old_digest is not null and new.api_key_digest is null then
    delete from api_keys where digest = old_digest;
  elsif old_digest is not null then
    update api_keys set digest = new.api_key_digest, ciphertext = new.api_key_ciphertext where digest = old_digest;
  elsif new.api_key_digest is not null then
    insert into api_keys (user_id, name, digest, ciphertext)
      select new.id,
        'First key' || case when exists (select from api_keys where user_id = new.id and name = 'First key')
          then ' ' || substr(encode(new.api_key_digest, 'hex'), 1, 8) else '' end,
        new.api_key_digest, new.api_key_ciphertext;
  end if;
  return null;
end
$$;

-- A copy of a database has all rows already.
create trigger users_first_key_created after insert on users for each row
  when (new.api_key_digest is not null and coalesce(current_setting('billing.copying', true), '') = '')
  execute function keep_first_key();
create trigger users_first_key_changed after update on users for each row
  when (old.api_key_digest is distinct from new.api_key_digest
    or old.api_key_ciphertext is distinct from new.api_key_ciphertext)
  execute function keep_first_key();

create function forget_first_key() returns trigger language plpgsql as $$
begin
  update users set api_key_digest = null, api_key_ciphertext = null
    where id = old.user_id and api_key_digest = old.digest;
  return null;
end
$$;

create trigger api_keys_first_gone after delete on api_keys for each row execute function forget_first_key();

-- Nodes must no longer answer for the user from memory.
create function tell_key_stale() returns trigger language plpgsql as $$
begin
  perform pg_notify('billing_stale', 'user ' || old.user_id);
  return null;
end
$$;

create trigger api_keys_stale after update on api_keys for each row
  when (old.digest <> new.digest or old.expires_at is distinct from new.expires_at)
  execute function tell_key_stale();
create trigger api_keys_gone after delete on api_keys for each row execute function tell_key_stale();
create trigger api_keys_emptied after truncate on api_keys execute function tell_stale('user');
