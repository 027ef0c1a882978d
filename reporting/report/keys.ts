/** The names of the reporting API (its document, "Resources and their fields"). */

export const dimensions = {
  day: 'group by date (`YYYY-MM-DD`)',
  month: 'group by month (`YYYY-MM`)',
  year: 'group by year (`YYYY`)',
  product: 'product type, for instance standard display or instream video',
  domain: 'website domain',
  subdomain: 'website subdomain',
  media_type: 'display, video, native',
  device: 'desktop, mobile, tablet, and others',
  os: 'operating system',
  ad_unit: 'ad unit identifier',
  country: 'country code',
  deal_id: 'deal identifier',
  deal_name: 'deal name',
  deal_type: 'open auction, deal, proposal',
} as const;
export type Dimension = keyof typeof dimensions;
export const dimensionKeys = Object.keys(dimensions) as [Dimension, ...Dimension[]];

export const timeDimensions = ['day', 'month', 'year'] as const;
export type TimeDimension = (typeof timeDimensions)[number];
export const isTimeDimension = (key: Dimension): key is TimeDimension =>
  (timeDimensions as readonly Dimension[]).includes(key);

export const metrics = {
  impressions: 'number of ad impressions',
  earnings: 'net earnings, in the currency of the request',
  ecpm: 'effective cost per mille: 1000 × earnings / impressions, 0 without impressions',
  viewable: 'viewable impressions',
  first_quartile: 'video first quartile completes',
  midpoint: 'video midpoint completes',
  third_quartile: 'video third quartile completes',
  complete: 'video full completes',
} as const;
export type Metric = keyof typeof metrics;
export const metricKeys = Object.keys(metrics) as [Metric, ...Metric[]];

/** The columns of rows, and the inputs of sums; `ecpm` is derived from two of them. */
export type Summed = Exclude<Metric, 'ecpm'>;
export const summedOf = (metric: Metric): readonly Summed[] =>
  metric === 'ecpm' ? ['impressions', 'earnings'] : [metric];
