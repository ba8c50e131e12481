-- As before, but a call that changes nothing binds its key too: another call under it is refused.
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
    -- Whoever adds an answer takes away a few that are too old, so that there are never many.
    delete from idempotency where (user_id, key) in (
      select aged.user_id, aged.key from idempotency aged where aged.created_at <= expired
        order by aged.created_at limit 5 for update skip locked
    );
  end if;
  return query select case when is_empty then 'unchanged' else 'changed' end, told_of_client(new);
end
$$;
