// tier: postgres
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
import { afterAll, expect, it } from 'vitest';
import { type BrowserName, secretHashOf } from '../../../../api/public/browser-name.ts';
import { createSubscribe } from '../../../../api/public/subscribe/batches.ts';
import { createStoreBatch } from '../../../../api/public/subscribe/store-batch.ts';
import { leave, touch } from '../../../../api/public/update/store.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { buildApp } from '../../../support/builders.ts';
import { cases } from '../../../support/cases.ts';
import { createTestDatabase } from '../../../support/postgres.ts';

/** What the API promises of browsers, without batches, locks or SQL: a list of rows and one call at a time. */
interface Row {
  readonly endpoint: string;
  readonly user: string | null;
  /** `sealed`: unknown to everyone. */
  readonly secret: string | null;
  readonly active: boolean;
}
type State = readonly Row[];
type Subscribe = {
  readonly kind: 'subscribe';
  readonly endpoint: string;
  readonly user: string | null;
  readonly secret: string | null;
};
type Call =
  | Subscribe
  | { readonly kind: 'leave' | 'touch'; readonly user: string; readonly secret: string | null };

/** Every state that may follow: which of a user's unsubscribed rows comes back is not promised. */
function after(state: State, call: Call): State[] {
  if (call.kind === 'touch') return [state];
  if (call.kind !== 'subscribe') {
    const isMeant = (row: Row) =>
      row.secret === call.secret && (call.secret !== null || row.user === call.user);
    return [state.map((row) => (isMeant(row) ? { ...row, active: false } : row))];
  }
  return call.secret === null ? afterPlain(state, call) : afterSecret(state, call, call.secret);
}

/** A browser that proves itself: its row is the one with its secret, wherever that moved. */
function afterSecret(state: State, { endpoint, user }: Subscribe, secret: string): State[] {
  const own = state.find((row) => row.endpoint === endpoint);
  if (own !== undefined && own.secret !== null && own.secret !== secret) return [state];
  const mine = state.find((row) => row.secret === secret);
  const kept = own ?? mine;
  if (kept === undefined) return [[...state, { endpoint, user, secret, active: true }]];
  return [
    state.map((row) => {
      if (row === kept) return { endpoint, user: user ?? row.user, secret, active: true };
      return row === mine ? { ...row, secret: 'sealed', active: false } : row;
    }),
  ];
}

/** What the document says, among rows that have no secret. */
function afterPlain(state: State, { endpoint, user }: Subscribe): State[] {
  if (state.some((row) => row.endpoint === endpoint && row.secret !== null)) return [state];
  const free = state.filter((row) => row.secret === null);
  const matches = free.filter((row) => row.endpoint === endpoint || (user !== null && row.user === user));
  if (matches.length === 0) return [[...state, { endpoint, user, secret: null, active: true }]];
  const own = matches.filter((row) => row.endpoint === endpoint);
  const active = matches.filter((row) => row.active);
  const mayBeKept = own.length > 0 ? own : active.length > 0 ? active : matches;
  return mayBeKept.map((kept) =>
    state.map((row) => {
      if (row === kept) return { ...row, endpoint, user: user ?? row.user, active: true };
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
    .map(({ endpoint, user, secret, active }) => `${endpoint} ${user} ${secret} ${active}`)
    .toSorted()
    .join('\n');

const endpoints = ['a', 'b', 'c'].map((name) => `https://push.example.com/${name}`);
const users = ['u', 'v'];
const secrets = ['s', 't'];
const textOfSecret = (secret: string): string => secret.repeat(43);
const hashOfSecret = (secret: string | null): Buffer | null =>
  secretHashOf(secret === null ? undefined : textOfSecret(secret));
const someSecret = constantFrom(null, null, ...secrets);
const someCall: Arbitrary<Call> = oneof(
  {
    weight: 5,
    arbitrary: record({
      kind: constantFrom('subscribe' as const),
      endpoint: constantFrom(...endpoints),
      user: constantFrom(null, ...users),
      secret: someSecret,
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      kind: constantFrom('leave' as const, 'touch' as const),
      user: constantFrom(...users),
      secret: someSecret,
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

const test = await createTestDatabase();
afterAll(() => test.drop());

async function readBooks(appId: AppId) {
  const found = await test.database.query<Row & { seq: number; hash: Buffer | null }>(
    `SELECT seq, endpoint, user_identity AS user, secret_hash AS hash, status = 'subscribed' AS active
     FROM subscriptions WHERE app_id = $1 ORDER BY seq`,
    [appId],
  );
  const nameOf = (hash: Buffer): string =>
    secrets.find((secret) => hashOfSecret(secret)?.equals(hash)) ?? 'sealed';
  const rows = found.map(({ hash, ...row }) => ({ ...row, secret: hash && nameOf(hash) }));
  const [counts] = await test.database.query(
    `SELECT subscriber_count AS all, active_subscriber_count AS active, next_seq AS next FROM apps WHERE id = $1`,
    [appId],
  );
  return { rows, counts };
}

it('calls about few browsers at once end as one at a time in some order, and the counts are exact', async () => {
  const processes = [1, 2].map(() => createSubscribe(createStoreBatch(test.database)));
  const make = (appId: AppId, call: Call, atFirst: boolean): Promise<unknown> => {
    const secretHash = hashOfSecret(call.secret);
    if (call.kind !== 'subscribe') {
      const name: BrowserName =
        secretHash === null ? { kind: 'user', identity: call.user } : { kind: 'secret', hash: secretHash };
      if (call.kind === 'leave') return leave(test.database, appId, name);
      return touch(test.database, appId, name, {
        externalIds: { n: '1' },
        visitor,
        timeZone: null,
        language: null,
      });
    }
    const keys = { p256dh: Buffer.alloc(65, 4), auth: Buffer.alloc(16) };
    const { endpoint, user: userIdentity } = call;
    const browser = {
      ...keys,
      endpoint,
      userIdentity,
      secretHash,
      externalIds: {},
      categoryIds: null,
      vapidKeyNumber: null,
      visitor,
      timeZone: null,
      language: null,
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
  await assert(property, { numRuns: cases(15, 60) });
});
