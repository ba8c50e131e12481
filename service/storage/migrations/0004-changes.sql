-- What callers say they expect of a client when they change it.
alter table clients add column version bigint not null default 1
  check (version between 1 and 9007199254740991);

-- Who changed what, when and how. No foreign keys: an entry outlives what it names, and a key's check would have
-- every change of one user lock the same row of users.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  user_id bigint not null,
  -- The user's Reseller at that time; null: not limited.
  user_reseller_id bigint,
  operation text collate "C" not null,
  protocol text collate "C" not null,
  request_id text collate "C" not null,
  entity text collate "C" not null,
  entity_id text collate "C" not null,
  -- The Reseller that the entity belongs to, who may read the entry; null: to none.
  reseller_id bigint,
  before jsonb,
  after jsonb
);

create index audit_entity on audit (entity, entity_id, id);
create index audit_user_id on audit (user_id, id);
create index audit_reseller_id on audit (reseller_id, id);

create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'Entries of % are neither changed nor deleted', tg_table_name using errcode = 'restrict_violation';
end
$$;

create trigger audit_stays before update or delete or truncate on audit
  for each statement execute function refuse_rewriting();

-- Answers of calls that came with an idempotency key, kept for a day. No foreign key, as above.
create table idempotency (
  user_id bigint not null,
  key text collate "C" not null check (length(key) between 1 and 255),
  operation text collate "C" not null,
  -- Of the call's other params.
  digest bytea not null check (octet_length(digest) = 32),
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);

create index idempotency_created_at on idempotency (created_at);

-- What is told of a client: to its callers, in the audit trail, and again to who sends a call again.
create function told_of_client(told clients) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'id', told.id, 'name', told.name, 'credit', told.credit, 'currency', told.currency,
    'version', told.version::text
  )
$$;

-- Changes a client, all in one round trip: scope, idempotency key, expected version, change and audit entry. Null
-- for new_credit and new_name leaves them; null for wanted_version and call_key asks for nothing. The outcome is
-- changed, unchanged (there was nothing to change), replayed, not_found, precondition_failed or key_reused; the
-- first three come with the client.
--
-- Every statement here sees what was committed before it began (READ COMMITTED). Calls for one client queue at its
-- row, so the second of two with one key finds the first's answer. Two that use one key for different clients meet
-- at the key itself: the second waits there, has changed nothing yet, and looks again.
create function change_client(
  client_id bigint, scope bigint, new_credit numeric, new_name text, wanted_version text,
  call_key text, call_digest bytea,
  author_id bigint, call_operation text, call_protocol text, call_request_id text
) returns table (outcome text, client jsonb) language plpgsql as $$
declare
  expired constant timestamptz := now() - interval '24 hours';
  old clients;
  new clients;
  kept idempotency;
begin
  select * into old from clients
    where clients.id = client_id and (scope is null or clients.reseller_id = scope) for update;
  loop
    select * into kept from idempotency
      where user_id = author_id and key = call_key and created_at > expired;
    if found then
      if kept.operation = call_operation and kept.digest = call_digest then
        return query select 'replayed', kept.answer;
      else
        return query select 'key_reused', null::jsonb;
      end if;
      return;
    end if;
    if old.id is null then
      return query select 'not_found', null::jsonb;
      return;
    end if;
    if old.version::text <> wanted_version then
      return query select 'precondition_failed', null::jsonb;
      return;
    end if;
    if new_credit is null and new_name is null then
      return query select 'unchanged', told_of_client(old);
      return;
    end if;
    new := old;
    new.credit := coalesce(new_credit, old.credit);
    new.name := coalesce(new_name, old.name);
    new.version := old.version + 1;
    exit when call_key is null;
    insert into idempotency as known (user_id, key, operation, digest, answer)
      values (author_id, call_key, call_operation, call_digest, told_of_client(new))
      on conflict (user_id, key) do update
        set operation = excluded.operation, digest = excluded.digest, answer = excluded.answer,
          created_at = excluded.created_at
        where known.created_at <= expired;
    exit when found;
  end loop;
  update clients set credit = new.credit, name = new.name, version = new.version where clients.id = client_id;
  insert into audit (
      user_id, user_reseller_id, operation, protocol, request_id, entity, entity_id, reseller_id, before, after
    ) values (
      author_id, scope, call_operation, call_protocol, call_request_id, 'client', client_id::text, old.reseller_id,
      told_of_client(old), told_of_client(new)
    );
  if call_key is not null then
    -- Whoever adds an answer takes away a few that are too old, so that there are never many.
    delete from idempotency where (user_id, key) in (
      select aged.user_id, aged.key from idempotency aged where aged.created_at <= expired
        order by aged.created_at limit 5 for update skip locked
    );
  end if;
  return query select 'changed', told_of_client(new);
end
$$;
