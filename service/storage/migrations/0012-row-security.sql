-- Expands: programs without this migration go on working.

-- A second line behind the conditions of statements: within a Reseller's scope the database itself neither shows nor
-- takes rows of another one. Statements without a scope see all, and so do those of older programs.

create function reseller_scope() returns bigint language sql stable as $$
  select nullif(current_setting('billing.reseller', true), '')::bigint
$$;

-- A superuser within a scope has the role billing_reseller, which sees nothing where the scope is missing. No function
-- is named here that pg_dump, which sets no search path, would not find.
create function is_scoped() returns boolean language sql stable as $$
  select coalesce(current_setting('billing.reseller', true), '') <> '' or current_user = 'billing_reseller'
$$;

-- Tables' owners are bound too, unless they are superusers.
alter table clients enable row level security, force row level security;
create policy within_scope on clients
  using (not (select is_scoped()) or reseller_id = (select reseller_scope()));

alter table audit enable row level security, force row level security;
create policy within_scope on audit
  using (not (select is_scoped()) or reseller_id = (select reseller_scope()));

alter table users enable row level security, force row level security;
create policy within_scope on users
  using (not (select is_scoped()) or reseller_id = (select reseller_scope()));

alter table resellers enable row level security, force row level security;
create policy within_scope on resellers
  using (not (select is_scoped()) or id = (select reseller_scope()));

-- No statement of a Reseller's scope needs sessions.
alter table sessions enable row level security, force row level security;
create policy within_scope on sessions using (not (select is_scoped()));

alter table admin_sessions enable row level security, force row level security;
create policy within_scope on admin_sessions using (not (select is_scoped()));

-- An answer is its user's own: change_client says who that is.
alter table idempotency enable row level security, force row level security;
create policy within_scope on idempotency using (
  not (select is_scoped()) or user_id = (select nullif(current_setting('billing.user', true), '')::bigint)
);

-- Takes away a few answers that are too old, whoever they are of: the function's owner is in no scope.
create function forget_aged_answers() returns void language plpgsql security definer
  set search_path from current as $$
declare
  scope constant text := current_setting('billing.reseller', true);
begin
  perform set_config('billing.reseller', '', true);
  delete from idempotency where (user_id, key) in (
    select aged.user_id, aged.key from idempotency aged where aged.created_at <= now() - interval '24 hours'
      order by aged.created_at limit 5 for update skip locked
  );
  perform set_config('billing.reseller', scope, true);
end
$$;

-- As before, but it says whose answers it looks at, and leaves aged ones to the function above.
create or replace function change_client(
  client_id bigint, scope bigint, new_credit numeric, new_name text, wanted_version text,
  call_key text, call_digest bytea,
  author_id bigint, call_operation text, call_protocol text, call_request_id text
) returns table (outcome text, client jsonb) language plpgsql as $$
declare
  expired constant timestamptz := now() - interval '24 hours';
  old clients;
  new clients;
  kept idempotency;
  is_empty constant boolean := new_credit is null and new_name is null;
begin
  select * into old from clients
    where clients.id = client_id and (scope is null or clients.reseller_id = scope) for update;
  -- Whoever may not see the client any more, because its user has moved, is not told what was answered before.
  if old.id is null then
    return query select 'not_found', null::jsonb;
    return;
  end if;
  if call_key is not null then
    perform set_config('billing.user', author_id::text, true);
  end if;
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
    if old.version::text <> wanted_version then
      return query select 'precondition_failed', null::jsonb;
      return;
    end if;
    new := old;
    new.credit := coalesce(new_credit, old.credit);
    new.name := coalesce(new_name, old.name);
    if not is_empty then
      new.version := old.version + 1;
    end if;
    exit when call_key is null;
    insert into idempotency as known (user_id, key, operation, digest, answer)
      values (author_id, call_key, call_operation, call_digest, told_of_client(new))
      on conflict (user_id, key) do update
        set operation = excluded.operation, digest = excluded.digest, answer = excluded.answer,
          created_at = excluded.created_at
        where known.created_at <= expired;
    exit when found;
  end loop;
  if not is_empty then
    update clients set credit = new.credit, name = new.name, version = new.version where clients.id = client_id;
    insert into audit (
        user_id, user_reseller_id, operation, protocol, request_id, entity, entity_id, reseller_id, before, after
      ) values (
        author_id, scope, call_operation, call_protocol, call_request_id, 'client', client_id::text, old.reseller_id,
        told_of_client(old), told_of_client(new)
      );
  end if;
  if call_key is not null then
    perform forget_aged_answers();
  end if;
  return query select case when is_empty then 'unchanged' else 'changed' end, told_of_client(new);
end
$$;

-- Makes the role that superusers take within a scope, with what calls need and no more. A role belongs to all databases
-- of a server, so another one may have made it; its members are superusers alone.
create function make_reseller_role() returns void language plpgsql as $$
begin
  begin
    create role billing_reseller nologin;
  exception when duplicate_object or unique_violation then null;
  end;
  execute format('grant usage on schema %I to billing_reseller', current_schema());
  grant select on clients, resellers, audit to billing_reseller;
  grant update (credit, name, version) on clients to billing_reseller;
  grant select (id, login, reseller_id) on users to billing_reseller;
  grant insert on audit to billing_reseller;
  grant select, insert, update on idempotency to billing_reseller;
end
$$;

do $$
begin
  if not row_security_active('clients') then
    perform make_reseller_role();
  end if;
exception when insufficient_privilege then
  null; -- The service says at its start what is missing.
end
$$;
