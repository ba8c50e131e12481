-- What nodes have counted together, by key and window. Lost with a crash of the server, which costs one window.
create unlogged table rate_counts (
  key text collate "C" not null,
  -- Seconds since the epoch.
  starts bigint not null,
  ends bigint not null,
  amount bigint not null,
  primary key (key, starts)
);

create index rate_counts_ends on rate_counts (ends);
