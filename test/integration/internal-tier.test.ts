// tier: system
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { type AppId, toId } from '../../engine/contract/ids.ts';
import { bearer, createMember, deliveryBody, newKeys } from '../api/support.ts';
import { type BroadsideProcess, startBroadside } from '../support/broadside-process.ts';
import { buildSubscriptions } from '../support/builders.ts';
import { until } from '../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const SUBSCRIBERS = 3_000;
const control = { 'x-broadside-control': '1' };

/** Every role in one process; the push services' host does not exist: only rehearsals are sent. */
describe('the internal tier of a running engine', () => {
  let test: TestDatabase;
  let folder: string;
  let broadside: BroadsideProcess;
  let internal: string;
  let client: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'broadside-internal-'));
    await chmod(folder, 0o755);
    const [api, inner, reporting] = [await freePort(), await freePort(), await freePort()];
    internal = `http://127.0.0.1:${inner}`;
    broadside = await startBroadside({
      args: ['up'],
      env: {
        DATA_FOLDER: join(folder, 'data'),
        DATABASE_URL: test.url,
        API_PORT: String(api),
        INTERNAL_PORT: String(inner),
        REPORTING_PORT: String(reporting),
        PUSH_SERVICE_HOSTS: 'push.example',
        WORKER_THREADS: '1',
        LOG_LEVEL: 'warn',
      },
      readyUrl: `${internal}/health/ready`,
    });
    const member = await createMember(test.database);
    headers = { ...bearer(member.token), 'content-type': 'application/json' };
    const site = { name: 'News', site_domain: 'https://news.example.com' };
    const made = await fetch(`http://127.0.0.1:${api}/api/v1/client/apps`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify(site),
    });
    const { data } = (await made.json()) as { data: { identifier: string } };
    client = `http://127.0.0.1:${api}/api/v1/client/apps/${data.identifier}/deliveries`;
    const [app] = await test.database.query<{ id: number }>('SELECT id FROM apps');
    await buildSubscriptions(test.database, toId<AppId>(app?.id), SUBSCRIBERS);
    await test.database.query('UPDATE subscriptions SET p256dh = $1', [
      Buffer.from(newKeys().p256dh, 'base64url'),
    ]);
  });
  afterAll(async () => {
    await broadside.stop();
    await test.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const rehearse = async (): Promise<number> => {
    const body = JSON.stringify(deliveryBody({ rehearsal: true }));
    const answer = await fetch(client, { method: 'POST', headers, body });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { data: { id: number } }).data.id;
  };
  const json = async <Value>(url: string): Promise<Value> =>
    (await (await fetch(url, { headers })).json()) as Value;
  /** As clients see it: rarely, for their requests are limited. */
  const read = async (id: number) => (await json<{ data: Record<string, unknown> }>(`${client}/${id}`)).data;
  const metrics = async (): Promise<string[]> =>
    (await (await fetch(`${internal}/metrics`)).text()).split('\n');
  const stateOf = async () => (await json<{ state: string }>(`${internal}/state`)).state;
  const ask = (verb: string) => fetch(`${internal}/${verb}`, { method: 'POST', headers: control });
  const completed = (id: number) =>
    fetch(`${internal}/deliveries/${id}/progress`).then((stream) => stream.text());

  it('streams a rehearsal to its end: encrypted for every subscriber, sent to none, counted nowhere', async () => {
    const id = await rehearse();
    expect(await completed(id)).toMatch(/event: end\ndata: \{.*"status":"success".*\}\n\n$/);
    expect(await read(id)).toMatchObject({
      status: 'success',
      success_count: SUBSCRIBERS,
      failed_count: 0,
      forecast: null,
    });
    expect(await json(`${internal}/deliveries/${id}/recorded`)).toEqual({ accepted: 0, attempts: {} });
    expect((await metrics()).filter((line) => /^broadside_attempts_total.* [1-9]/.test(line))).toEqual([]);
  });

  it('pauses: planned deliveries wait, and go on when it is resumed', async () => {
    expect((await ask('pause')).status).toBe(202);
    await until('the engine to be paused', async () => (await stateOf()) === 'paused');
    const id = await rehearse();
    await until('the plan', async () => {
      const { status } = await json<{ status: string }>(`${internal}/deliveries/${id}`);
      return status === 'processing';
    });
    // Asked again: a depth that is not read within a second is omitted, and a busy machine may need longer.
    await expect
      .poll(metrics)
      .toEqual(
        expect.arrayContaining([
          'broadside_engine_state{state="paused"} 1',
          'broadside_engine_state{state="running"} 0',
          'broadside_deliveries_open{status="processing"} 1',
          'broadside_shards_in_hand 0',
          'broadside_log_lag_messages{topic="deliveries"} 0',
        ]),
      );
    expect((await read(id)).success_count).toBe(0);
    await ask('resume');
    await completed(id);
    await expect.poll(metrics).toContain('broadside_deliveries_open{status="processing"} 0');
  });

  it('drains: it is ready for nothing, holds nothing, and can still be resumed', async () => {
    const first = await rehearse();
    await ask('drain');
    await until('the engine to be drained', async () => (await stateOf()) === 'drained');
    expect((await fetch(`${internal}/health/ready`)).status).toBe(503);
    expect((await fetch(`${internal}/health/live`)).status).toBe(200);
    const held = await test.database.query(`SELECT 1 FROM shards WHERE state = 'running'`);
    expect(held).toEqual([]);
    const second = await rehearse();
    await ask('resume');
    await completed(first);
    await completed(second);
    expect(await read(second)).toMatchObject({ success_count: SUBSCRIBERS });
    expect((await fetch(`${internal}/health/ready`)).status).toBe(200);
  });

  it('reports how busy its workers and its event loop are', async () => {
    const found = (await metrics()).find((line) => line.startsWith('broadside_worker_utilisation_ratio '));
    const share = Number(found?.split(' ')[1]);
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThanOrEqual(1);
    expect((await metrics()).some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds '))).toBe(true);
  });
});
