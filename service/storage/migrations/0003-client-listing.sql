-- Listings of clients: by name and by currency, of one Reseller or of all, each in the order they are answered in.
create index clients_reseller_id_name on clients (reseller_id, name, id);
create index clients_name on clients (name, id);
create index clients_reseller_id_currency on clients (reseller_id, currency, id);

drop index clients_currency;
create index clients_currency on clients (currency, id);
