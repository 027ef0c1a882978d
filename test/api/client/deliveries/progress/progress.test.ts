// tier: postgres
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sql } from '../../../../../engine/adapters/postgres/sql.ts';
import { type DeliveryId, toId } from '../../../../../engine/contract/ids.ts';
import { createPerson, openBrowser } from '../../../account/support.ts';
import { appBody, callAs, createTestApi, deliveryBody, type Member, type TestApi } from '../../../support.ts';

const MAX_STREAMS = 5;
const MAX_OF_USER = 2;

describe('following a delivery', () => {
  let api: TestApi;
  let base: string;
  let member: Member;
  let cookie: string;
  let app: string;
  const leaving: AbortController[] = [];

  const start = async (limits = {}) => {
    api = await createTestApi({
      progressStreams: { everyMs: 20, maxStreams: MAX_STREAMS, maxOfOwner: MAX_OF_USER, ...limits },
    });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    base = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/api/v1/client`;
  };
  const person = async () => {
    const made = await createPerson(api.database);
    const browser = await openBrowser(api.app, made);
    const answer = await callAs(api.app, made)('POST', '/apps', appBody());
    return { ...made, cookie: browser.cookie, app: String(answer.json().data.identifier) };
  };
  beforeAll(() => start());
  afterAll(() => api.close());
  beforeEach(async () => {
    for (const each of leaving.splice(0)) each.abort();
    const made = await person();
    ({ cookie, app } = made);
    member = made;
  });

  async function running(): Promise<DeliveryId> {
    const made = await callAs(api.app, member)('POST', `/apps/${app}/deliveries`, deliveryBody());
    const id = toId<DeliveryId>(made.json().data.id);
    await set(id, `status = 'processing', total_subscribers = 10, started_at = now()`);
    return id;
  }
  const set = (id: DeliveryId, change: string) =>
    api.database.query(`UPDATE deliveries SET ${change} WHERE id = $1`, [id]);

  async function watch(id: number | string, options: { app?: string; cookie?: string } = {}) {
    const leave = new AbortController();
    leaving.push(leave);
    const response = await fetch(`${base}/apps/${options.app ?? app}/deliveries/${id}/progress`, {
      headers: { accept: 'text/event-stream', cookie: options.cookie ?? cookie },
      signal: leave.signal,
    });
    let text = '';
    const read = async (): Promise<void> => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    };
    const ended = read().then(
      () => 'ended',
      () => 'broken',
    );
    return { response, ended, leave: () => leave.abort(), text: () => text };
  }

  it('streams a delivery’s counters to a session as they grow, until it ends', async () => {
    const id = await running();
    const { response, text, ended } = await watch(id);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    await expect.poll(text).toMatch(/^event: progress\ndata: \{.*"status":"processing".*\}\n\n/);
    await set(id, `status = 'success', success_count = 10, completed_at = now()`);
    expect(await ended).toBe('ended');
    const [, last = ''] = /event: end\ndata: (.*)\n\n$/.exec(text()) ?? [];
    expect(JSON.parse(last)).toEqual({
      ...{ id, status: 'success', error_message: null },
      ...{ total_subscribers: 10, success_count: 10, failed_count: 0, gone_count: 0 },
      ...{ capped_subscribers: 0, guarded_subscribers: 0, wished_subscribers: 0 },
      ...{ ambiguous: 0, failures: [], next_attempt_at: null },
      ...{ started_at: expect.any(String), completed_at: expect.any(String) },
      ...{ forecast: null, push_services: [] },
    });
  });

  it('answers once, as JSON, without an Accept for a stream', async () => {
    const id = await running();
    const answer = await callAs(api.app, member)('GET', `/apps/${app}/deliveries/${id}/progress`);
    expect([answer.statusCode, answer.json().data]).toMatchObject([200, { id, status: 'processing' }]);
  });

  it('has the headers of every other answer, and makes proxies not buffer events', async () => {
    const { response } = await watch(await running());
    const names = ['x-request-id', 'x-content-type-options', 'x-ratelimit-remaining', 'x-accel-buffering'];
    expect(names.filter((name) => !response.headers.has(name))).toEqual([]);
  });

  it('shows another organization’s delivery exactly as one that is missing', async () => {
    const id = await running();
    const stranger = await person();
    const asStranger = { cookie: stranger.cookie };
    const steadyParts = async ({ response, ended, text }: Awaited<ReturnType<typeof watch>>) => {
      await ended;
      const varying = ['date', 'x-request-id', 'x-ratelimit-remaining'];
      const headers = [...response.headers].filter(([name]) => !varying.includes(name));
      return { status: response.status, headers, text: text() };
    };
    const missing = await steadyParts(await watch(987_654_321, { app: stranger.app, ...asStranger }));
    expect(missing).toMatchObject({ status: 404, text: '{"message":"Not found."}' });
    expect(await steadyParts(await watch(id, asStranger))).toEqual(missing);
    expect(await steadyParts(await watch(id, { app: stranger.app, ...asStranger }))).toEqual(missing);
    expect((await watch(id, { cookie: '' })).response.status).toBe(401);
  });

  it('leaves permits to other users: a user with too many gets a 429', async () => {
    const id = await running();
    for (let at = 0; at < MAX_OF_USER; at++) expect((await watch(id)).response.status).toBe(200);
    const refused = (await watch(id)).response;
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    const other = await person();
    ({ cookie, app } = other);
    member = other;
    const { response, leave } = await watch(await running());
    expect(response.status).toBe(200);
    leave();
  });

  it('releases its permit when a page is closed', async () => {
    const id = await running();
    const openAndLeave = async (): Promise<number> => {
      const { response, leave } = await watch(id);
      leave();
      return response.status;
    };
    for (let at = 0; at < MAX_OF_USER * 3; at++) await expect.poll(openAndLeave).toBe(200);
  });
});

describe('a stream of progress', () => {
  const open = async (limits: object) => {
    const api = await createTestApi({ progressStreams: { everyMs: 20, ...limits } });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const person = await createPerson(api.database);
    const { cookie, csrf } = await openBrowser(api.app, person);
    const call = callAs(api.app, person);
    const app = (await call('POST', '/apps', appBody())).json().data.identifier;
    const { id } = (await call('POST', `/apps/${app}/deliveries`, deliveryBody())).json().data;
    const { port } = api.app.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/api/v1/client/apps/${app}/deliveries/${id}/progress`;
    const watch = () => fetch(url, { headers: { accept: 'text/event-stream', cookie } });
    const logOut = () =>
      api.app.inject({
        method: 'POST',
        url: '/api/v1/account/log-out',
        headers: { cookie, 'x-csrf-token': csrf },
      });
    return { api, watch, logOut };
  };

  it('ends after its time without an end of the delivery, and cannot be reopened after a log-out', async () => {
    const { api, watch, logOut } = await open({ maxStreamMs: 200 });
    const first = await watch();
    expect((await logOut()).statusCode).toBeLessThan(300);
    expect(await first.text()).toMatch(/^event: progress(?!.*event: end)/s);
    expect((await watch()).status).toBe(401);
    await api.close();
  });

  it('does not hold up a stop: it is ended, and the server closes', async () => {
    // Its own end would come in time for the stop, too.
    const { api, watch } = await open({ maxStreamMs: 3_600_000 });
    const response = await watch();
    expect(response.status).toBe(200);
    await Promise.all([api.close(), response.text()]);
  }, 20_000);
});

describe('the figures of a delivery in one answer', () => {
  it('agree among each other while blocks end between any two statements', async () => {
    const api = await createTestApi();
    const person = await createPerson(api.database);
    const setUp = callAs(api.app, person);
    const app = (await setUp('POST', '/apps', appBody())).json().data.identifier;
    const { id } = (await setUp('POST', `/apps/${app}/deliveries`, deliveryBody())).json().data;
    await api.database.query(
      `UPDATE deliveries SET status = 'processing', total_subscribers = 4096, started_at = now() WHERE id = $1`,
      [id],
    );
    await api.database.query(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state, service_counts)
       SELECT id, app_id, 0, '{0}', 4096, 'running', '{}' FROM deliveries WHERE id = $1`,
      [id],
    );
    const endBlock = () =>
      api.database.query(
        `UPDATE shards SET accepted_count = accepted_count + 7, failed_count = failed_count + 2,
           service_counts = added_counts(service_counts, '{0,0,0,4,2,0,3,0,0}') WHERE delivery_id = $1`,
        [id],
      );
    const whileRunning = (sql: Sql): Sql => ({
      query: async (text, values) => {
        const rows = await sql.query<never>(text, values);
        await endBlock();
        return rows;
      },
    });
    const busy = await createTestApi({
      database: {
        ...api.database,
        ...whileRunning(api.database),
        transaction: (work) => api.database.transaction((sql) => work(whileRunning(sql))),
      },
    });
    const call = callAs(busy.app, person);
    for (const path of ['', '/progress']) {
      const { data } = (await call('GET', `/apps/${app}/deliveries/${id}${path}`)).json();
      const sum = (field: 'accepted' | 'failed') =>
        data.push_services.reduce((all: number, each: Record<string, number>) => all + (each[field] ?? 0), 0);
      expect(data.success_count).toBeGreaterThan(0);
      expect([sum('accepted'), sum('failed')]).toEqual([data.success_count, data.failed_count]);
    }
    await busy.close();
    await api.close();
  });
});
