-- Clients of one currency by name: an index by name alone is walked past all of other currencies, to its end where a
-- Reseller has fewer of it than a page holds.
create index clients_currency_name on clients (currency, name, id);
create index clients_reseller_id_currency_name on clients (reseller_id, currency, name, id);
