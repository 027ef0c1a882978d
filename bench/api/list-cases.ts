/** Every list with one filter or one sort, as the specification has them; addresses below the app. */
const sorts = ['created_at', 'last_seen_at', 'last_clicked_at', 'notifications_sent'];
const filters = [
  'status=subscribed',
  'status=unsubscribed',
  'device_type=mobile',
  'device_type=tablet',
  'browser=chrome',
  'browser=safari',
  'country=DE',
  'country=HU',
  'tag[plan]=premium',
  'tag[plan]=free',
  'tag[region]=region-7',
  // Parts of identities: rare, of four letters, on nearly every row, of two letters, of none.
  'search=a1b2c3',
  'search=c-99',
  'search=c-',
  'search=a1',
  'search=zq',
  // Values of tags: of every third subscription, of one in 20, of them all.
  'search=premium',
  'search=region-7',
  'search=region',
];

export function listCases(now: Date): string[] {
  const day = (ago: number): string => new Date(now.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
  const ranges = [`created_after=${day(30)}`, `created_after=${day(700)}`, `created_before=${day(365)}`];
  return [
    ...sorts.flatMap((sort) =>
      ['desc', 'asc'].map((direction) => `subscriptions?sort=${sort}&direction=${direction}`),
    ),
    ...[...filters, ...ranges].map((filter) => `subscriptions?${filter}`),
    'deliveries?',
    ...[
      'status=success',
      'status=failed',
      'name=evening',
      'name=Edition 777',
      'title=a1b',
      'category=Sport',
      'category=rare',
    ].map((filter) => `deliveries?${filter}`),
    ...ranges.map((range) => `deliveries?${range}`),
  ];
}
