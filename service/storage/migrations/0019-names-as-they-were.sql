-- Expands: programs without this migration go on working.

-- The names of the user and of the entity at the time of the entry: before a change that renames, since it is known by
-- that name until then. Older entries have none.
alter table audit add column user_login text collate "C", add column entity_name text collate "C";

create function name_audited() returns trigger language plpgsql as $$
begin
  select login into new.user_login from users where id = new.user_id;
  new.entity_name := case new.entity
    when 'client' then coalesce(new.before ->> 'name', (select name from clients where id = new.entity_id::bigint))
    when 'reseller' then coalesce(new.before ->> 'name', (select name from resellers where id = new.entity_id::bigint))
    when 'user' then coalesce(new.before ->> 'login', (select login from users where id = new.entity_id::bigint))
  end;
  -- Who renames the own account acts under the former name.
  if new.entity = 'user' and new.entity_id = new.user_id::text then
    new.user_login := new.entity_name;
  end if;
  return new;
end
$$;

-- A copy of a database has the names already.
create trigger audit_named before insert on audit for each row
  when (coalesce(current_setting('billing.copying', true), '') = '') execute function name_audited();

create index audit_entity_name on audit (entity, entity_name);
