import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClickHouseBridge, startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';

const main = new URL('../../reporting/main.ts', import.meta.url).href;
const script = `import(${JSON.stringify(main)}).then((it) => it.runReporting())`;

let bridge: ClickHouseBridge;
beforeAll(async () => {
  bridge = await startClickHouseBridge();
});
afterAll(() => bridge.stop());

function startRole(environment: Record<string, string>) {
  const child = spawn(process.execPath, ['-e', script], {
    env: { REPORTING_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, exited: once(child, 'exit') };
}

it('serves in a process of its own, tells when ClickHouse goes away, and ends with 0 on SIGTERM', async () => {
  const { child, exited } = startRole({ CLICKHOUSE_URL: bridge.url });
  try {
    const url = await listeningAt(child.stdout);
    const ready = async () => (await fetch(`${url}/internal/health/ready`)).status;
    expect(await ready()).toBe(200);
    await bridge.kill();
    expect(await ready()).toBe(503);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

it('does not start without a ClickHouse server, and names the setting', async () => {
  const { child, exited } = startRole({});
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
