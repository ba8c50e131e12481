-- Tells nodes what they must not answer from memory any longer: `user 7`, `session <uuid>`, `rates`; without an id,
-- all of the kind. What is told arrives after the commit.
create function tell_stale() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' then
    perform pg_notify('billing_stale', tg_argv[0] || ' ' || old.id);
  else
    perform pg_notify('billing_stale', tg_argv[0]);
  end if;
  return null;
end
$$;

-- New users and sessions are no news: that there is none is not kept.
create trigger users_stale after update on users
  for each row when (old is distinct from new) execute function tell_stale('user');
create trigger users_gone after delete on users for each row execute function tell_stale('user');
create trigger users_emptied after truncate on users execute function tell_stale('user');

-- Not with each refresh: a session's user stays who it was.
create trigger sessions_stale after update on sessions
  for each row when (old.revoked_at is distinct from new.revoked_at or old.user_id <> new.user_id)
  execute function tell_stale('session');
create trigger sessions_gone after delete on sessions
  for each row when (old.expires_at > now()) execute function tell_stale('session');
create trigger sessions_emptied after truncate on sessions execute function tell_stale('session');

create trigger currency_rates_stale after insert or update or delete or truncate on currency_rates
  execute function tell_stale('rates');
