// tier: postgres
import { describe, expect, it } from 'vitest';
import { readReportingConfig } from '../../reporting/config.ts';
import { createTestReporting } from './support.ts';

describe('the reporting role', () => {
  it('lives, and is ready while Postgres and ClickHouse answer', async () => {
    let answers = true;
    const test = await createTestReporting({
      readiness: async () => ({ postgres: true, clickhouse: answers }),
    });
    const get = async (path: string) => {
      const answer = await test.app.inject(path);
      return [answer.statusCode, answer.json()];
    };
    expect(await get('/internal/health/live')).toEqual([200, { status: 'live' }]);
    expect(await get('/internal/health/ready')).toEqual([
      200,
      { status: 'ready', checks: { postgres: true, clickhouse: true } },
    ]);
    answers = false;
    expect(await get('/internal/health/ready')).toEqual([
      503,
      { status: 'not ready', checks: { postgres: true, clickhouse: false } },
    ]);
    await test.close();
  });

  it('listens on loopback port 8082, and admits 5 reports a minute, by default', () => {
    expect(readReportingConfig({ DATABASE_URL: 'postgres://a/b' })).toMatchObject({
      reportingHost: '127.0.0.1',
      reportingPort: 8_082,
      reportRatePerMinute: 5,
    });
  });

  it('refuses proxies that are no addresses', () => {
    const environment = { DATABASE_URL: 'postgres://a/b', TRUSTED_PROXIES: '10.0.0.0/8,everybody' };
    expect(() => readReportingConfig(environment)).toThrow('TRUSTED_PROXIES holds everybody');
  });
});
