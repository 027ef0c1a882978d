// tier: postgres
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMetrics } from '../../../../engine/adapters/telemetry/metrics.ts';
import { createTestApi, type TestApi } from '../../support.ts';

const metrics = createMetrics();
let api: TestApi;
beforeEach(async () => {
  api = await createTestApi({ metrics: metrics.service });
});
afterEach(() => api.close());

it('counts each request once, by who calls and how it ended', async () => {
  await api.app.inject({ url: '/api/v1/client/apps' });
  await api.app.inject({ url: '/api/v1/public/nothing' });
  await api.app.inject({ url: '/internal/health/live' });
  await api.app.inject({ url: '/api/v1/client/apps', headers: { accept: 'text/event-stream' } });
  const { body } = await metrics.exposition();
  const counted = body
    .split('\n')
    .filter((line) => /^broadside_api_(requests_total|seconds_count).* [1-9]/.test(line));
  expect(counted.toSorted()).toEqual([
    'broadside_api_requests_total{surface="client",status="4xx"} 2',
    'broadside_api_requests_total{surface="other",status="2xx"} 1',
    'broadside_api_requests_total{surface="public",status="4xx"} 1',
    'broadside_api_seconds_count{surface="client"} 1',
    'broadside_api_seconds_count{surface="other"} 1',
    'broadside_api_seconds_count{surface="public"} 1',
  ]);
});
