// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPruneStore } from '../../engine/adapters/postgres/removal/prune-store.ts';
import { createRemovalStore } from '../../engine/adapters/postgres/removal/removal-store.ts';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { createPruneStep } from '../../engine/removal/prune.ts';
import { type BuiltApp, buildAccepted, buildApp, buildSubscriptions } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const DAYS = 90;

describe('pruning', () => {
  let test: TestDatabase;
  let app: BuiltApp;
  let seen: Uint8Array;
  beforeEach(async () => {
    test = await createTestDatabase();
    app = await buildApp(test.database, { subscribers: 10 });
    seen = Uint8Array.of(0b0000_0010, 0);
    await test.database.query(
      `UPDATE subscriptions SET created_at = now() - interval '1 year', last_seen_at = now() - interval '200 days',
         secret_hash = sha256(int4send(seq)) WHERE app_id = $1`,
      [app.id],
    );
    await sent([0, 1, 2, 3, 4, 5, 6, 8, 9]);
    await switchOn(DAYS);
  });
  afterEach(() => test.drop());

  async function sent(seqs: readonly number[], daysAgo = 1): Promise<void> {
    const { id } = await buildAccepted(test.database, app.id, seqs);
    await test.database.query(
      'UPDATE blocks SET slots_at = now() - make_interval(days => $2) WHERE delivery_id = $1',
      [id, daysAgo],
    );
  }
  const switchOn = (days: number | null) =>
    test.database.query('UPDATE apps SET prune_unreachable_days = $2 WHERE id = $1', [app.id, days]);
  const change = (seq: number, set: string) =>
    test.database.query(`UPDATE subscriptions SET ${set} WHERE app_id = $1 AND seq = $2`, [app.id, seq]);
  const stepWith = (
    seenWithin: (appId: AppId, days: number) => Promise<Uint8Array>,
    store = createPruneStore(test.database),
  ) =>
    createPruneStep({
      store,
      turns: { takeTurn: async () => true },
      seenWithin,
      clock: systemClock,
      ...{ everyMs: 0, rowsPerStep: 2, restMs: 0 },
      signal: new AbortController().signal,
    });
  const prune = () => stepWith(async () => seen)();
  const left = async (): Promise<number[]> =>
    (
      await test.database.query<{ seq: number }>(
        `SELECT seq FROM subscriptions WHERE app_id = $1 AND status = 'unsubscribed' ORDER BY seq`,
        [app.id],
      )
    ).map(({ seq }) => seq);
  const nextDay = () => test.database.query(`UPDATE subscription_prunings SET day = day - 1`);
  const lines = () =>
    test.database.query<{ detail: object }>(
      `SELECT via, app_id, detail FROM audit_log WHERE action = 'subscription.pruned' ORDER BY id`,
    );

  it('checks a part of each app in turn, so that large ones do not use up the day', async () => {
    const large = await buildApp(test.database);
    const small = await buildApp(test.database);
    await buildSubscriptions(test.database, large.id, 300, 1_024);
    await buildSubscriptions(test.database, small.id, 2);
    await test.database.query('UPDATE apps SET prune_unreachable_days = $1', [DAYS]);
    await test.database.query('UPDATE apps SET prune_unreachable_days = NULL WHERE id = $1', [app.id]);
    const step = stepWith(async () => seen);
    await step();
    await step();
    expect(
      await test.database.query('SELECT app_id, done FROM subscription_prunings ORDER BY app_id'),
    ).toEqual([
      { app_id: large.id, done: false },
      { app_id: small.id, done: true },
    ]);
  });

  it('unsubscribes those whom messages were accepted for, and who gave no sign in that time', async () => {
    // 1 was shown something. 7 was not sent to.
    await change(2, "last_seen_at = now() - interval '89 days'");
    await change(3, "last_clicked_at = now() - interval '89 days'");
    await change(4, "created_at = now() - interval '89 days'");
    await change(5, 'secret_hash = NULL');
    expect(await prune()).toBe(4);
    expect(await left()).toEqual([0, 6, 8, 9]);
    const [counts] = await test.database.query(
      'SELECT subscriber_count, active_subscriber_count FROM apps WHERE id = $1',
      [app.id],
    );
    expect(counts).toEqual({ subscriber_count: 10, active_subscriber_count: 6 });
    expect(await lines()).toEqual([{ via: 'service', app_id: app.id, detail: { count: 4, days: DAYS } }]);
  });

  it('checks each app once a day, and says a day’s number in one line', async () => {
    await prune();
    await change(0, `status = 'subscribed', unsubscribed_at = NULL`);
    expect(await prune()).toBe(0);
    await nextDay();
    expect(await prune()).toBe(1);
    expect((await lines()).map(({ detail }) => detail)).toEqual([
      { count: 8, days: DAYS },
      { count: 1, days: DAYS },
    ]);
  });

  it('prunes nobody where it is off, where no display was reported, and while ClickHouse is unavailable', async () => {
    await switchOn(null);
    expect(await prune()).toBe(0);
    await switchOn(DAYS);
    const away = stepWith(() => Promise.reject(new Error('ClickHouse is away')));
    await expect(away()).rejects.toThrow('away');
    seen = new Uint8Array(2);
    expect(await prune()).toBe(0);
    expect(await left()).toEqual([]);
  });

  it('of an app that cannot be checked holds up no other app', async () => {
    const other = await buildApp(test.database, { subscribers: 10 });
    await test.database.query('UPDATE apps SET prune_unreachable_days = 90 WHERE id = $1', [other.id]);
    const checked: AppId[] = [];
    const step = stepWith(async (appId) => {
      if (appId === app.id) throw new Error('too large');
      checked.push(appId);
      return seen;
    });
    await expect(step()).rejects.toThrow('too large');
    await step();
    expect(checked).toEqual([other.id]);
  });

  it('leaves a reader who came back since they were checked', async () => {
    const store = createPruneStore(test.database);
    const step = stepWith(async () => seen, {
      ...store,
      findQuiet: async (due, blocks) => {
        const quiet = await store.findQuiet(due, blocks);
        await change(0, 'last_seen_at = now()');
        return quiet;
      },
    });
    await step();
    expect(await left()).not.toContain(0);
    expect(await left()).toHaveLength(7);
  });

  it('goes on where an engine died, and counts all in the same line', async () => {
    const store = createPruneStore(test.database);
    let pruned = 0;
    const dying = stepWith(async () => seen, {
      ...store,
      prune: async (due, seqs) => {
        if (pruned > 2) throw new Error('it died');
        pruned += await store.prune(due, seqs);
        return pruned;
      },
    });
    await expect(dying()).rejects.toThrow('it died');
    expect(await left()).toHaveLength(4);
    await prune();
    expect(await left()).toHaveLength(8);
    expect((await lines()).map(({ detail }) => detail)).toEqual([{ count: 8, days: DAYS }]);
  });

  it('goes with its app', async () => {
    await prune();
    await test.database.query(`UPDATE apps SET deleted_at = now() - interval '1 hour' WHERE id = $1`, [
      app.id,
    ]);
    const removal = createRemovalStore(test.database, { graceSeconds: 0 });
    while ((await removal.removeOfDeletedApp(1_000)) > 0);
    expect(await test.database.query('SELECT FROM subscription_prunings')).toEqual([]);
  });
});
