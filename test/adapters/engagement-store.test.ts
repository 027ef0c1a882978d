// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { createEngagementStore } from '../../engine/adapters/postgres/record/engagement-store.ts';
import { buildApp } from '../support/builders.ts';
import { createTestDatabase } from '../support/postgres.ts';

describe('noting clicks', async () => {
  const test = await createTestDatabase();
  afterAll(() => test.drop());

  const rows = (appId: number) =>
    test.database.query<{ clicked: number | null; seen: number }>(
      `SELECT (extract(epoch FROM last_clicked_at) * 1000)::bigint AS clicked,
         (extract(epoch FROM last_seen_at) * 1000)::bigint AS seen
       FROM subscriptions WHERE app_id = $1 ORDER BY seq`,
      [appId],
    );
  const seenAt = (ms: number) =>
    test.database.query(`UPDATE subscriptions SET last_seen_at = to_timestamp($1 / 1000.0)`, [ms]);

  it('moves the time of the last click, and of the last sign of life, forward only', async () => {
    const { noteClicks } = createEngagementStore(test.database);
    const one = await buildApp(test.database, { subscribers: 3 });
    const other = await buildApp(test.database, { subscribers: 1 });
    await seenAt(5_000);
    await noteClicks([
      { appId: one.id, seq: 1, atMs: 7_001 },
      { appId: one.id, seq: 0, atMs: 4_000 },
      { appId: other.id, seq: 0, atMs: 9_000 },
    ]);
    const after = [
      { clicked: 4_000, seen: 5_000 },
      { clicked: 7_001, seen: 7_001 },
      { clicked: null, seen: 5_000 },
    ];
    expect(await rows(one.id)).toEqual(after);
    expect(await rows(other.id)).toEqual([{ clicked: 9_000, seen: 9_000 }]);
    await noteClicks([
      { appId: one.id, seq: 1, atMs: 6_000 },
      { appId: one.id, seq: 0, atMs: 4_000 },
    ]);
    expect(await rows(one.id)).toEqual(after);
  });

  it('skips deleted subscriptions', async () => {
    const { noteClicks } = createEngagementStore(test.database);
    const app = await buildApp(test.database, { subscribers: 1 });
    await noteClicks([
      { appId: app.id, seq: 99, atMs: 1_000 },
      { appId: app.id, seq: 0, atMs: 1_000 },
      { appId: 999_999, seq: 0, atMs: 1_000 },
    ]);
    expect((await rows(app.id))[0]?.clicked).toBe(1_000);
  });

  it('lets writers of the same subscriptions in any order wait for each other, without a deadlock', async () => {
    const { noteClicks } = createEngagementStore(test.database);
    const app = await buildApp(test.database, { subscribers: 200 });
    const clicks = Array.from({ length: 200 }, (_, seq) => ({ appId: app.id, seq, atMs: 1_000 + seq }));
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map((round) => {
        const later = clicks.map((click) => ({ ...click, atMs: click.atMs + round }));
        return noteClicks(round % 2 === 0 ? later : later.toReversed());
      }),
    );
    expect((await rows(app.id)).map(({ clicked }) => clicked)).toEqual(clicks.map(({ atMs }) => atMs + 5));
  });
});
