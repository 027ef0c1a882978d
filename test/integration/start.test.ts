import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { type BroadsideProcess, spawnBroadside, startBroadside } from '../support/broadside-process.ts';
import { until } from '../support/engine-harness.ts';
import { runCli } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../api/bin.mjs', import.meta.url));

describe('starting Broadside', () => {
  let folder: string;
  let env: Record<string, string>;
  let started: BroadsideProcess[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-start-'));
    await chmod(folder, 0o755);
    started = [];
    env = {
      DATA_FOLDER: join(folder, 'data'),
      API_PORT: String(await freePort()),
      INTERNAL_PORT: String(await freePort()),
      REPORTING_PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
    };
  });
  afterEach(async () => {
    await Promise.all(started.map((broadside) => broadside.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  const up = async (given: Record<string, string> = {}): Promise<BroadsideProcess> => {
    const all = { ...env, ...given };
    const readyUrl = `http://127.0.0.1:${all.INTERNAL_PORT}/health/ready`;
    const broadside = await startBroadside({ args: ['up'], env: all, readyUrl });
    started.push(broadside);
    return broadside;
  };

  /** As the welcome says. */
  const makeToken = async (): Promise<string> => {
    const owner = ['--email', 'admin@localhost', '--organization', 'My organization'];
    const args = ['token', 'create', ...owner, '--name', 'laptop', '--abilities', 'all'];
    const { out } = await runCli(args, { cwd: folder, env: { DATA_FOLDER: env.DATA_FOLDER ?? '' } });
    return out.trim();
  };

  /** Starts what must not start. @returns its exit code and the lines it printed. */
  const refused = async (given: Record<string, string>, args = ['up']) => {
    const broadside = spawnBroadside(args, { ...env, ...given });
    const code = await broadside.exited;
    return { code, lines: broadside.output().split('\n') };
  };

  it('lets its example page subscribe to any app as long as it is for this machine alone', async () => {
    const origin = `http://127.0.0.1:${env.API_PORT}`;
    const alone = await up();
    const token = await makeToken();
    const made = await fetch(`${origin}/api/v1/client/apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'News', site_domain: 'https://news.example.com' }),
    });
    const { data } = (await made.json()) as { data: { identifier: string } };
    const asPage = async (): Promise<number> =>
      (await fetch(`${origin}/api/v1/public/app`, { headers: { origin, 'x-app-id': data.identifier } }))
        .status;
    expect(await asPage()).toBe(200);
    await alone.stop();
    await up({ PUBLIC_BASE_URL: 'https://push.example.com' });
    expect(await asPage()).toBe(403);
  });

  it('serves on the embedded defaults, says where, and at the first start shows a link and no token', async () => {
    const first = await up();
    expect(first.output()).toContain(`http://127.0.0.1:${env.API_PORT}/api/v1/client`);
    expect(first.output()).toMatch(/invitations#\d+\.[\w-]{43}/);
    expect(first.output()).not.toMatch(/\d+\|[\w-]{43}/);
    expect(first.output()).toContain('token create --email admin@localhost --organization "My organization"');
    const token = await makeToken();
    const apps = `http://127.0.0.1:${env.API_PORT}/api/v1/client/apps`;
    const answer = await fetch(apps, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    await first.stop();
    const second = await up();
    expect(second.output()).toContain('Broadside is running');
    expect(second.output()).not.toContain('invitations#');
  });

  it('leads the dashboard’s reports to the reporting API beside it, with nothing set', async () => {
    const broadside = await up();
    const base = `http://127.0.0.1:${env.API_PORT}`;
    const [, invitation] = /invitations#(\S+)/.exec(broadside.output()) ?? [];
    const accepted = await fetch(`${base}/api/v1/account/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ invitation, name: 'Ada Lovelace', password: 'a long line for tests' }),
    });
    const { data } = (await accepted.json()) as { data: { csrf_token: string } };
    const cookie = accepted.headers.get('set-cookie')?.split(';')[0] ?? '';
    const report = await fetch(`${base}/dashboard/reports/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, 'x-csrf-token': data.csrf_token },
      body: '{}',
    });
    // Without a token of its own: it is the reporting API that says no.
    expect([report.status, report.headers.get('x-report-answer')]).toEqual([401, 'passed']);
    expect(await report.json()).toEqual({ status: 'error', message: 'Unauthenticated.' });
  });

  it('keeps its data folder to itself, also one that an older release left open to everybody', async () => {
    const data = join(folder, 'data');
    await mkdir(join(data, 'clickhouse'), { recursive: true, mode: 0o755 });
    await up();
    const open: string[] = [];
    for (const name of ['.', ...(await readdir(data))]) {
      const mode = (await stat(join(data, name))).mode & 0o077;
      // Under root, Postgres runs as somebody else, who may pass through to its own folder.
      if (mode !== (name === '.' && process.getuid?.() === 0 ? 0o010 : 0))
        open.push(`${name} ${mode.toString(8)}`);
    }
    expect(open).toEqual([]);
  });

  it('stops cleanly on SIGTERM and leaves no database running', async () => {
    const broadside = await up();
    expect(await broadside.stop()).toBe(0);
    started = [];
    await expect(readdir(join(folder, 'data', 'postgres'))).resolves.not.toContain('postmaster.pid');
  });

  it('takes over the database that a killed process left behind', async () => {
    const broadside = await up();
    await broadside.kill();
    started = [];
    await up();
  });

  it('names every wrong setting, one line each, and makes nothing', async () => {
    const { code, lines } = await refused({ API_PORT: 'abc', LEASE_MS: '5', LOG_LEVEL: 'loud' });
    expect(code).toBe(1);
    expect(lines).toHaveLength(4);
    for (const name of ['API_PORT', 'LEASE_MS', 'LOG_LEVEL']) {
      expect(lines.filter((line) => line.trim().startsWith(name))).toHaveLength(1);
    }
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it('refuses a port that is in use, in one line that names it', async () => {
    const other = createServer().listen(Number(env.API_PORT), '127.0.0.1');
    await once(other, 'listening');
    const { code, lines } = await refused({});
    other.close();
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining(`127.0.0.1:${env.API_PORT} is in use`)]);
    await expect(readdir(join(folder, 'data', 'postgres'))).resolves.not.toContain('postmaster.pid');
  });

  it('refuses a data folder that another process holds, and leaves that one alone', async () => {
    await up();
    const ports = { API_PORT: '0', INTERNAL_PORT: '0', REPORTING_PORT: '0' };
    const { code, lines } = await refused(ports);
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('is in use by another Broadside')]);
    const ready = await fetch(`http://127.0.0.1:${env.INTERNAL_PORT}/health/ready`);
    expect(ready.status).toBe(200);
  });

  it('refuses a data folder that a newer version wrote', async () => {
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data', 'format'), '2\n');
    const { code, lines } = await refused({});
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('was written by a newer Broadside')]);
  });

  it('ends with one line where the broker is nowhere, and leaves no database running', async () => {
    const { code, lines } = await refused({
      LOG_BACKEND: 'kafka',
      KAFKA_BROKERS: 'no-such-host.localhost:9092',
    });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('Kafka does not answer')]);
    await expect(readdir(join(folder, 'data', 'postgres'))).resolves.not.toContain('postmaster.pid');
  });

  it('waits for a broker that is away, says so, and ends in order when told to', async () => {
    const broker = `127.0.0.1:${await freePort()}`;
    const broadside = spawnBroadside(['up'], { ...env, LOG_BACKEND: 'kafka', KAFKA_BROKERS: broker });
    const said = () => broadside.output().includes('Kafka does not answer: the start waits for it');
    await until('a line in the log', said, 60_000);
    expect(await broadside.stop()).toBe(0);
    await expect(readdir(join(folder, 'data', 'postgres'))).resolves.not.toContain('postmaster.pid');
  });

  it('ends with one line where the host of Postgres does not exist', async () => {
    const { code, lines } = await refused(
      {
        DATABASE_URL: 'postgres://nobody:nothing@no-such-host.localhost/none',
        MASTER_KEY: Buffer.alloc(32).toString('base64'),
        CLICKHOUSE_URL: 'http://127.0.0.1:1',
        INTERNAL_SECRET: 'internal-secret-of-tests',
      },
      ['engine'],
    );
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('Postgres does not answer')]);
  });

  it('says on an older Node what it needs, in one line', async () => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } }); import(${JSON.stringify(bin)})`;
    const failed = await promisify(execFile)(process.execPath, ['-e', pretend]).catch((error) => error);
    expect(failed.code).toBe(1);
    expect(failed.stderr.trim().split('\n')).toEqual([expect.stringContaining('needs Node 26')]);
  });
});
