// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFeed, writeNotes } from '../../../engine/adapters/postgres/campaigns/feed-notes.ts';
import { removeUnusedImages } from '../../../engine/adapters/postgres/removal/sweeps.ts';
import type { FeedNotification } from '../../../engine/contract/campaign.ts';
import { type BuiltApp, buildApp } from '../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';

let test: TestDatabase;
let app: BuiltApp;
let id: number;
beforeEach(async () => {
  test = await createTestDatabase();
  app = await buildApp(test.database);
  const [row] = await test.database.query<{ id: number }>(
    `INSERT INTO campaigns (app_id, kind, name, settings) VALUES ($1, 'feed', 'News', '{}') RETURNING id`,
    [app.id],
  );
  id = row?.id ?? 0;
});
afterEach(() => test.drop());

const content = { title: 'T', body: 'B', url: 'https://news.example/', buttons: [] };
const draft = (key: string, image: FeedNotification['image'] = null): FeedNotification => ({
  ...{ role: `item ${key}`, status: 'draft', items: 1, image, icon: null },
  content: { ...content, imageUrl: null, imageHash: null },
});
const look = (seen: readonly string[], items: readonly FeedNotification[] = []) =>
  test.database.transaction((sql) => writeNotes(sql, { id, appId: app.id }, { seen, items }));
const count = async (table: string): Promise<number> =>
  (await test.database.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`))[0]?.rows ?? 0;
const keys = (name: string, many: number): string[] => Array.from({ length: many }, (_, n) => `${name}-${n}`);

describe('what a feed had', () => {
  it('is kept by number: what the feed still has stays, and what left it longest ago is forgotten first', async () => {
    await look(keys('still', 400));
    await look(keys('left', 10));
    await test.database.query(
      `UPDATE feed_keys SET seen_at = now() - interval '400 days' WHERE key LIKE 'still-%' OR key LIKE 'left-%'`,
    );
    for (let batch = 0; batch < 5; batch++) await look([...keys('still', 400), ...keys(`b${batch}`, 2_500)]);
    expect(await count('feed_keys')).toBeLessThanOrEqual(12_900);
    const { seen } = await readFeed(test.database, id, [...keys('still', 400), ...keys('left', 10)]);
    expect([...seen].toSorted()).toEqual(keys('still', 400).toSorted());
  });

  it('is touched once a day: a check without news writes no row', async () => {
    await look(['g1', 'g2']);
    const versions = () => test.database.query(`SELECT key, xmin::text FROM feed_keys ORDER BY key`);
    const before = await versions();
    await look(['g1', 'g2']);
    expect(await versions()).toEqual(before);
    await test.database.query(`UPDATE feed_keys SET seen_at = now() - interval '25 hours' WHERE key = 'g1'`);
    await look(['g1', 'g2']);
    const stale = await test.database.query(
      `SELECT key FROM feed_keys WHERE seen_at < now() - interval '1 hour'`,
    );
    expect(stale).toEqual([]);
  });

  it('is known by its draft and its delivery where its key was forgotten', async () => {
    await look(['g1'], [draft('g1')]);
    await test.database.query('DELETE FROM feed_keys');
    expect([...(await readFeed(test.database, id, ['g1', 'g2'])).seen]).toEqual(['g1']);
  });

  it('leaves the newest thousand notifications', async () => {
    for (let batch = 0; batch < 3; batch++)
      await look(
        [],
        keys(`b${batch}`, 400).map((key) => draft(key)),
      );
    expect(await count('feed_items')).toBe(1_000);
    const [oldest] = await test.database.query<{ role: string }>(`SELECT role FROM feed_items ORDER BY id`);
    expect(oldest?.role).toBe('item b0-200');
  });

  it('keeps the image of a draft until it is decided', async () => {
    const image = { hash: Buffer.alloc(32, 1), contentType: 'image/png', bytes: Buffer.from('png') };
    await look(['g1'], [draft('g1', image)]);
    await test.database.query(`UPDATE images SET used_at = now() - interval '2 days'`);
    expect(await removeUnusedImages(test.database, 10)).toBe(0);
    await test.database.query(`UPDATE feed_items SET status = 'dismissed', image_hash = NULL`);
    expect(await removeUnusedImages(test.database, 10)).toBe(1);
  });
});
