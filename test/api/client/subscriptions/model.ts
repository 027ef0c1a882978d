import fc from 'fast-check';

/** The history of an app's subscriptions, and a plain model of its lists. */
const SUBSCRIPTIONS = 12;
const DELIVERIES = 5;
/** Seconds: lists show no less. */
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 2, 29);

const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
const moment = (days: number) =>
  fc.integer({ min: 0, max: days * 24 * 60 }).map((minute) => START_MS + minute * 60_000);

const subscription = fc.record({
  status: fc.constantFrom('subscribed', 'subscribed', 'unsubscribed'),
  device_type: fc.constantFrom('mobile', 'desktop', null),
  browser_name: fc.constantFrom('Chrome', 'Firefox', null),
  country: fc.constantFrom('DE', 'PL', null),
  plan: fc.constantFrom('premium', 'free', null),
  createdAt: moment(3),
  seenAt: moment(6),
});
const seq = fc.integer({ min: 0, max: SUBSCRIPTIONS - 1 });

const event = fc.record({
  id: fc.integer({ min: 0, max: 40 }).map((n) => `event-${String(n).padStart(4, '0')}`),
  delivery: fc.integer({ min: 0, max: DELIVERIES - 1 }),
  // Null: the browser is unknown.
  seq: fc.oneof({ weight: 5, arbitrary: seq }, { weight: 1, arbitrary: fc.constant(null) }),
  type: fc.constantFrom('clicked' as const, 'clicked' as const, 'displayed' as const, 'closed' as const),
  action: fc.constantFrom('', 'button-0'),
  at: moment(9),
});

/** A batch that comes again is published twice at once, and once more after all the others. */
const batch = fc.record({ events: fc.array(event, { minLength: 1, maxLength: 12 }), again: fc.boolean() });

export const histories = fc
  .record({
    subscribed: fc.array(subscription, { minLength: SUBSCRIPTIONS, maxLength: SUBSCRIPTIONS }),
    sends: fc.array(fc.uniqueArray(seq), { minLength: DELIVERIES, maxLength: DELIVERIES }),
    batches: fc.array(batch, { maxLength: 5 }),
    deleted: fc.uniqueArray(seq, { maxLength: 2 }),
  })
  .map(({ subscribed, ...rest }) => ({
    ...rest,
    subscriptions: subscribed.map(({ plan, createdAt, seenAt, ...each }, n) => ({
      ...each,
      seq: n,
      user_identity: `user-${n}`,
      tags: plan === null ? {} : { plan },
      unsubscribed_at: each.status === 'subscribed' ? null : timeText(seenAt),
      created_at: timeText(createdAt),
      last_seen_at: timeText(seenAt),
    })),
  }));
export type History = ReturnType<typeof histories.generate>['value'];
type Subscription = History['subscriptions'][number];

/** What is compared of a subscription. */
export interface Shown {
  readonly seq: number;
  readonly notifications_sent: number;
  readonly notifications_clicked: number;
  readonly click_rate: number;
  readonly last_clicked_at: string | null;
  readonly last_seen_at: string;
}
type Modelled = Shown & Pick<Subscription, keyof Subscription & string>;

/** Nothing is sent to an unsubscribed browser; a click is one delivery, however often; a time never goes back. */
export function modelOf({ subscriptions, sends, batches, deleted }: History): Modelled[] {
  const events = batches.flatMap(({ events }) => events);
  return subscriptions
    .filter((each) => !deleted.includes(each.seq))
    .map((each) => {
      const clicks = events.filter(({ type, seq: who }) => type === 'clicked' && who === each.seq);
      const sent =
        each.status === 'subscribed' ? sends.filter((accepted) => accepted.includes(each.seq)).length : 0;
      const clicked = new Set(clicks.map(({ delivery }) => delivery)).size;
      const last = clicks.length === 0 ? null : timeText(Math.max(...clicks.map(({ at }) => at)));
      return {
        ...each,
        notifications_sent: sent,
        notifications_clicked: clicked,
        click_rate: sent === 0 ? 0 : Number(((100 * clicked) / sent).toFixed(2)),
        last_clicked_at: last,
        last_seen_at: last !== null && last > each.last_seen_at ? last : each.last_seen_at,
      };
    });
}

/** Clicks of each delivery: a subscriber counts once, an unknown one once an id. */
export function clicksOf({ batches }: History): number[] {
  const clicks = batches.flatMap(({ events }) => events).filter(({ type }) => type === 'clicked');
  return Array.from({ length: DELIVERIES }, (_, delivery) => {
    const events = clicks.filter((click) => click.delivery === delivery);
    return new Set(events.map(({ seq: who, id }) => who ?? id)).size;
  });
}

const day = fc.integer({ min: 0, max: 3 }).map((n) => timeText(START_MS + n * DAY_MS).slice(0, 10));

type Filters = Partial<Record<(typeof filterNames)[number], string>>;
const filterNames = [
  'status',
  'device_type',
  'browser',
  'country',
  'tag[plan]',
  'search',
  'created_after',
  'created_before',
] as const;

/** At most two: more would match none of these few subscriptions. */
const filters = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('status'), fc.constantFrom('subscribed', 'unsubscribed')),
      fc.tuple(fc.constant('device_type'), fc.constantFrom('mobile', 'Desktop')),
      fc.tuple(fc.constant('browser'), fc.constantFrom('chrome', 'Firefox')),
      fc.tuple(fc.constant('country'), fc.constantFrom('DE', 'pl')),
      fc.tuple(fc.constant('tag[plan]'), fc.constantFrom('premium', 'free')),
      fc.tuple(fc.constant('search'), fc.constantFrom('user-1', 'SER-', 'user-99')),
      fc.tuple(fc.constantFrom('created_after', 'created_before'), day),
    ),
    { maxLength: 2 },
  )
  .map((pairs): Filters => Object.fromEntries(pairs));

const question = fc.record({
  sort: fc.constantFrom('created_at', 'last_seen_at', 'last_clicked_at', 'notifications_sent'),
  direction: fc.constantFrom('asc', 'desc'),
  filters,
  page: fc.integer({ min: 1, max: 2 }),
  perPage: fc.constantFrom(3, 100),
});

/** The first one has no filter. */
export const questions = fc
  .tuple(
    question.map((each) => ({ ...each, filters: {} as Filters, page: 1, perPage: 100 })),
    fc.array(question, { minLength: 5, maxLength: 5 }),
  )
  .map(([all, others]) => [all, ...others]);
export type Question = ReturnType<typeof questions.generate>['value'][number];

export function listOf(
  model: readonly Modelled[],
  { sort, direction, filters, page, perPage }: Question,
): { page: Shown[]; total: number } {
  const is = (given: string | undefined, value: string | null | undefined): boolean =>
    given === undefined || given.toLowerCase() === value?.toLowerCase();
  const found = model.filter(
    (each) =>
      is(filters.status, each.status) &&
      is(filters.device_type, each.device_type) &&
      is(filters.browser, each.browser_name) &&
      is(filters.country, each.country) &&
      is(filters['tag[plan]'], each.tags.plan) &&
      each.user_identity.includes((filters.search ?? '').toLowerCase()) &&
      each.created_at.slice(0, 10) >= (filters.created_after ?? '') &&
      each.created_at.slice(0, 10) <= (filters.created_before ?? '9'),
  );
  // Subscribers who never clicked come before all who did.
  const keyOf = (each: Modelled): string | number => each[sort as 'created_at'] ?? '';
  const ascending = found.toSorted((a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    return first < second ? -1 : first > second ? 1 : a.seq - b.seq;
  });
  const sorted = direction === 'asc' ? ascending : ascending.toReversed();
  return { page: sorted.slice((page - 1) * perPage, page * perPage).map(shown), total: found.length };
}

const shown = (each: Modelled): Shown => ({
  seq: each.seq,
  notifications_sent: each.notifications_sent,
  notifications_clicked: each.notifications_clicked,
  click_rate: each.click_rate,
  last_clicked_at: each.last_clicked_at,
  last_seen_at: each.last_seen_at,
});
