// tier: system
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../support/builders.ts';
import { cases } from '../../../support/cases.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { newKeys } from '../../support.ts';

const bin = fileURLToPath(new URL('../../../../api/bin.mjs', import.meta.url));
const LINES = cases(25_000, 200_000);
const LINES_TWICE = cases(16_000, 40_000);

describe('broadside import subscriptions, with a list of real size', () => {
  let test: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'broadside-import-'));
    await writeFile(join(folder, 'all.ndjson'), linesOf(LINES));
    await writeFile(join(folder, 'some.ndjson'), linesOf(LINES_TWICE));
  });
  afterAll(async () => {
    await test.drop();
    await rm(folder, { recursive: true });
  });

  const run = (app: string, file: string) =>
    new Promise<{ code: number; summary: unknown; err: string }>((resolve) => {
      const args = ['import', 'subscriptions', '--app', app, '--json', join(folder, file)];
      const env = { PATH: process.env.PATH ?? '', DATABASE_URL: test.url };
      execFile(process.execPath, [bin, ...args], { cwd: folder, env }, (error, out, err) =>
        resolve({
          code: error === null ? 0 : Number(error.code),
          summary: out === '' ? null : JSON.parse(out),
          err,
        }),
      );
    });
  const stored = async (app: string) => {
    const [row] = await test.database.query(
      `SELECT next_seq, subscriber_count, active_subscriber_count,
         (SELECT count(DISTINCT endpoint) FROM subscriptions WHERE app_id = apps.id) AS endpoints,
         (SELECT count(*) FROM subscription_facets WHERE app_id = apps.id) AS listed
       FROM apps WHERE identifier = $1`,
      [app],
    );
    return row;
  };
  const all = (count: number) => ({
    next_seq: count,
    subscriber_count: count,
    active_subscriber_count: count,
    endpoints: count,
    listed: count,
  });
  let first: string;

  it(`brings ${LINES} lines into an installation that is empty`, async () => {
    first = (await buildApp(test.database)).identifier;
    const { code, summary, err } = await run(first, 'all.ndjson');
    expect(code, err).toBe(0);
    expect(summary).toMatchObject({ lines: LINES, inserted: LINES, updated: 0, refused: 0 });
    expect(await stored(first)).toEqual(all(LINES));
  }, 1_800_000);

  it('takes the same file again, and changes nothing', async () => {
    const { code, summary, err } = await run(first, 'all.ndjson');
    expect(code, err).toBe(0);
    expect(summary).toMatchObject({ lines: LINES, inserted: 0, updated: LINES, refused: 0 });
    expect(await stored(first)).toEqual(all(LINES));
  }, 1_800_000);

  it('takes one file twice at once into an app beside it, of which statistics know nothing', async () => {
    const { identifier } = await buildApp(test.database);
    const runs = await Promise.all([run(identifier, 'some.ndjson'), run(identifier, 'some.ndjson')]);
    expect(
      runs.map(({ code }) => code),
      runs.map(({ err }) => err).join(),
    ).toEqual([0, 0]);
    const inserted = runs.map(({ summary }) => (summary as { inserted: number }).inserted);
    expect((inserted[0] ?? 0) + (inserted[1] ?? 0)).toBe(LINES_TWICE);
    expect(await stored(identifier)).toMatchObject({ endpoints: LINES_TWICE, subscriber_count: LINES_TWICE });
  }, 1_800_000);
});

function linesOf(count: number): string {
  // Some points for many lines: making a key costs more than importing one.
  const keys = Array.from({ length: 20 }, newKeys);
  return Array.from({ length: count }, (_, n) => {
    const endpoint = `https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('base64url')}:APA91b${randomBytes(96).toString('base64url')}`;
    return `${JSON.stringify({ endpoint, ...keys[n % 20], user_identity: `reader-${n}`, tags: { topic: 'sports' }, country: 'PL', device_type: 'mobile' })}\n`;
  }).join('');
}
