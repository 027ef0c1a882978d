import { describe, expect, it } from 'vitest';
import { createReporting } from '../../reporting/app.ts';
import { readReportingConfig } from '../../reporting/config.ts';
import { startReporting } from '../../reporting/main.ts';

const config = (environment: Record<string, string> = {}) =>
  readReportingConfig({ REPORTING_PORT: '0', LOG_LEVEL: 'silent', ...environment });

describe('the reporting role', () => {
  it('lives, and is ready while ClickHouse answers', async () => {
    let answers = true;
    const reporting = await startReporting(config(), {
      clickhouse: { ping: async () => answers },
      logger: false,
    });
    const get = async (path: string) => {
      const response = await fetch(reporting.url + path);
      return [response.status, await response.json()];
    };
    expect(await get('/internal/health/live')).toEqual([200, { status: 'live' }]);
    expect(await get('/internal/health/ready')).toEqual([
      200,
      { status: 'ready', checks: { clickhouse: true } },
    ]);
    answers = false;
    expect(await get('/internal/health/ready')).toEqual([
      503,
      { status: 'not ready', checks: { clickhouse: false } },
    ]);
    await reporting.close();
    await expect(fetch(reporting.url)).rejects.toThrow();
  });

  it('has no reports yet: their address is not found, in the shape of all errors', async () => {
    const app = createReporting({ readiness: async () => ({}), logger: false });
    const response = await app.inject({ method: 'POST', url: '/api/v1/reports/generate', payload: {} });
    expect([response.statusCode, response.json()]).toEqual([404, { message: 'Not found.' }]);
    const broken = await app.inject({
      method: 'POST',
      url: '/api/v1/reports/generate?x=%',
      headers: { 'content-type': 'application/json' },
      payload: '{',
    });
    expect(broken.json()).toEqual({ message: expect.any(String) });
    expect(broken.statusCode).toBeLessThan(500);
    await app.close();
  });

  it('listens on loopback port 8082 unless it is told otherwise', () => {
    expect(readReportingConfig({})).toMatchObject({ reportingHost: '127.0.0.1', reportingPort: 8_082 });
  });
});
