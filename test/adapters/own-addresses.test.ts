// tier: postgres
import { afterEach, beforeEach, expect, it } from 'vitest';
import { renewOwnAddresses } from '../../engine/adapters/postgres/own-addresses.ts';
import type { CampaignContent } from '../../engine/contract/campaign.ts';
import { type BuiltApp, buildApp } from '../support/builders.ts';
import { createTestDatabase, openDatabase, type TestDatabase } from '../support/postgres.ts';

const BEFORE = 'https://old.example.com/push';
const NOW = 'https://push.example.com';
const hash = 'ab'.repeat(32);
const path = `/images/${hash}.png`;
const elsewhere = `https://other.example${path}`;

let test: TestDatabase;
let app: BuiltApp;
beforeEach(async () => {
  test = await createTestDatabase();
  app = await buildApp(test.database);
});
afterEach(() => test.drop());

const content = (base: string): CampaignContent => ({
  // Where a click leads is the publisher's, whatever it looks like.
  ...{ title: `See ${BEFORE}${path}`, body: 'B', url: elsewhere, buttons: [] },
  ...{ imageUrl: base + path, imageHash: hash, iconUrl: base + path },
  translations: [
    { language: 'de', title: 'T', body: 'B', url: elsewhere, buttons: null, iconUrl: base + path },
  ],
});
const feed = (base: string) => ({
  ...{ contents: [], options: {} },
  plan: {
    kind: 'feed',
    url: elsewhere,
    mapping: { title: '{title}', iconUrl: base + path },
    imageBase: base,
  },
});
const trial = (base: string) => ({ contents: [content(base)], options: {}, plan: { kind: 'ab_test' } });

async function fill(base: string): Promise<void> {
  const { query } = test.database;
  await query(`UPDATE apps SET icon_url = $2, badge_url = $3, image_base = $4 WHERE id = $1`, [
    ...[app.id, path, 'https://cdn.example.com/badge.png', base],
  ]);
  await query(
    `INSERT INTO welcome_templates (app_id, enabled, title, body, url, image_url, image_hash, delay_minutes, icon_url)
     VALUES ($1, true, 'T', 'B', $2, $3, $4, 0, NULL)`,
    [app.id, elsewhere, base + path, Buffer.from(hash, 'hex')],
  );
  for (const [status, settings] of [
    ['running', feed(base)],
    ['scheduled', trial(base)],
    ['completed', trial(base)],
  ] as const)
    await query(`INSERT INTO campaigns (app_id, kind, name, settings, status) VALUES ($1, $2, 'C', $3, $4)`, [
      app.id,
      settings.plan.kind,
      JSON.stringify(settings),
      status,
    ]);
  await query(
    `INSERT INTO feed_items (campaign_id, app_id, role, status, items, content)
     SELECT min(id), $1, 'item 1', 'draft', 1, $2 FROM campaigns`,
    [app.id, JSON.stringify(content(base))],
  );
}

async function read() {
  const { query } = test.database;
  const one = async (sql: string) => (await query<{ value: unknown }>(sql)).map(({ value }) => value);
  return {
    apps: await one(`SELECT image_base AS value FROM apps`),
    welcomes: await one(`SELECT image_url AS value FROM welcome_templates`),
    campaigns: await one(`SELECT settings AS value FROM campaigns ORDER BY id`),
    drafts: await one(`SELECT content AS value FROM feed_items`),
  };
}

it('names images at our own new address wherever they will still be sent, and nowhere else', async () => {
  await fill(BEFORE);
  expect(await renewOwnAddresses(test.database, NOW)).toBe(5);
  expect(await read()).toEqual({
    ...{ apps: [NOW], welcomes: [NOW + path] },
    campaigns: [feed(NOW), trial(NOW), trial(BEFORE)],
    drafts: [content(NOW)],
  });
});

it('writes nothing where the address is as it was, and nothing of an app without pictures of ours', async () => {
  await fill(NOW);
  await test.database.query(`UPDATE apps SET icon_url = 'https://cdn.example.com/a.png', image_base = NULL`);
  const before = await read();
  expect(await renewOwnAddresses(test.database, NOW)).toBe(0);
  expect(await read()).toEqual(before);
});

it('is done once where several processes start at a time', async () => {
  await fill(BEFORE);
  const others = [1, 2, 3].map(() => openDatabase(test.url, 2));
  const changed = await Promise.all([test.database, ...others].map((each) => renewOwnAddresses(each, NOW)));
  expect(changed.toSorted()).toEqual([0, 0, 0, 5]);
  await Promise.all(others.map((each) => each.close()));
});
