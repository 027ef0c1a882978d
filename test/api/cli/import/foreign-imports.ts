import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import webPush from 'web-push';
import { type BuiltApp, buildApp } from '../../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';
import { MASTER_KEY, newKeys } from '../../support.ts';

/** What an import of another service's export meets: a database, a folder with its key pair, and an app of each test. */
export const here = {} as { test: TestDatabase; folder: string; app: BuiltApp };
export const pair = webPush.generateVAPIDKeys();

/** For the top of a test file. */
export function useForeignImports(): void {
  beforeAll(async () => {
    here.test = await createTestDatabase();
  });
  afterAll(() => here.test.drop());
  beforeEach(async () => {
    here.folder = await mkdtemp(join(tmpdir(), 'broadside-from-'));
    await writeFile(join(here.folder, 'old.json'), JSON.stringify(pair));
    here.app = await buildApp(here.test.database);
  });
  afterEach(() => rm(here.folder, { recursive: true }));
}

export const run = async (text: string | Buffer, name: string, ...more: readonly string[]) => {
  await writeFile(join(here.folder, name), text);
  const args = [
    'import',
    'subscriptions',
    '--app',
    here.app.identifier,
    '--json',
    ...more,
    join(here.folder, name),
  ];
  const env = { DATABASE_URL: here.test.url, MASTER_KEY: MASTER_KEY.toString('base64') };
  const { code, out, err } = await runCliHere(args, { cwd: here.folder, env });
  return { code, err, summary: out === '' ? null : JSON.parse(out) };
};
export const from = (text: string | Buffer, name: string, service: string, ...more: readonly string[]) =>
  run(text, name, '--from', service, '--vapid', join(here.folder, 'old.json'), ...more);

interface Row {
  readonly endpoint: string;
  readonly tags: object;
  readonly external_ids: object;
  readonly user_identity: string | null;
  readonly language: string | null;
  readonly country: string | null;
  readonly zone: string | null;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly public_key: string;
}
export const rows = () =>
  here.test.database.query<Row>(
    `SELECT endpoint, tags, external_ids, user_identity, language, country, subscriptions.created_at, last_seen_at,
       (SELECT name FROM time_zones WHERE id = time_zone_id) AS zone,
       CASE WHEN subscriptions.vapid_key_number = apps.vapid_key_number THEN vapid_public_key
         ELSE (SELECT public_key FROM vapid_keys WHERE app_id = apps.id AND number = subscriptions.vapid_key_number) END
         AS public_key
     FROM subscriptions JOIN apps ON apps.id = app_id WHERE app_id = $1 ORDER BY seq`,
    [here.app.id],
  );
export const fcm = (name: string) => `https://fcm.googleapis.com/fcm/send/${name}`;
export const keys = newKeys();

const oneSignalHead =
  'id,identifier,session_count,language,timezone,game_version,device_os,device_type,device_model,ad_id,tags,last_active,' +
  'playtime,amount_spent,created_at,invalid_identifier,badge_count,external_user_id,country,web_auth,web_p256,notification_types,timezone_id';
const csv = (text: string): string => `"${text.replaceAll('"', '""')}"`;
export const oneSignalRow = (changes: Readonly<Record<string, string>> = {}): string => {
  const fields: Record<string, string> = {
    ...{
      id: 'b2f7f966-d8cc-11e4-bed1-df8f05be55ba',
      identifier: fcm('one'),
      session_count: '3',
      language: 'de',
    },
    ...{
      timezone: '3600',
      game_version: '',
      device_os: '140',
      device_type: '5',
      device_model: 'Linux',
      ad_id: '',
    },
    ...{ tags: '{"topic":"sport","visits":"3"}', last_active: '2026-02-01 08:30:00 UTC', playtime: '12' },
    ...{
      amount_spent: '0',
      created_at: '2025-03-05 10:00:00 UTC',
      invalid_identifier: 'f',
      badge_count: '0',
    },
    ...{ external_user_id: 'account-7', country: 'DE', web_auth: keys.auth, web_p256: keys.p256dh },
    ...{ notification_types: '1', timezone_id: 'Europe/Berlin', ...changes },
  };
  return oneSignalHead
    .split(',')
    .map((name) => csv(fields[name] ?? ''))
    .join(',');
};
export const oneSignal = (...lines: readonly string[]): string => [oneSignalHead, ...lines, ''].join('\n');
