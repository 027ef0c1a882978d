import {
  insertDelivery,
  insertOutbox,
  type NewDelivery,
} from '../../../engine/adapters/postgres/deliveries/insert-delivery.ts';
import { storeImage } from '../../../engine/adapters/postgres/deliveries/store-image.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { Image } from '../../../engine/notification/images/check-image.ts';
import { noteChange } from '../../auth/audit.ts';
import { hasConsented } from '../../shared/test-browsers/store.ts';
import {
  type CreateDeliveryDeps,
  type DeliveryOrder,
  prepareDelivery,
} from '../deliveries/create/create-delivery.ts';
import { keepAnswer, takeKey } from '../deliveries/create/idempotency.ts';
import { deliveryResource } from '../deliveries/resource.ts';
import type { Refusal } from '../deliveries/send-refusal.ts';
import { findDelivery, NO_SEGMENT } from '../deliveries/store.ts';
import type { TestBody } from './send-schema.ts';

export interface TestOrder
  extends Pick<DeliveryOrder, 'app' | 'upload' | 'actor' | 'role' | 'idempotency' | 'base' | 'traceparent'> {
  readonly body: TestBody;
}

export type TestSent = { readonly kind: 'created'; readonly answer: string } | Refusal;

type Deps = Pick<CreateDeliveryDeps, 'database' | 'proofs' | 'readImage' | 'wakeRelay' | 'subjectOf'>;

/** Of an app, in an hour: a test goes past every other limit. */
const MOST_TESTS_AN_HOUR = 30;
/** The last ones are not an author's: what nobody approves keeps no colleague from trying theirs. */
const MOST_BEFORE_AUTHORS_WAIT = 20;

/**
 * A test is an ordinary delivery whose audience names its subscriptions, fixed here: whatever is registered or removed
 * afterwards, nobody else gets it.
 */
export function createSendTest(deps: Deps) {
  return async function sendTest(order: TestOrder): Promise<TestSent> {
    const { app, body } = order;
    const asked = await prepareDelivery(deps, { ...order, body: { ...body, name: body.name ?? body.title } });
    if (asked.kind !== 'prepared') return asked;
    const { wanted, image } = asked;
    const ending = await deps.database
      .transaction(async (sql): Promise<TestSent> => {
        const use = order.idempotency === null ? null : await takeKey(sql, app.id, order.idempotency);
        if (use !== null && use.kind !== 'first') return { kind: 'repeated', use };
        const most = order.role === 'author' ? MOST_BEFORE_AUTHORS_WAIT : MOST_TESTS_AN_HOUR;
        const minutes = await minutesToWait(sql, app.id, most);
        if (minutes !== null) throw new Refused({ test_browser_ids: [tooMany(most, minutes)] });
        const testSeqs = await chooseSeqs(sql, order, body.test_browser_ids ?? null);
        return {
          kind: 'created',
          answer: await write(sql, order, { ...wanted, ...ofTests, testSeqs }, image),
        };
      })
      .catch(refusalOf);
    if (ending.kind === 'created') deps.wakeRelay();
    return ending;
  };
}

/** Rolls back: its idempotency key is free again. */
class Refused extends Error {
  readonly errors: FieldErrors;
  constructor(errors: FieldErrors) {
    super('refused');
    this.errors = errors;
  }
}

function refusalOf(error: unknown): TestSent {
  if (error instanceof Refused) return { kind: 'refused', errors: error.errors };
  throw error;
}

/** Somebody waits for it with the browser in their hand: it overtakes, and counts for no limit of the lane. */
const ofTests = { segmentId: NO_SEGMENT, categoryId: null, ignoreCap: true, lane: 'breaking' } as const;

async function write(
  sql: Sql,
  { app: { id: appId }, actor, idempotency }: TestOrder,
  delivery: NewDelivery & { readonly testSeqs: readonly number[] },
  image: Image | null,
): Promise<string> {
  if (image !== null) await storeImage(sql, image);
  const id = await insertDelivery(sql, delivery);
  await insertOutbox(sql, id, delivery);
  const detail = { name: delivery.name, browsers: delivery.testSeqs.length };
  await noteChange(sql, actor, { action: 'delivery.tested', subjectId: id, appId, detail });
  const stored = await findDelivery(sql, appId, id);
  if (stored === null) throw new Error('the test just inserted is not there');
  const answer = JSON.stringify({ data: deliveryResource(stored, 0) });
  if (idempotency !== null) await keepAnswer(sql, appId, idempotency.key, answer);
  return answer;
}

/** Until the app may send another test; null: it may. To the end of the transaction no other one counts. */
async function minutesToWait(sql: Sql, appId: AppId, most: number): Promise<number | null> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('tests', $1))`, [appId]);
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

/**
 * What an author sends has no second person: it goes to browsers alone that came by a link themselves.
 * @throws Refused where one is not registered, or none can receive anything.
 */
async function chooseSeqs(
  sql: Sql,
  { app: { id: appId }, role }: TestOrder,
  ids: readonly number[] | null,
): Promise<number[]> {
  const chosen = await sql.query<Chosen>(
    `SELECT test_browsers.id, test_browsers.seq, reader.status = 'subscribed' AS "isOn", ${hasConsented} AS consented
     FROM test_browsers JOIN subscriptions AS reader
       ON reader.app_id = test_browsers.app_id AND reader.seq = test_browsers.seq
     WHERE test_browsers.app_id = $1 AND ($2::integer[] IS NULL OR test_browsers.id = ANY($2)) ORDER BY seq`,
    [appId, ids],
  );
  const unknown = ids?.find((id) => chosen.every((each) => each.id !== id));
  if (unknown !== undefined)
    throw new Refused({
      test_browser_ids: [
        `The test_browser_ids field names ${unknown}, which is not a test browser of the app.`,
      ],
    });
  if (chosen.length === 0)
    throw new Refused({ test_browser_ids: ['The app has no test browsers: register one first.'] });
  const allowed = role === 'author' ? chosen.filter(({ consented }) => consented) : chosen;
  if (allowed.length === 0 || (ids !== null && allowed.length < chosen.length))
    throw new Refused({ test_browser_ids: [unasked] });
  const seqs = allowed.filter(({ isOn }) => isOn).map(({ seq }) => seq);
  if (seqs.length === 0)
    throw new Refused({ test_browser_ids: ['None of these test browsers is subscribed any more.'] });
  return seqs;
}
