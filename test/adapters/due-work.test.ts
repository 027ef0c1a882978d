// tier: postgres
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFindDue } from '../../engine/adapters/postgres/due-work.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { acceptFor, buildApp, buildDelivery } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const MINUTE_MS = 60_000;

describe('what may be due', () => {
  let test: TestDatabase;
  let appId: AppId;
  beforeAll(async () => {
    test = await createTestDatabase();
    appId = (await buildApp(test.database)).id;
  });
  afterAll(() => test.drop());

  const at = (minutes: number): Date => new Date(Date.now() + minutes * MINUTE_MS);
  const find = () => createFindDue(test.database)();
  const run = (text: string) => test.database.query(text, [appId]);
  const campaign = (kind: 'feed' | 'recurring', minutes: number) =>
    test.database.query(
      `INSERT INTO campaigns (app_id, kind, name, settings, progress, next_step_at)
       VALUES ($1, $2, 'Morning', '{}', '{}', $3)`,
      [appId, kind, at(minutes)],
    );
  const welcome = async (minutes: number) => {
    await run(`INSERT INTO welcome_templates (app_id, enabled, title, body, url, delay_minutes)
      VALUES ($1, true, 'Hello', 'World', 'https://news.example/', 0)`);
    await test.database.query('INSERT INTO welcomes (app_id, seq, due_at) VALUES ($1, 1, $2)', [
      appId,
      at(minutes),
    ]);
  };
  const queued = async (assignment: string) => {
    await buildDelivery(test.database, appId, { status: 'queued' });
    await run(`UPDATE deliveries SET ${assignment} WHERE app_id = $1`);
  };
  const heldOf = async (state: 'running' | 'settled', assignment: string) => {
    const ended = await buildDelivery(test.database, appId, { status: 'cancelled' });
    await acceptFor(test.database, ended, [1], { state });
    await run(`UPDATE shards SET ${assignment} WHERE app_id = $1`);
  };
  const clear = async () => {
    for (const table of ['blocks', 'shards', 'deliveries', 'campaigns', 'welcomes', 'welcome_templates'])
      await run(`DELETE FROM ${table} WHERE app_id = $1`);
  };

  const cases: readonly (readonly [string, () => Promise<unknown>, readonly string[]])[] = [
    ['nothing on an empty installation', async () => {}, []],
    [
      'a delivery whose time has come',
      () => buildDelivery(test.database, appId, { status: 'scheduled', scheduledAt: at(-1) }),
      ['schedule'],
    ],
    [
      'none that is still to come',
      () => buildDelivery(test.database, appId, { status: 'scheduled', scheduledAt: at(1) }),
      [],
    ],
    [
      'shards of a delivery that runs',
      () => buildDelivery(test.database, appId, { status: 'processing' }),
      ['schedule'],
    ],
    [
      'a shard that a dead engine held of a cancelled delivery',
      () => heldOf('running', `due_at = now()`),
      ['schedule'],
    ],
    ['none of deliveries that have ended', () => heldOf('settled', `due_at = now()`), []],
    [
      'a message that the log may have lost',
      () => queued(`updated_at = now() - interval '6 minutes'`),
      ['schedule'],
    ],
    ['a plan that was postponed', () => queued(`plan_after = now() - interval '1 second'`), ['schedule']],
    ['none that was queued a moment ago', () => queued('plan_after = NULL'), []],
    ['a campaign’s step', () => campaign('recurring', -1), ['campaigns']],
    ['a feed', () => campaign('feed', -1), ['feeds']],
    ['no campaign before its time', () => campaign('feed', 1).then(() => campaign('recurring', 1)), []],
    ['welcomes', () => welcome(-1), ['welcomes']],
    ['no welcome before its time', () => welcome(1), []],
  ];
  it.each(cases)('is %s', async (_what, make, expected) => {
    await make();
    try {
      expect(await find()).toEqual(expected);
    } finally {
      await clear();
    }
  });
});
