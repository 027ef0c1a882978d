-- What reports ask that name neither domains nor ad units, added up as rows come in: a month by country or device reads
-- some thousands of rows a day in place of all. ClickHouse takes it by itself. Of the parts that are there, it is made
-- in the background; until then these are read whole.
ALTER TABLE ad_stats ADD PROJECTION IF NOT EXISTS by_kind (
  SELECT toDate(at), product, media_type, device, country, deal_type, wholesaler, currency, source, load,
    sum(impressions), sum(viewable), sum(first_quartile), sum(midpoint), sum(third_quartile), sum(complete),
    sum(earnings)
  GROUP BY toDate(at), product, media_type, device, country, deal_type, wholesaler, currency, source, load
);

ALTER TABLE ad_stats MATERIALIZE PROJECTION by_kind;
