-- A name as it is compared with what somebody looks for, in any case. The columns' own collation ("C") knows the cases
-- of ASCII alone, and a database's may know no more: Unicode's rules are in every PostgreSQL that has ICU.
do $$
begin
  execute format(
    'create function in_any_case(name text) returns text language sql immutable as %L',
    format('select upper(name collate %I)', coalesce(
      (select collname from pg_collation where collname = 'und-x-icu'), 'default'
    ))
  );
end
$$;
