-- Expands: programs without this migration go on working.

-- The page about the last form that was refused in a session, as JSON. It is asked for by its id, so that a reload
-- sends no form again.
alter table admin_sessions
  add column refused_id text collate "C" check (length(refused_id) <= 64),
  add column refused_page text collate "C" check (length(refused_page) <= 262144),
  add column refused_at timestamptz;
