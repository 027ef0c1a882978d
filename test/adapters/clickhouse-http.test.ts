// tier: system
import { afterAll } from 'vitest';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';
import { describeClickHouse } from './clickhouse-conformance.ts';

const bridge = await startClickHouseBridge();
afterAll(() => bridge.stop());

describeClickHouse('over HTTP', () =>
  openClickHouse({
    kind: 'http',
    url: bridge.url,
    username: 'default',
    password: 'secret',
    database: 'broadside',
    requestTimeoutMs: 30_000,
    maxConnections: 4,
  }),
);
