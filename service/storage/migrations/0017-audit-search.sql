-- Expands: programs without this migration go on working.

-- The audit trail is searched by action, by request and by protocol as well.
create index audit_operation on audit (operation, id);
create index audit_request_id on audit (request_id, id);
create index audit_protocol on audit (protocol, id);
