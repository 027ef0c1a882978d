// tier: system
import { afterAll, expect, it } from 'vitest';
import { openClickHouse } from '../../../engine/adapters/clickhouse/client.ts';
import { createReportReader } from '../../../reporting/answer/report-reader.ts';
import { startClickHouseBridge } from '../../support/clickhouse-bridge/bridge.ts';
import { describeReportReader } from './report-reader-conformance.ts';

const bridge = await startClickHouseBridge();
afterAll(() => bridge.stop());

const open = (url: string) =>
  openClickHouse({
    kind: 'http',
    url,
    username: 'default',
    password: 'secret',
    database: 'broadside',
    requestTimeoutMs: 120_000,
    maxConnections: 4,
  });

describeReportReader('over HTTP', () => open(bridge.url));

it('reports a silent ClickHouse as away', async () => {
  const clickhouse = await open('http://127.0.0.1:9');
  const reader = createReportReader(clickhouse, { seconds: 5, memoryBytes: 100_000_000, rows: 10 });
  const asked = reader
    .begin(new AbortController().signal)
    .open({ select: 'SELECT 1', params: {} }, 'JSONEachRow');
  await expect(asked).rejects.toMatchObject({ failure: 'away' });
  await clickhouse.close();
});
