-- A user may have several API keys: the audit trail says that there is one after the first is revoked, too.
create or replace function told_of_user(told users) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', told.id, 'login', told.login, 'role', told.role, 'reseller_id', told.reseller_id,
    'timezone', told.timezone, 'active', told.active, 'has_password', told.password_hash is not null,
    'has_api_key',
      told.api_key_digest is not null or exists (select from api_keys where api_keys.user_id = told.id),
    'version', told.version::text
  )
$$;
