-- A rate of more than 15 significant digits is no double and can't be answered as it stands. What was answered of
-- such a rate was always this rounding of it, so no answer changes.
update currency_rates set rate = round(rate, least(10, 15 - length(trunc(rate)::text)))
  where rate <> round(rate, least(10, 15 - length(trunc(rate)::text)));

alter table currency_rates add constraint currency_rates_rate_exact
  check (rate = round(rate, least(10, 15 - length(trunc(rate)::text))));
