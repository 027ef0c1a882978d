// tier: system, clickhouse
import { createECDH, hash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPerson } from '../../../../api/client/people/store.ts';
import { createStatisticsChanges } from '../../../../engine/adapters/clickhouse/anonymize.ts';
import type { ClickHouse } from '../../../../engine/adapters/clickhouse/clickhouse.ts';
import { createOutcomeStore } from '../../../../engine/adapters/clickhouse/outcome-store.ts';
import { createPersonReads } from '../../../../engine/adapters/clickhouse/person-reads.ts';
import { createPgBossLog } from '../../../../engine/adapters/pgboss/log.ts';
import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { createRemovalStore } from '../../../../engine/adapters/postgres/removal/removal-store.ts';
import { completeErasures } from '../../../../engine/adapters/postgres/removal/sweeps.ts';
import { systemClock } from '../../../../engine/contract/concurrency/clock.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { createForgetStep } from '../../../../engine/removal/forget.ts';
import { buildBlockOutcomes } from '../../../support/block-outcomes.ts';
import { appIdOf } from '../../../support/subscriptions.ts';
import { openTestClickHouse } from '../../../support/test-clickhouse.ts';
import { appBody, callAs, createMember, createTestApi, newEndpoint, type TestApi } from '../../support.ts';

interface Reader {
  readonly userId: string;
  readonly account: string;
  readonly tag: string;
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
  readonly secret: Buffer;
}

const makeReader = (name: string): Reader => {
  const pair = createECDH('prime256v1');
  return {
    userId: `user-of-${name}`,
    account: `account-of-${name}`,
    tag: `tag-of-${name}`,
    endpoint: newEndpoint(),
    p256dh: pair.generateKeys(),
    auth: randomBytes(16),
    secret: randomBytes(32),
  };
};

/** Every spelling in which a store could have it. */
const needlesOf = ({ userId, account, tag, endpoint, p256dh, auth, secret }: Reader): string[] => [
  ...[userId, account, tag, endpoint],
  ...[p256dh, auth, secret, hash('sha256', secret, 'buffer')].flatMap((bytes) => [
    bytes.toString('hex'),
    bytes.toString('base64').slice(0, -2),
    bytes.toString('base64url'),
  ]),
];

describe('a person', () => {
  let api: TestApi;
  let database: Database;
  let clickhouse: ClickHouse;
  let call: ReturnType<typeof callAs>;
  let identifier: string;
  let appId: AppId;
  let gone: Reader;
  let stays: Reader;

  beforeAll(async () => {
    [api, clickhouse] = await Promise.all([createTestApi(), openTestClickHouse()]);
    database = api.database;
    Object.assign(api.analytics, {
      ...createPersonReads(clickhouse),
    });
    call = callAs(api.app, await createMember(database, { role: 'admin' }));
  });
  afterAll(async () => {
    await clickhouse?.close();
    await api?.close();
  });

  const subscribe = async ({ userId, account, tag, endpoint, p256dh, auth, secret }: Reader) => {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/v1/public/subscribe',
      headers: { origin: 'https://news.example.com', 'x-app-id': identifier },
      payload: {
        ...{ appId: identifier, userId, browserSecret: secret.toString('base64url') },
        externalIds: { account },
        subscription: {
          endpoint,
          keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
        },
      },
    });
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    await database.query(
      `UPDATE subscriptions SET tags = jsonb_build_object('plan', $2::text) WHERE endpoint = $1`,
      [endpoint, tag],
    );
  };

  beforeEach(async () => {
    identifier = (await call('POST', '/apps', appBody({ site_domain: 'https://news.example.com' }))).json()
      .data.identifier;
    appId = await appIdOf(database, identifier);
    const name = randomBytes(4).toString('hex');
    [gone, stays] = [makeReader(`gone${name}`), makeReader(`stays${name}`)];
    for (const reader of [gone, stays]) await subscribe(reader);
    await createOutcomeStore(clickhouse).insertOutcomes(
      [buildBlockOutcomes({ appId, deliveryId: 1, targets: 2 })],
      `people-${name}`,
    );
    await clickhouse.client.command({
      query: `INSERT INTO events (app_id, delivery_id, subscriber, type, event_id, at) SETTINGS async_insert = 0
        SELECT ${appId}, 1, number, 'clicked', concat('${name}', toString(number)), now64(3) FROM numbers(2)`,
    });
  });

  const path = (rest: string): string => `/apps/${identifier}/people/${rest}`;
  const seqOf = async ({ endpoint }: Reader): Promise<number | undefined> =>
    (
      await database.query<{ seq: number }>('SELECT seq FROM subscriptions WHERE endpoint = $1', [endpoint])
    )[0]?.seq;

  it.each([
    ['user identity', (reader: Reader) => ({ user_identity: reader.userId })],
    ['external id', (reader: Reader) => ({ external_id: { name: 'account', value: reader.account } })],
    ['endpoint', (reader: Reader) => ({ endpoint: reader.endpoint })],
  ])('is found by %s, exported with all that is stored, and nobody else with them', async (_, named) => {
    const { data } = (await call('POST', path('export'), named(gone))).json();
    expect(data.subscriptions).toHaveLength(1);
    expect(data.subscriptions[0]).toMatchObject({
      ...{ endpoint: gone.endpoint, user_identity: gone.userId, external_ids: { account: gone.account } },
      ...{ tags: { plan: gone.tag }, p256dh: gone.p256dh.toString('base64') },
      ...{ auth: gone.auth.toString('base64') },
    });
    const { id } = data.subscriptions[0];
    expect(data.attempts).toMatchObject([{ subscription_id: id, delivery_id: 1, outcome: 'accepted' }]);
    expect(data.events).toMatchObject([{ subscription_id: id, delivery_id: 1, type: 'clicked' }]);
    expect(JSON.stringify(data)).not.toContain(stays.userId);
    const erased = await call('POST', path('erase'), named(gone));
    expect([erased.statusCode, erased.json().data.subscriptions]).toEqual([202, 1]);
    expect([await seqOf(gone), await seqOf(stays)]).toEqual([undefined, 1]);
    const again = (await call('POST', path('erase'), named(gone))).json().data;
    expect(again).toMatchObject({ subscriptions: 0, state: 'complete' });
  });

  it('is found by a whole external id, however short, among several', async () => {
    const values = ['', '7', '17', 'B', '%', 'a\\b', 'two\nlines', 'lines', 'İ'];
    const names = ['first', 'second', 'third'];
    const rows = values.map((_, at) => ({
      seq: at + 10,
      ids: Object.fromEntries(names.map((name, place) => [name, values[(at + place) % values.length]])),
    }));
    await database.query(
      `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, external_ids, user_identity)
       SELECT $1, seq, 'https://push.example/' || $1::integer || '/' || seq, '', '', ids, CASE WHEN seq % 2 = 0 THEN 'reader ' || seq END
       FROM jsonb_to_recordset($2) AS given (seq integer, ids jsonb)`,
      [appId, JSON.stringify(rows)],
    );
    for (const name of names)
      for (const value of values) {
        const expected = rows.filter(({ ids }) => ids[name] === value).map(({ seq }) => seq);
        expect([...(await findPerson(database, appId, { external_id: { name, value } }))]).toEqual(expected);
      }
  });

  /** Every row of every table, as text, by table. */
  async function dump(): Promise<Map<string, string>> {
    const tables = await database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts = new Map<string, string>();
    for (const { name } of tables) {
      const rows = await database.query<{ line: string }>(`SELECT t::text AS line FROM ${name} AS t`);
      texts.set(name, rows.map(({ line }) => line).join('\n'));
    }
    const answer = await clickhouse.client.query({
      query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
      format: 'JSONEachRow',
    });
    for (const { name } of await answer.json<{ name: string }>()) {
      const rows = await clickhouse.client.query({ query: `SELECT * FROM ${name}`, format: 'JSONEachRow' });
      texts.set(`clickhouse ${name}`, JSON.stringify(await rows.json()));
    }
    return texts;
  }

  const found = async (reader: Reader): Promise<string[]> => {
    const texts = await dump();
    expect(texts.size).toBeGreaterThan(50);
    return [...texts]
      .filter(([, text]) => needlesOf(reader).some((needle) => text.includes(needle)))
      .map(([name]) => name);
  };

  /** Numbers of subscriptions in ClickHouse. */
  async function numbersIn(): Promise<string[]> {
    const answer = await clickhouse.client.query({
      query: `SELECT DISTINCT toString(seq) AS number FROM outcomes WHERE app_id = ${appId}
        UNION DISTINCT SELECT toString(subscriber) FROM events WHERE app_id = ${appId}
        UNION DISTINCT SELECT toString(arrayJoin(bitmapToArray(subscribers))) FROM events_by_day WHERE app_id = ${appId}
        UNION DISTINCT SELECT toString(arrayJoin(bitmapToArray(unproven))) FROM events_by_day WHERE app_id = ${appId}
        UNION DISTINCT SELECT toString(seq) FROM clicks_by_subscriber WHERE app_id = ${appId}`,
      format: 'JSONEachRow',
    });
    return (await answer.json<{ number: string }>()).map(({ number }) => number);
  }

  const forget = async (): Promise<void> => {
    await database.query('UPDATE forgotten_subscriptions SET due_at = now()');
    await database.query('DELETE FROM removal_turns');
    const step = createForgetStep({
      store: createRemovalStore(database),
      statistics: createStatisticsChanges(clickhouse),
      clock: systemClock,
      everyMs: 1_000,
      waitAtMostMs: 60_000,
      signal: new AbortController().signal,
    });
    await step();
  };

  it('who is erased is in no store any more: every table, the queue of the log and the images are searched', async () => {
    const log = await createPgBossLog({ url: api.databaseUrl });
    await log.publish('events', [
      {
        key: '1',
        value: {
          batch_id: 'b-1',
          events: [
            { id: 'e-1234567', app_id: appId, delivery_id: 1, seq: 0, type: 'displayed', action: '', at: 1 },
          ],
        },
      },
    ]);
    await log.close(1_000);
    const [row] = await database.query<{ id: number }>('SELECT id FROM subscriptions WHERE endpoint = $1', [
      gone.endpoint,
    ]);
    await call('POST', `/apps/${identifier}/test-browsers`, { subscription_id: row?.id, name: gone.userId });
    await database.query(`DELETE FROM audit_log WHERE action = 'test-browser.added'`);
    await database.query(
      `INSERT INTO failing_endpoints (app_id, seq, endpoint, delivery_id, times, last_at, reason)
       SELECT $1, seq, 42, 1, 1, now(), 'answered 410' FROM subscriptions WHERE endpoint = $2`,
      [appId, gone.endpoint],
    );
    const before = await found(gone);
    for (const table of ['subscriptions', 'subscription_facets', 'subscription_tags', 'test_browsers'])
      expect(before).toContain(`public.${table}`);

    const { data } = (await call('POST', path('erase'), { user_identity: gone.userId })).json();
    expect(data).toMatchObject({ state: 'running', subscriptions: 1, named_by: 'user_identity' });
    expect(await found(gone)).toEqual([]);
    expect(await database.query('SELECT FROM failing_endpoints WHERE app_id = $1', [appId])).toEqual([]);
    expect(await numbersIn()).toContain('0');

    await forget();
    expect(await numbersIn()).not.toContain('0');
    const receipt = async () => (await call('GET', path(`erasures/${data.id}`))).json().data;
    expect(await receipt()).toMatchObject({ state: 'running' });
    expect((await receipt()).stores[1].note).toMatch(/once more after nine days/);
    expect(await completeErasures(database, 10)).toBeGreaterThanOrEqual(0);
    expect(await receipt()).toMatchObject({ completed_at: null });

    await forget();
    await completeErasures(database, 10);
    expect(await receipt()).toMatchObject({
      ...{ state: 'complete', complete_by: null, completed_at: expect.any(String) },
      stores: [{ state: 'erased' }, { state: 'erased' }, { state: 'erased' }, { state: 'nothing stored' }],
    });
    expect(await found(gone)).toEqual([]);
    expect((await found(stays)).length).toBeGreaterThanOrEqual(3);
    expect(await numbersIn()).toContain('1');
    const [counts] = await database.query(
      'SELECT subscriber_count, active_subscriber_count FROM apps WHERE id = $1',
      [appId],
    );
    expect(counts).toEqual({ subscriber_count: 1, active_subscriber_count: 1 });
  });

  it('is exported and erased by admins of its own organization alone, with a note that does not name them', async () => {
    const person = { user_identity: gone.userId };
    const member = callAs(api.app, await createMember(database, { role: 'member' }));
    const stranger = callAs(api.app, await createMember(database, { role: 'admin' }));
    for (const what of ['export', 'erase']) {
      expect((await member('POST', path(what), person)).statusCode).toBeGreaterThanOrEqual(403);
      expect((await stranger('POST', path(what), person)).statusCode).toBe(404);
    }
    await call('POST', path('export'), person);
    const { data } = (await call('POST', path('erase'), person)).json();
    expect((await stranger('GET', path(`erasures/${data.id}`))).statusCode).toBe(404);
    const notes = await database.query<{ action: string; line: string }>(
      `SELECT action, audit_log::text AS line FROM audit_log WHERE app_id = $1 AND action LIKE 'person.%' ORDER BY id`,
      [appId],
    );
    expect(notes.map(({ action }) => action)).toEqual(['person.exported', 'person.erased']);
    for (const { line } of notes) for (const needle of needlesOf(gone)) expect(line).not.toContain(needle);
  });

  it('is named by exactly one thing', async () => {
    for (const body of [{}, { user_identity: 'a', endpoint: 'b' }])
      expect((await call('POST', path('erase'), body)).statusCode).toBe(422);
    expect(await seqOf(gone)).toBe(0);
  });

  it('is exported without a warning in the log', async () => {
    // Of Node, such as of too many listeners on one answer.
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', note);
    const answer = await call('POST', `/apps/${identifier}/people/export`, { user_identity: gone.userId });
    process.off('warning', note);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(warnings).toEqual([]);
  });

  it('is not exported by halves where ClickHouse is unavailable', async () => {
    api.analytics.away = true;
    const { personAttempts } = api.analytics;
    Object.assign(api.analytics, { personAttempts: api.analytics.attemptsKeptDays });
    const answer = await call('POST', path('export'), { user_identity: gone.userId });
    Object.assign(api.analytics, { personAttempts });
    api.analytics.away = false;
    expect(answer.statusCode).toBe(503);
  });
});
