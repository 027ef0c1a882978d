import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { hasConsented } from '../../shared/test-browsers/store.ts';
import { type DeliveryOrder, prepareDelivery } from '../deliveries/create/create-delivery.ts';
import { type Created, createOnce, findRepetition } from '../deliveries/create/idempotency.ts';
import type { Refused } from '../deliveries/refused.ts';
import { deliveryResource } from '../deliveries/resource.ts';
import type { Refusal } from '../deliveries/send-refusal.ts';
import { NO_SEGMENT } from '../deliveries/store.ts';
import type { WriteDeps } from '../deliveries/write/order.ts';
import { type DeliveryWrite, writeDelivery } from '../deliveries/write/write-delivery.ts';
import type { TestBody } from './send-schema.ts';

export interface TestOrder extends Omit<DeliveryOrder, 'body'> {
  readonly body: TestBody;
}

/** Of an app, in an hour: a test goes past every other limit. */
const MOST_TESTS_AN_HOUR = 30;
/** The last ones are not an author's: what nobody approves keeps no colleague from trying theirs. */
const MOST_BEFORE_AUTHORS_WAIT = 20;

/**
 * A test is an ordinary delivery whose audience names its subscriptions, fixed here: whatever is registered or removed
 * afterwards, nobody else gets it.
 */
export function createSendTest(deps: WriteDeps) {
  return async function sendTest(order: TestOrder): Promise<Created | Refusal> {
    const { body } = order;
    const asked = await prepareDelivery(deps, { ...order, body: { ...body, name: body.name ?? body.title } });
    if (asked.kind !== 'prepared') return asked;
    const ending = await deps.database.transaction((sql) => sendIn(sql, order, asked));
    if (ending.kind === 'created') deps.wakeRelay();
    return ending;
  };
}

/** Somebody waits for it with the browser in their hand: it overtakes, and counts for no limit of the lane. */
const ofTests = { segmentId: NO_SEGMENT, categoryId: null, ignoreCap: true, lane: 'breaking' } as const;

/** The key is looked up under the lock of the app's tests: a repetition is answered as one even if the first was the last. */
async function sendIn(
  sql: Sql,
  order: TestOrder,
  { wanted, images }: Extract<Awaited<ReturnType<typeof prepareDelivery>>, { readonly kind: 'prepared' }>,
): Promise<Created | Refusal> {
  const { app, role, idempotency, body } = order;
  await lockTests(sql, app.id);
  const repeated = await findRepetition(sql, app.id, idempotency);
  if (repeated !== null) return repeated;
  const most = role === 'author' ? MOST_BEFORE_AUTHORS_WAIT : MOST_TESTS_AN_HOUR;
  const minutes = await minutesToWait(sql, app.id, most);
  if (minutes !== null) return refused(tooMany(most, minutes));
  const chosen = await chooseSeqs(sql, order, body.test_browser_ids ?? null);
  if (chosen.kind === 'refused') return chosen;
  const { seqs: testSeqs } = chosen;
  const note: DeliveryWrite['note'] = {
    action: 'delivery.tested',
    detail: { name: wanted.name, browsers: testSeqs.length },
  };
  const delivery = { ...wanted, ...ofTests, testSeqs };
  return createOnce(sql, order, async () =>
    deliveryResource(await writeDelivery(sql, order, { delivery, images, note }), 0),
  );
}

const refused = (words: string): Refused => ({ kind: 'refused', errors: { test_browser_ids: [words] } });

/** To the end of the transaction no other one counts. */
async function lockTests(sql: Sql, appId: AppId): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('tests', $1))`, [appId]);
}

/** Until the app may send another test; null: it may. */
async function minutesToWait(sql: Sql, appId: AppId, most: number): Promise<number | null> {
  const [oldest] = await sql.query<{ minutes: number }>(
    `SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - now()) / 60)::int AS minutes
     FROM deliveries WHERE app_id = $1 AND test AND created_at > now() - interval '1 hour'
     ORDER BY id DESC OFFSET $2 LIMIT 1`,
    [appId, most - 1],
  );
  return oldest?.minutes ?? null;
}

const tooMany = (most: number, minutes: number): string =>
  `An app sends at most ${most} tests an hour: try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;

const unasked =
  'An author’s test goes only to browsers that came by the link themselves: make a link, and open it in the browser.';

interface Chosen {
  readonly id: number;
  readonly seq: number;
  readonly isOn: boolean;
  readonly consented: boolean;
}

/** What an author sends has no second person: it goes to browsers alone that came by a link themselves. */
async function chooseSeqs(
  sql: Sql,
  { app: { id: appId }, role }: TestOrder,
  ids: readonly number[] | null,
): Promise<Refused | { readonly kind: 'chosen'; readonly seqs: readonly number[] }> {
  const chosen = await sql.query<Chosen>(
    `SELECT test_browsers.id, test_browsers.seq, reader.status = 'subscribed' AS "isOn", ${hasConsented} AS consented
     FROM test_browsers JOIN subscriptions AS reader
       ON reader.app_id = test_browsers.app_id AND reader.seq = test_browsers.seq
     WHERE test_browsers.app_id = $1 AND ($2::integer[] IS NULL OR test_browsers.id = ANY($2)) ORDER BY seq`,
    [appId, ids],
  );
  const unknown = ids?.find((id) => chosen.every((each) => each.id !== id));
  if (unknown !== undefined)
    return refused(`The test_browser_ids field names ${unknown}, which is not a test browser of the app.`);
  if (chosen.length === 0) return refused('The app has no test browsers: register one first.');
  const allowed = role === 'author' ? chosen.filter(({ consented }) => consented) : chosen;
  if (allowed.length === 0 || (ids !== null && allowed.length < chosen.length)) return refused(unasked);
  const seqs = allowed.filter(({ isOn }) => isOn).map(({ seq }) => seq);
  if (seqs.length === 0) return refused('None of these test browsers is subscribed any more.');
  return { kind: 'chosen', seqs };
}
