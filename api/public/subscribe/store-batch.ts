import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { isDatabaseAway } from '../../../engine/adapters/postgres/database-away.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { countBrowsers, unsubscribe } from '../../../engine/adapters/postgres/subscriptions/counts.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { noteWonBack } from '../losses/store.ts';
import { refuseNewRows } from './new-rows.ts';
import type { ParsedSubscription } from './parse-subscription.ts';
import { planWrites } from './plan-writes.ts';
import {
  endpointKey,
  insertNew,
  lockBrowsers,
  lockMatches,
  noteReturned,
  refreshKnown,
  replaceKept,
  sealOff,
  secretKey,
  userKey,
} from './statements.ts';

/** The result of a subscribe. `left`: not handled, because of another of the batch; it is tried again. */
export type Ending =
  | { readonly kind: 'stored' }
  | { readonly kind: 'left' }
  | { readonly kind: 'app-gone' }
  /** Its client made too many new ones; nothing was stored of it. */
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number }
  | { readonly kind: 'failed'; readonly error: unknown };

const stored: Ending = { kind: 'stored' };
const left: Ending = { kind: 'left' };
const appGone: Ending = { kind: 'app-gone' };

/**
 * Everything by which a browser is known: two items that share one speak for the same browser. By its user
 * identity only where it sends no secret.
 */
export function keysOf({ endpoint, userIdentity, secretHash }: ParsedSubscription): string[] {
  if (secretHash !== null) return [endpointKey(endpoint), secretKey(secretHash)];
  return userIdentity === null ? [endpointKey(endpoint)] : [endpointKey(endpoint), userKey(userIdentity)];
}

/**
 * Stores browsers of one app that share no key, in two steps: one statement for known ones that repeat their
 * subscription, and one transaction for the rest.
 *
 * Locks are taken in the order of `engine/adapters/postgres/subscriptions/counts.ts`.
 *
 * @returns one result an item, in their order. A batch that fails is split, so that no browser fails for
 * another's error.
 * @param newPerHour new rows of an app that one client may make in an hour. Absent: any number.
 */
export function createStoreBatch(database: Database, newPerHour = Number.MAX_SAFE_INTEGER) {
  const context = { database, newPerHour };
  return async function storeBatch(appId: AppId, items: readonly ParsedSubscription[]): Promise<Ending[]> {
    try {
      return await store(context, appId, items);
    } catch (error) {
      if (isDatabaseAway(error)) return items.map(() => ({ kind: 'failed', error }));
      const endings: Ending[] = [];
      for (const item of items) endings.push(await storeOne(context, appId, item));
      return endings;
    }
  };
}

interface Context {
  readonly database: Database;
  readonly newPerHour: number;
}

/** Each try loses to an import of the same endpoint, which then is there to be found. */
const MAX_TRIES = 3;

async function storeOne(context: Context, appId: AppId, item: ParsedSubscription): Promise<Ending> {
  for (let tries = 1; ; tries++) {
    try {
      return (await store(context, appId, [item]))[0] ?? left;
    } catch (error) {
      if (tries === MAX_TRIES || !isConflict(error)) return { kind: 'failed', error };
    }
  }
}

async function store(
  { database, newPerHour }: Context,
  appId: AppId,
  items: readonly ParsedSubscription[],
): Promise<Ending[]> {
  const known = await refreshKnown(database, appId, items);
  const rest = items.filter((_, n) => !known.has(n));
  if (rest.length === 0) return items.map(() => stored);
  const work = (sql: Sql) => upsert(sql, appId, rest, newPerHour);
  const endings = (await database.transaction(work).catch(noApp(rest))).values();
  return items.map((_, n) => (known.has(n) ? stored : (endings.next().value ?? left)));
}

async function upsert(
  sql: Sql,
  appId: AppId,
  asked: readonly ParsedSubscription[],
  newPerHour: number,
): Promise<Ending[]> {
  await lockBrowsers(sql, appId, asked.flatMap(keysOf));
  const rows = await lockMatches(sql, appId, {
    endpoints: asked.map(({ endpoint }) => endpoint),
    users: asked.flatMap(({ userIdentity, secretHash }) => (secretHash === null ? (userIdentity ?? []) : [])),
    secretHashes: asked.flatMap(({ secretHash }) => secretHash ?? []),
  });
  const isNew = planWrites(asked, rows).inserts.map((index) => asked[index] as ParsedSubscription);
  const tooMany = await refuseNewRows(sql, appId, isNew, newPerHour);
  const items = asked.filter((item) => !tooMany.has(item));
  const endings = (await write(sql, appId, items, rows)).values();
  return asked.map((item) => {
    const retryAfterSeconds = tooMany.get(item);
    if (retryAfterSeconds !== undefined) return { kind: 'too-many', retryAfterSeconds };
    return endings.next().value ?? left;
  });
}

async function write(
  sql: Sql,
  appId: AppId,
  items: readonly ParsedSubscription[],
  rows: Awaited<ReturnType<typeof lockMatches>>,
): Promise<Ending[]> {
  const plan = planWrites(items, rows);
  const isLeft = new Set(plan.left);
  const pick = (indexes: readonly number[]) => items.filter((_, index) => indexes.includes(index));

  // Before another row gets the secret.
  if (plan.sealed.length > 0) await sealOff(sql, appId, plan.sealed);
  if (plan.replaces.length > 0) {
    const seqs = plan.replaces.map(({ seq }) => seq);
    await replaceKept(sql, appId, pick(plan.replaces.map(({ item }) => item)), seqs);
  }
  if (plan.stale.length > 0) await unsubscribe(sql, appId, plan.stale);
  if (plan.inserts.length > 0) {
    const inserted = await insertNew(sql, appId, pick(plan.inserts), plan.active);
    if (inserted === null) throw new AppGone();
    if (inserted < plan.inserts.length) throw new LostRace();
  } else await countBrowsers(sql, appId, plan.active);
  await noteReturned(sql, appId, {
    variants: plan.returned.flatMap(({ item }) => items[item]?.promptVariant ?? []),
    seqs: plan.returned.filter(({ isLongGone }) => isLongGone).map(({ seq }) => seq),
  });
  await noteWonBack(
    sql,
    appId,
    plan.returned.map(({ seq }) => seq),
  );
  return items.map((_, index) => (isLeft.has(index) ? left : stored));
}

/** Both end the transaction, so that the `seq`s it took are given again. */
class LostRace extends Error {}
class AppGone extends Error {}

/** `unique_violation`, deadlock_detected. */
const conflicts: readonly unknown[] = ['23505', '40P01'];
const isConflict = (error: unknown): boolean =>
  error instanceof LostRace || conflicts.includes((error as { code?: unknown }).code);

const noApp =
  (items: readonly ParsedSubscription[]) =>
  (error: unknown): Ending[] => {
    if (error instanceof AppGone) return items.map(() => appGone);
    throw error;
  };
