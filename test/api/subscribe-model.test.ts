import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  oneof,
  record,
} from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSubscribe } from '../../api/public/subscribe/batches.ts';
import { createStoreBatch } from '../../api/public/subscribe/store-batch.ts';
import { leave, touch } from '../../api/public/update/store.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { buildApp } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

/** What the API promises of browsers, without batches, locks or SQL: a list of rows and one call at a time. */
interface Row {
  readonly endpoint: string;
  readonly user: string | null;
  readonly active: boolean;
}
type State = readonly Row[];
type Call =
  | { readonly kind: 'subscribe'; readonly endpoint: string; readonly user: string | null }
  | { readonly kind: 'leave'; readonly user: string }
  | { readonly kind: 'touch'; readonly user: string };

/** Every state that may follow: which of a user's unsubscribed rows comes back is not promised. */
function after(state: State, call: Call): State[] {
  if (call.kind === 'touch') return [state];
  if (call.kind === 'leave') {
    return [state.map((row) => (row.user === call.user ? { ...row, active: false } : row))];
  }
  const { endpoint, user } = call;
  const matches = state.filter((row) => row.endpoint === endpoint || (user !== null && row.user === user));
  if (matches.length === 0) return [[...state, { endpoint, user, active: true }]];
  const own = matches.filter((row) => row.endpoint === endpoint);
  const active = matches.filter((row) => row.active);
  const mayBeKept = own.length > 0 ? own : active.length > 0 ? active : matches;
  return mayBeKept.map((kept) =>
    state.map((row) => {
      if (row === kept) return { endpoint, user: user ?? row.user, active: true };
      return matches.includes(row) ? { ...row, active: false } : row;
    }),
  );
}

/** All ends of all orders of the calls. */
function outcomes(state: State, calls: readonly Call[]): State[] {
  if (calls.length === 0) return [state];
  return calls.flatMap((call, index) =>
    after(state, call).flatMap((next) => outcomes(next, calls.toSpliced(index, 1))),
  );
}

const textOf = (state: State): string =>
  state
    .map(({ endpoint, user, active }) => `${endpoint} ${user} ${active}`)
    .toSorted()
    .join('\n');

const endpoints = ['a', 'b', 'c'].map((name) => `https://push.example.com/${name}`);
const users = ['u', 'v'];
const someCall: Arbitrary<Call> = oneof(
  {
    weight: 5,
    arbitrary: record({
      kind: constantFrom('subscribe' as const),
      endpoint: constantFrom(...endpoints),
      user: constantFrom(null, ...users),
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      kind: constantFrom('leave' as const, 'touch' as const),
      user: constantFrom(...users),
    }),
  },
);
/** Calls of one round are made at once, each at one of two processes. */
const rounds = array(array(record({ call: someCall, atFirst: boolean() }), { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 4,
});

const visitor = {
  deviceType: null,
  browserName: null,
  browserVersion: null,
  osName: null,
  osVersion: null,
  country: null,
};

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

async function readBooks(appId: AppId) {
  const rows = await test.database.query<Row & { seq: number }>(
    `SELECT seq, endpoint, user_identity AS user, status = 'subscribed' AS active FROM subscriptions WHERE app_id = $1 ORDER BY seq`,
    [appId],
  );
  const [counts] = await test.database.query(
    `SELECT subscriber_count AS all, active_subscriber_count AS active, next_seq AS next FROM apps WHERE id = $1`,
    [appId],
  );
  return { rows, counts };
}

it('calls about few browsers at once end as one at a time in some order, and the counts are exact', async () => {
  const processes = [1, 2].map(() => createSubscribe(createStoreBatch(test.database)));
  const make = (appId: AppId, call: Call, atFirst: boolean): Promise<unknown> => {
    if (call.kind === 'leave') return leave(test.database, appId, call.user);
    if (call.kind === 'touch')
      return touch(test.database, appId, call.user, { externalIds: { n: '1' }, visitor });
    const keys = { p256dh: Buffer.alloc(65, 4), auth: Buffer.alloc(16) };
    const { endpoint, user: userIdentity } = call;
    const browser = {
      ...keys,
      endpoint,
      userIdentity,
      externalIds: {},
      categoryIds: null,
      vapidKeyNumber: null,
      visitor,
    };
    return (processes[atFirst ? 0 : 1] ?? expect.fail())(appId, browser);
  };
  const property = asyncProperty(rounds, async (given) => {
    const { id } = await buildApp(test.database);
    let state: State = [];
    for (const round of given) {
      await Promise.all(round.map(({ call, atFirst }) => make(id, call, atFirst)));
      const { rows, counts } = await readBooks(id);
      const possible = outcomes(
        state,
        round.map(({ call }) => call),
      ).map(textOf);
      expect(possible).toContain(textOf(rows));
      const active = rows.filter((row) => row.active).length;
      expect(counts).toEqual({ all: rows.length, active, next: rows.length });
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, n) => n));
      state = rows;
    }
  });
  await assert(property, { numRuns: 60 });
}, 180_000);
