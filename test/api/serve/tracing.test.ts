// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTracing } from '../../../engine/adapters/telemetry/open-tracing.ts';
import type { Tracing } from '../../../engine/adapters/telemetry/tracing.ts';
import { type Collector, startCollector } from '../../support/collector.ts';
import { appBody, createMember, createTestApi, deliveryBody, type TestApi } from '../support.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const GIVEN = `00-${TRACE}-${SPAN}-01`;

describe('requests', () => {
  let collector: Collector;
  let tracing: Tracing;
  let api: TestApi;
  let token: string;
  beforeEach(async () => {
    collector = await startCollector();
    const settings = {
      otlpEndpoint: collector.url,
      otlpHeaders: [],
      serviceName: 'broadside',
      traceRatio: 1,
    };
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    tracing = await openTracing(settings, 'api', logger);
    api = await createTestApi({ tracing });
    token = (await createMember(api.database)).token;
  });
  afterEach(async () => {
    await api.close();
    await tracing.close(0);
    await collector.close();
  });

  const ask = (method: 'GET' | 'POST', url: string, traceparent?: string, payload?: object) =>
    api.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...(traceparent === undefined ? {} : { traceparent }) },
      ...(payload === undefined ? {} : { payload }),
    });
  const spans = async () => {
    await tracing.close(5_000);
    return collector.spans();
  };
  const makeApp = async () =>
    (await ask('POST', '/api/v1/client/apps', undefined, appBody())).json().data.identifier as string;

  it('go on below the caller’s span, named by their route', async () => {
    const app = await makeApp();
    await ask('GET', `/api/v1/client/apps/${app}`, GIVEN);
    expect((await spans()).at(-1)).toMatchObject({
      name: 'GET /api/v1/client/apps/:identifier',
      traceId: TRACE,
      parentSpanId: SPAN,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/client/apps/:identifier',
        'http.response.status_code': 200,
      },
    });
  });

  it.each(['nonsense', GIVEN.toUpperCase(), `00-${'0'.repeat(32)}-${SPAN}-01`, `${GIVEN}-x`])(
    'begin a trace of their own where the header is %s',
    async (header) => {
      expect((await ask('GET', '/api/v1/client/apps', header)).statusCode).toBe(200);
      const [span] = await spans();
      expect([span?.parentSpanId, span?.traceId === TRACE]).toEqual(['', false]);
    },
  );

  it('of strangers begin a trace of their own, whatever they send', async () => {
    await ask('POST', '/api/v1/public/subscribe', GIVEN, {});
    const [span] = await spans();
    expect(span).toMatchObject({ name: 'POST /api/v1/public/subscribe', parentSpanId: '' });
    expect(span?.traceId).not.toBe(TRACE);
  });

  it('for the health are not traced, and those without a route name no path', async () => {
    await ask('GET', '/internal/health/live');
    await ask('GET', '/somebody/ann@news.example');
    expect((await spans()).map(({ name }) => name)).toEqual(['GET']);
    expect(collector.everything()).not.toContain('ann');
  });

  it('that make a delivery leave their span with it and its message', async () => {
    const app = await makeApp();
    const path = `/api/v1/client/apps/${app}/deliveries`;
    const { data } = (await ask('POST', path, GIVEN, deliveryBody())).json();
    const later = { ...deliveryBody(), scheduled_at: '2099-01-31T12:00:00Z' };
    const scheduled = (await ask('POST', path, GIVEN, later)).json().data;
    const rows = await api.database.query<{ id: number; kept: string; relayed: string | null }>(
      `SELECT deliveries.id, traceparent AS kept, value->>'traceparent' AS relayed
       FROM deliveries LEFT JOIN outbox ON key = deliveries.id::text ORDER BY deliveries.id`,
    );
    const made = (await spans()).filter(({ name }) => name.endsWith('/deliveries'));
    const kept = made.map(({ spanId }) => `00-${TRACE}-${spanId}-01`);
    expect(rows).toEqual([
      { id: data.id, kept: kept[0], relayed: kept[0] },
      { id: scheduled.id, kept: kept[1], relayed: null },
    ]);
  });

  it('leave nothing behind where nothing is traced', async () => {
    const plain = await createTestApi();
    const member = await createMember(plain.database);
    const headers = { authorization: `Bearer ${member.token}`, traceparent: GIVEN };
    const post = (url: string, payload: object) =>
      plain.app.inject({ method: 'POST', url, headers, payload });
    const { identifier } = (await post('/api/v1/client/apps', appBody())).json().data;
    await post(`/api/v1/client/apps/${identifier}/deliveries`, deliveryBody());
    const rows = await plain.database.query(
      `SELECT traceparent, value ? 'traceparent' AS relayed FROM deliveries, outbox`,
    );
    expect(rows).toEqual([{ traceparent: null, relayed: false }]);
    await plain.close();
  });
});
