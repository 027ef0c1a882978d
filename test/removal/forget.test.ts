// tier: postgres
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRemovalStore } from '../../engine/adapters/postgres/removal/removal-store.ts';
import { createSweeps } from '../../engine/adapters/postgres/removal/sweeps.ts';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { createForgetStep } from '../../engine/removal/forget.ts';
import type { StatisticsChanges } from '../../engine/removal/ports.ts';
import { createRemovalSteps, gentlePace } from '../../engine/removal/stage.ts';
import { buildApp, buildDelivery } from '../support/builders.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { forgetSubscriptions } from '../support/subscriptions.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
  await forgetSubscriptions(test.database, 7 as AppId, [1, 2]);
  await test.database.query(`INSERT INTO removed_apps (app_id) VALUES (8)`);
});
afterEach(() => test.drop());

/** A ClickHouse that changes nothing until the test lets it. */
function createSlowStatistics() {
  const begun: { apps: readonly AppId[][]; seqs: number[][] } = { apps: [], seqs: [] };
  let running = 0;
  let textsDropped = 0;
  let away = false;
  const answer = <Value>(value: Value): Promise<Value> =>
    away ? Promise.reject(new Error('ClickHouse is away')) : Promise.resolve(value);
  const statistics: StatisticsChanges = {
    changing: () => answer(running > 0),
    deleteApps: async (apps) => {
      await answer(null);
      running++;
      begun.apps = [...begun.apps, [...apps]];
    },
    makeAnonymous: async (subscriptions) => {
      await answer(null);
      running++;
      begun.seqs.push(subscriptions.map(({ seq }) => seq));
    },
    dropTexts: async () => {
      await answer(null);
      textsDropped++;
    },
  };
  return {
    ...{ statistics, begun },
    textsDropped: () => textsDropped,
    end: () => {
      running = 0;
    },
    setAway: (now: boolean) => {
      away = now;
    },
  };
}

const due = async (): Promise<number> => {
  const [row] = await test.database.query<{ due: number }>(
    `SELECT (SELECT count(*) FROM forgotten_subscriptions WHERE NOT last_pass)
       + (SELECT count(*) FROM removed_apps WHERE NOT last_pass) AS due`,
  );
  return row?.due ?? 0;
};

function createStep(statistics: StatisticsChanges, waitAtMostMs = 0) {
  return createForgetStep({
    store: createRemovalStore(test.database),
    statistics,
    clock: createManualClock(),
    everyMs: 0,
    waitAtMostMs,
    signal: new AbortController().signal,
  });
}

it('a deletion is noted only once ClickHouse has done it, and no second change joins a slow one', async () => {
  const slow = createSlowStatistics();
  const step = createStep(slow.statistics);
  expect(await step()).toBe(0);
  expect(await step()).toBe(0);
  expect(slow.begun).toEqual({ apps: [[8]], seqs: [[1, 2]] });
  expect(await due()).toBe(3);
});

it('a process that dies while ClickHouse changes repeats the change, and then notes it', async () => {
  const slow = createSlowStatistics();
  await createStep(slow.statistics)();
  slow.end();
  const quick: StatisticsChanges = { ...slow.statistics, changing: async () => false };
  expect(await createStep(quick)()).toBe(3);
  expect(slow.begun).toEqual({
    apps: [[8], [8]],
    seqs: [
      [1, 2],
      [1, 2],
    ],
  });
  expect(await due()).toBe(0);
  expect(await createStep(quick)()).toBe(0);
});

it('texts of ended changes are deleted at every step, also where the process that began the change died after it', async () => {
  const slow = createSlowStatistics();
  await createStep(slow.statistics)();
  const quick: StatisticsChanges = { ...slow.statistics, changing: async () => false };
  await createStep(quick)();
  expect(await due()).toBe(0);
  const before = slow.textsDropped();
  expect(await createStep(quick)()).toBe(0);
  expect(slow.textsDropped()).toBe(before + 1);
});

it('while ClickHouse is unavailable everything stays due', async () => {
  const slow = createSlowStatistics();
  slow.setAway(true);
  await expect(createStep(slow.statistics)()).rejects.toThrow('away');
  expect(await due()).toBe(3);
});

it('sweeps run until they find nothing, in one engine at a turn', async () => {
  const left = [3, 0, 2];
  const sweeps = left.map((_, n) => async () => {
    if ((left[n] ?? 0) === 0) return 0;
    left[n] = (left[n] ?? 0) - 1;
    return 1;
  });
  const engine = () =>
    createRemovalSteps({
      ...{ store: createRemovalStore(test.database), sweeps, clock: systemClock },
      statistics: createSlowStatistics().statistics,
      pace: { ...gentlePace, restMs: 0 },
      signal: new AbortController().signal,
    });
  expect(await engine().sweep()).toBe(5);
  left[0] = 1;
  expect(await engine().sweep()).toBe(0);
  expect(left).toEqual([1, 0, 0]);
});

it('a kind of which there is no end leaves the others their turn', async () => {
  const swept = [0, 0];
  const sweeps = swept.map((_, n) => async () => {
    swept[n] = (swept[n] ?? 0) + 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
    return n === 0 ? 1 : 0;
  });
  const { sweep } = createRemovalSteps({
    ...{ store: createRemovalStore(test.database), sweeps, clock: systemClock },
    statistics: createSlowStatistics().statistics,
    pace: { ...gentlePace, restMs: 0, sweepForMs: 100 },
    signal: new AbortController().signal,
  });
  expect(await sweep()).toBe(swept[0]);
  expect(swept[0]).toBeLessThan(40);
  expect(swept[1]).toBe(1);
});

it('a step that fails keeps none of those behind it', async () => {
  const store = createRemovalStore(test.database);
  const done: string[] = [];
  const noted = (name: string) => async () => {
    done.push(name);
    return 0;
  };
  const fails = () => Promise.reject(new Error('a row of another release'));
  const steps = createRemovalSteps({
    store: {
      ...store,
      eraseNextPart: fails,
      removeOfDeletedApp: noted('apps'),
      deleteExpired: noted('expired'),
    },
    sweeps: [fails, noted('sweep')],
    clock: systemClock,
    statistics: createSlowStatistics().statistics,
    pace: { ...gentlePace, restMs: 0 },
    signal: new AbortController().signal,
  });
  await expect(steps.remove()).rejects.toThrow('another release');
  await expect(steps.sweep()).rejects.toThrow('another release');
  expect(done).toEqual(['apps', 'expired', 'sweep']);
});

it('sweeps delete expired rows, and leave the others', async () => {
  const [organization] = await test.database.query<{ id: number }>(
    `INSERT INTO organizations (name) VALUES ('x') RETURNING id`,
  );
  const [user] = await test.database.query<{ id: number }>(
    `INSERT INTO users (organization_id, email, name, role) VALUES ($1, 'a@example.com', 'A', 'admin') RETURNING id`,
    [organization?.id],
  );
  for (const [age, secret] of [
    ['32 days', 'old'],
    ['29 days', 'new'],
  ]) {
    const values = [user?.id, secret, age];
    await test.database.query(
      `INSERT INTO sessions (user_id, secret_hash, created_at) VALUES ($1, $2, now() - $3::interval)`,
      values,
    );
    await test.database.query(
      `INSERT INTO invitations (organization_id, email, role, secret_hash, expires_at)
       VALUES ($1, $2, 'admin', '', now() + interval '30 days' - $3::interval)`,
      [organization?.id, secret, age],
    );
  }
  await test.database.query(
    `INSERT INTO request_hits (user_id, via, hits)
     VALUES ($1, 'token', ARRAY[now() - interval '2 hours']), ($1, 'session', ARRAY[now()])`,
    [user?.id],
  );
  const app = await buildApp(test.database);
  for (const [seq, age] of [
    [1, '91 days'],
    [2, '89 days'],
  ]) {
    await test.database.query(
      `INSERT INTO failing_endpoints (app_id, seq, endpoint, delivery_id, times, last_at, reason)
       VALUES ($1, $2, 1, 1, 1, now() - $3::interval, '403')`,
      [app.id, seq, age],
    );
  }
  for (const [address, age] of [
    ['old', '61 minutes'],
    ['new', '59 minutes'],
  ]) {
    await test.database.query(
      `INSERT INTO new_subscriptions (app_id, address, since, count)
       VALUES ($1, $2::text::bytea, now() - $3::interval, 1)`,
      [app.id, address, age],
    );
  }
  for (const day of [8, 7]) {
    await test.database.query(
      `INSERT INTO breaking_uses (delivery_id, organization_id, day) VALUES ($1, $2, current_date - $3::integer)`,
      [await buildDelivery(test.database, app.id), app.organizationId, day],
    );
  }
  for (const [age, name] of [
    ['25 hours', 'old'],
    ['23 hours', 'new'],
  ]) {
    await test.database.query(
      `INSERT INTO idempotency_keys (app_id, key, body_hash, created_at) VALUES ($1, $2, '', now() - $3::interval)`,
      [app.id, name, age],
    );
    await test.database.query(
      `INSERT INTO images (hash, content_type, bytes, used_at)
       VALUES (sha256($1::text::bytea), 'image/png', $1::text::bytea, now() - $2::interval)`,
      [name, age],
    );
  }
  await test.database.query('INSERT INTO unfolded_facets (app_id, below) VALUES ($1, 2000)', [app.id]);
  for (const days of [401, 399]) {
    await test.database.query(
      'INSERT INTO subscription_prunings (app_id, day) VALUES ($1, current_date - $2::integer)',
      [app.id, days],
    );
  }
  for (const days of [46, 44]) {
    await test.database.query(
      `INSERT INTO push_service_minutes (app_id, service, minute, accepted, throttled)
       VALUES ($1, 'fcm', now() - make_interval(days => $2), 1, 1)`,
      [app.id, days],
    );
  }
  for (const days of [91, 89]) {
    await test.database.query(
      `INSERT INTO alerts (organization_id, app_id, kind, key, created_at)
       VALUES ($1, $2, 'delivery-failed', $3::text, now() - make_interval(days => $4))`,
      [app.organizationId, app.id, String(days), days],
    );
  }
  for (const days of [8, 6]) {
    await test.database.query(
      `INSERT INTO webhook_messages (endpoint_id, type, subject, data, state, ended_at)
       VALUES (1, 'delivery.success', $1::text, '{}', 'sent', now() - make_interval(days => $1::integer))`,
      [days],
    );
  }
  await test.database.query(`INSERT INTO forgotten_subscriptions (app_id, seq) VALUES ($1, 5)`, [app.id]);
  for (const seq of [5, 6]) {
    await test.database.query(
      `INSERT INTO erasures (app_id, named_by, subscriptions, seqs) VALUES ($1, 'endpoint', 1, ARRAY[$2::integer])`,
      [app.id, seq],
    );
  }
  for (const sweep of createSweeps(test.database)) {
    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(0);
  }
  expect(await test.database.query(`SELECT secret_hash FROM sessions`)).toEqual([
    { secret_hash: Buffer.from('new') },
  ]);
  expect(await test.database.query(`SELECT email FROM invitations`)).toEqual([{ email: 'new' }]);
  expect(await test.database.query(`SELECT via FROM request_hits`)).toEqual([{ via: 'session' }]);
  expect(await test.database.query(`SELECT key FROM alerts`)).toEqual([{ key: '89' }]);
  expect(await test.database.query(`SELECT subject FROM webhook_messages`)).toEqual([{ subject: '6' }]);
  expect(await test.database.query(`SELECT key FROM idempotency_keys`)).toEqual([{ key: 'new' }]);
  expect(await test.database.query(`SELECT seqs FROM erasures ORDER BY id`)).toEqual([
    { seqs: [5] },
    { seqs: [] },
  ]);
  expect(await test.database.query(`SELECT bytes FROM images`)).toEqual([{ bytes: Buffer.from('new') }]);
});
