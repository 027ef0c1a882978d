import { grantDomain } from '../../../api/shared/revenue/revenue-domains.ts';
import { type OrganizationId, toId } from '../../../engine/contract/ids.ts';
import type { Person } from '../../api/account/support.ts';
import { appBody, callAs } from '../../api/support.ts';
import { buildPastDelivery, dayBefore } from '../../support/analytics-rows.ts';
import { buildLimit, buildMinute } from '../../support/standings.ts';
import {
  appIdOf,
  type GivenSubscription,
  insertSubscriptions,
  setSent,
} from '../../support/subscriptions.ts';
import type { Stand } from './stand.ts';

/** An app with readers of many kinds, segments of them, and a past that charts can show. */
export interface AudienceWorld {
  readonly app: string;
  readonly subscriber: number;
  /** A delivery that was not for this subscriber. */
  readonly delivery: number;
  readonly segment: number;
}

const READERS = 120;
/** The one whose pages are checked, and another browser of the same person. */
const SAME_PERSON = [90, 91];
const browsers = ['Chrome', 'Chrome', 'Chrome', 'Firefox', 'Safari', 'Microsoft Edge', null] as const;
const countries = ['DE', 'DE', 'DE', 'AT', 'CH', 'FR', 'PL', 'NL', null] as const;
const devices = ['mobile', 'mobile', 'desktop', 'tablet', null] as const;
const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** @param index 0 for the oldest. */
function readerOf(index: number): GivenSubscription {
  const daysAgo = Math.floor(((READERS - index) * (index % 3 === 0 ? 20 : 29)) / READERS);
  return {
    status: index % 9 === 8 ? 'unsubscribed' : 'subscribed',
    user_identity: `reader-${String(index).padStart(4, '0')}`,
    device_type: pick(devices, index),
    browser_name: pick(browsers, index),
    country: pick(countries, index),
    ...(SAME_PERSON.includes(index) ? { external_ids: { account: 'account-4711' } } : {}),
    tags: { plan: index % 4 === 0 ? 'premium' : 'free', ...(index % 3 === 0 ? { topic: 'sports' } : {}) },
    created_at: `${dayBefore(daysAgo)}T08:15:00Z`,
    last_clicked_at: index % 2 === 0 ? `${dayBefore(Math.min(daysAgo, 2))}T18:40:00Z` : null,
  };
}

const titles = [
  'Storm over the north',
  'Cup final tonight',
  'What the budget means for you',
  'Weekend reads',
];

export async function fillAudience(stand: Stand, person: Person): Promise<AudienceWorld> {
  const { app: server, database, analytics } = stand.api;
  const call = callAs(server, person);
  const made = await call(
    'POST',
    '/apps',
    appBody({ name: 'Example Weekly', site_domain: 'https://weekly.example.com' }),
  );
  const { identifier } = made.json().data;
  const id = await appIdOf(database, identifier);
  const readers = await insertSubscriptions(
    database,
    id,
    Array.from({ length: READERS }, (_, index) => readerOf(index)),
  );
  await setSent(database, id, new Map(readers.map(({ seq }) => [seq, 40 + (seq % 17)])));
  for (const { seq } of readers) analytics.clickedBy.set(seq, seq % 7);
  await buildLimit(database, id, { hoursAgo: 700, endedHoursAgo: 676, probableHours: 24 });
  await buildLimit(database, id, { hoursAgo: 5, probableHours: 168 });
  for (let hours = 0; hours < 6; hours++)
    await buildMinute(database, id, { minutesAgo: hours * 60 + 2, throttled: 40 + hours * 25 });
  const built = { id, identifier, organizationId: person.organizationId, vapidPublicKey: '' };
  let delivery = 0;
  for (let daysAgo = 20; daysAgo >= 0; daysAgo -= 2) {
    const accepted = 70 + ((daysAgo * 7) % 30);
    const past = await buildPastDelivery(database, built, {
      daysAgo,
      accepted,
      title: pick(titles, daysAgo / 2),
    });
    await database.query('UPDATE deliveries SET name = title, started_at = created_at WHERE id = $1', [past]);
    analytics.clicks.set(past, 4 + (daysAgo % 9));
    delivery = Number(past);
  }
  await grantDomain(database, person.organizationId as OrganizationId, 'weekly.example.com');
  analytics.earnings = Array.from({ length: 30 }, (_, daysAgo) => ({
    date: dayBefore(daysAgo),
    currency: 'EUR',
    earned: true,
    impressions: BigInt(4_000 + daysAgo * 90),
    earnings: (12 + ((daysAgo * 5) % 11)).toFixed(2),
  }));
  await database.query(`UPDATE deliveries SET url = 'https://weekly.example.com/a' WHERE app_id = $1`, [id]);
  const [date, hour] = [dayBefore(1), 7];
  analytics.hourEarnings = [
    { date, hour, currency: 'EUR', earned: true, impressions: 400n, earnings: '6' },
    { date, hour: 9, currency: 'EUR', earned: true, impressions: 90n, earnings: '1.5' },
  ];
  analytics.visits = { hourly: [{ id: toId(delivery), date, hour, visits: 3 }], daily: [] };
  const segment = await call('POST', `/apps/${identifier}/segments`, sportsFans);
  await call('POST', `/apps/${identifier}/segments`, { name: 'Premium', rules: premium });
  return { app: identifier, subscriber: readers[90]?.id ?? 0, delivery, segment: segment.json().data.id };
}

const premium = {
  match: 'all',
  conditions: [{ field: 'tag', key: 'plan', operator: 'equals', value: 'premium' }],
};

const sportsFans = {
  name: 'Sports fans who click',
  rules: {
    match: 'all',
    conditions: [
      { field: 'tag', key: 'topic', operator: 'equals', value: 'sports' },
      { field: 'last_clicked', operator: 'within_days', days: 30 },
      {
        match: 'any',
        conditions: [
          { field: 'country', operator: 'in', values: ['DE', 'AT', 'CH'] },
          { field: 'device_type', operator: 'not_in', values: ['desktop'] },
        ],
      },
    ],
  },
};
