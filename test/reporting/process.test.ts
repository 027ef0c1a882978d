// tier: system
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { type ClickHouseBridge, startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { createReportToken, generatePath, generateRequest } from './support.ts';

const main = new URL('../../reporting/main.ts', import.meta.url).href;
const script = `import(${JSON.stringify(main)}).then((it) => it.runReporting())`;

let bridge: ClickHouseBridge;
let test: TestDatabase;
beforeAll(async () => {
  [bridge, test] = await Promise.all([startClickHouseBridge(), createTestDatabase()]);
});
afterAll(async () => {
  await bridge.stop();
  await test.drop();
});

function startRole(environment: Record<string, string>) {
  const child = spawn(process.execPath, ['-e', script], {
    env: { REPORTING_PORT: '0', REPORTING_INTERNAL_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, exited: once(child, 'exit') };
}

it('makes reports of what is stored while Kafka is away, and is ready', async () => {
  const internalPort = String(await freePort());
  const { child, exited } = startRole({
    CLICKHOUSE_URL: bridge.url,
    DATABASE_URL: test.url,
    LOG_BACKEND: 'kafka',
    KAFKA_BROKERS: `127.0.0.1:${await freePort()}`,
    REPORTING_INTERNAL_PORT: internalPort,
  });
  try {
    const url = await listeningAt(child.stdout);
    const { headers, payload } = generateRequest(await createReportToken(test.database));
    const answer = await fetch(url + generatePath, { method: 'POST', headers, body: payload });
    expect(answer.status, await answer.text()).toBe(200);
    expect((await fetch(`http://127.0.0.1:${internalPort}/health/ready`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

it('makes reports in a process of its own, reports when ClickHouse goes away, and ends with 0 on SIGTERM', async () => {
  const internalPort = String(await freePort());
  const { child, exited } = startRole({
    CLICKHOUSE_URL: bridge.url,
    DATABASE_URL: test.url,
    REPORTING_INTERNAL_PORT: internalPort,
  });
  try {
    const url = await listeningAt(child.stdout);
    const ready = async () => (await fetch(`${url}/internal/health/ready`)).status;
    const ask = async (token: string) => {
      const { headers, payload } = generateRequest(token);
      const answer = await fetch(url + generatePath, { method: 'POST', headers, body: payload });
      return { status: answer.status, body: await answer.json() };
    };
    const token = await createReportToken(test.database);
    expect(await ready()).toBe(200);
    expect(await ask(token)).toMatchObject({ status: 200, body: { status: 'success', data: [] } });
    const metrics = await (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text();
    expect(metrics).toContain('broadside_report_requests_total{status="200"} 1');
    await bridge.kill();
    expect(await ready()).toBe(503);
    expect(await ask(token)).toMatchObject({ status: 503, body: { status: 'error' } });
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

it('does not start without a ClickHouse server, and names the setting', async () => {
  const { child, exited } = startRole({ DATABASE_URL: test.url });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  expect(await exited).toEqual([1, null]);
  expect(said.join('')).toContain('CLICKHOUSE_URL');
});

async function listeningAt(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const { role, msg } = JSON.parse(line) as { role: string; msg: string };
    const url = /http:\/\/[\d.:]+/.exec(msg)?.[0];
    if (role === 'reporting' && url !== undefined) return url;
  }
  throw new Error('it ended before it listened');
}
