// tier: core
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { type BroadsideProcess, spawnBroadside, startBroadside } from '../support/broadside-process.ts';
import { until } from '../support/engine-harness.ts';
import { runCli } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../api/bin.mjs', import.meta.url));

/** Starts take longer than all that is shown of them, so one process has the first start's tests, and its folder the others'. */
describe('starting Broadside', () => {
  let folder: string;
  let env: Record<string, string>;
  let running: BroadsideProcess;
  let token: string;
  let appIdentifier: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-start-'));
    await chmod(folder, 0o755);
    // As an older release left it.
    await mkdir(join(folder, 'data', 'clickhouse'), { recursive: true, mode: 0o755 });
    env = {
      DATA_FOLDER: join(folder, 'data'),
      API_PORT: String(await freePort()),
      INTERNAL_PORT: String(await freePort()),
      REPORTING_PORT: String(await freePort()),
      // By default one a core, as the installed package starts in test/api/release.
      WORKER_THREADS: '1',
      LOG_LEVEL: 'warn',
    };
    running = await up();
  });
  afterAll(async () => {
    await running?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const up = (given: Record<string, string> = {}): Promise<BroadsideProcess> => {
    const readyUrl = `http://127.0.0.1:${env.INTERNAL_PORT}/health/ready`;
    return startBroadside({ args: ['up'], env: { ...env, ...given }, readyUrl });
  };
  /** A data folder that nothing made yet. */
  const elsewhere = () => join(folder, 'elsewhere');
  const origin = () => `http://127.0.0.1:${env.API_PORT}`;

  /** Starts what must not start. @returns its exit code and the lines it printed. */
  const refused = async (given: Record<string, string>, args = ['up']) => {
    const broadside = spawnBroadside(args, { ...env, ...given });
    const code = await broadside.exited;
    // Without those of the steps so far.
    return {
      code,
      lines: broadside
        .output()
        .split('\n')
        .filter((line) => !line.endsWith('…')),
    };
  };
  /** What the example page, served from here, is answered. */
  const asPage = async (): Promise<number> =>
    (
      await fetch(`${origin()}/api/v1/public/app`, {
        headers: { origin: origin(), 'x-app-id': appIdentifier },
      })
    ).status;

  it('serves on the embedded defaults, prints its address, and at the first start shows a link and no token', async () => {
    expect(running.output()).toContain(`${origin()}/api/v1/client`);
    expect(running.output()).toMatch(/invitations#\d+\.[\w-]{43}/);
    expect(running.output()).not.toMatch(/\d+\|[\w-]{43}/);
    expect(running.output()).toMatch(
      /token create --email admin@localhost \\\n +--organization "My organization"/,
    );
    // As the welcome says.
    const owner = ['--email', 'admin@localhost', '--organization', 'My organization'];
    const args = ['token', 'create', ...owner, '--name', 'laptop', '--abilities', 'all'];
    const { out } = await runCli(args, { cwd: folder, env: { DATA_FOLDER: env.DATA_FOLDER ?? '' } });
    token = out.trim();
    const apps = `${origin()}/api/v1/client/apps`;
    const answer = await fetch(apps, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
  });

  it('lets its example page subscribe to any app as long as it is for this machine alone', async () => {
    const made = await fetch(`${origin()}/api/v1/client/apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'News', site_domain: 'https://news.example.com' }),
    });
    appIdentifier = ((await made.json()) as { data: { identifier: string } }).data.identifier;
    expect(await asPage()).toBe(200);
  });

  it('is checked by the doctor, who leaves its folder to it', async () => {
    const given = {
      ...env,
      PUSH_SERVICE_HOSTS: 'notify.windows.com',
      VAPID_SUBJECT: 'mailto:push@example.com',
    };
    const { code, out } = await runCli(['doctor', '--json'], { cwd: folder, env: given });
    const { findings } = JSON.parse(out) as { findings: { area: string; state: string; text: string }[] };
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    expect(code).toBe(0);
    const said = (area: string) => findings.filter((one) => one.area === area).map(({ text }) => text);
    expect(said('process')).toEqual([`the engine at 127.0.0.1:${env.INTERNAL_PORT} is ready`]);
    expect(said('clickhouse')[0]).toMatch(/, in the Broadside that runs on the data folder$/);
    expect(said('vapid')[1]).toMatch(/^the master key opens all \d+ sealed/);
  });

  it('keeps its data folder to itself, also one that an older release left world-readable', async () => {
    const data = join(folder, 'data');
    const open: string[] = [];
    for (const name of ['.', ...(await readdir(data))]) {
      const mode = (await stat(join(data, name))).mode & 0o077;
      // Under root, Postgres runs under another account, which may pass through to its own folder.
      if (mode !== (name === '.' && process.getuid?.() === 0 ? 0o010 : 0))
        open.push(`${name} ${mode.toString(8)}`);
    }
    expect(open).toEqual([]);
  });

  it('refuses a data folder that another process holds, and leaves that one alone', async () => {
    const ports = { API_PORT: '0', INTERNAL_PORT: '0', REPORTING_PORT: '0' };
    const { code, lines } = await refused(ports);
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('is in use by another Broadside')]);
    const ready = await fetch(`http://127.0.0.1:${env.INTERNAL_PORT}/health/ready`);
    expect(ready.status).toBe(200);
  });

  it('takes over the database that a killed process left behind, with another link while nobody used the first', async () => {
    await running.kill();
    running = await up({ LOG_FORMAT: 'pretty', LOG_LEVEL: 'info', API_PROT: '8090' });
    expect(running.output()).toContain('Broadside is running');
    expect(running.output()).toContain('The former link has ended.');
    expect(running.output()).toMatch(/invitations#\d+\.[\w-]{43}/);
  });

  it('says each step when it begins, and logs no stack', () => {
    const steps = running
      .output()
      .split('\n')
      .filter((line) => /^\w.*…$/.test(line));
    expect(steps).toEqual([
      'Loading Broadside…',
      'Starting Postgres…',
      'Opening Postgres…',
      'Opening ClickHouse…',
      'Opening the log…',
      'Starting the engine…',
      'Starting the reporting API…',
      'Starting the API…',
    ]);
    expect(running.output()).not.toMatch(/^ +at /m);
  });

  it('names a misspelt setting with the one that is probably meant, and starts', () => {
    expect(running.output()).toContain('API_PROT is not a setting. Did you mean API_PORT?');
  });

  it('keeps its welcome within 80 columns, the link itself apart', () => {
    const text = running.output().slice(running.output().indexOf('Broadside is running'));
    expect(text).toContain('broadside user invite');
    const long = text
      .split('\n')
      .filter((line) => line.length > 80 && !/invitations#|export PATH=/.test(line));
    expect(long).toEqual([]);
  });

  it('leads the dashboard’s reports to the reporting API beside it, with nothing set', async () => {
    const [, invitation] = /invitations#(\S+)/.exec(running.output()) ?? [];
    const accepted = await fetch(`${origin()}/api/v1/account/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ invitation, name: 'Ada Lovelace', password: 'a long line for tests' }),
    });
    const { data } = (await accepted.json()) as { data: { csrf_token: string } };
    const cookie = accepted.headers.get('set-cookie')?.split(';')[0] ?? '';
    const report = await fetch(`${origin()}/dashboard/reports/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, 'x-csrf-token': data.csrf_token },
      body: '{}',
    });
    // Without a token of its own: the reporting API itself refuses.
    expect([report.status, report.headers.get('x-report-answer')]).toEqual([401, 'passed']);
    expect(await report.json()).toEqual({ status: 'error', message: 'Unauthenticated.' });
  });

  it('logs for people where LOG_FORMAT=pretty asks for it, and then no requests', async () => {
    await running.stop();
    expect(running.output()).toMatch(/^\d\d:\d\d:\d\d info {2}up {2}stopped$/m);
    expect(running.output()).not.toMatch(/request|\{"level"/);
  });

  it('lets its example page subscribe to no app once others reach it', async () => {
    running = await up({ PUBLIC_BASE_URL: 'https://push.example.com', LOG_LEVEL: 'info' });
    expect(await asPage()).toBe(403);
  });

  it('shows no link once somebody used it', () => {
    expect(running.output()).toContain('Broadside is running');
    expect(running.output()).not.toContain('invitations#');
  });

  it('stops cleanly on SIGTERM and leaves no database running', async () => {
    expect(await running.stop()).toBe(0);
    await expect(readdir(join(folder, 'data', 'postgres'))).resolves.not.toContain('postmaster.pid');
  });

  it('logs requests as JSON where its output is not a terminal', () => {
    expect(running.output()).toMatch(/^\{"level":"info".*"msg":"request completed"\}$/m);
  });

  it('names every wrong setting, one line each, and makes nothing', async () => {
    const wrong = { API_PORT: 'abc', LEASE_MS: '5', LOG_LEVEL: 'loud' };
    const { code, lines } = await refused({ ...wrong, DATA_FOLDER: elsewhere() });
    expect(code).toBe(1);
    expect(lines).toHaveLength(4);
    for (const name of ['API_PORT', 'LEASE_MS', 'LOG_LEVEL']) {
      expect(lines.filter((line) => line.trim().startsWith(name))).toHaveLength(1);
    }
    expect(existsSync(elsewhere())).toBe(false);
  });

  it('refuses a port that is in use before it makes anything, naming its setting and a free port', async () => {
    const other = createServer().listen(Number(env.API_PORT), '127.0.0.1');
    await once(other, 'listening');
    const { code, lines } = await refused({ DATA_FOLDER: elsewhere() });
    other.close();
    expect(code).toBe(1);
    const line = `broadside: 127.0.0.1:${env.API_PORT} is in use by another program. Choose another port with API_PORT=`;
    expect(lines).toEqual([expect.stringContaining(line)]);
    expect(existsSync(elsewhere())).toBe(false);
  });

  it('refuses one port for two listeners', async () => {
    const { code, lines } = await refused({ REPORTING_PORT: env.API_PORT ?? '', DATA_FOLDER: elsewhere() });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('is the port of API_PORT, too')]);
    expect(existsSync(elsewhere())).toBe(false);
  });

  it('refuses a data folder that a newer version wrote', async () => {
    const newer = join(folder, 'newer');
    await mkdir(newer);
    await writeFile(join(newer, 'format'), '2\n');
    const { code, lines } = await refused({ DATA_FOLDER: newer });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('was written by a newer Broadside')]);
  });

  it('ends with one line where the broker is nowhere, and leaves no database running', async () => {
    const { code, lines } = await refused({
      LOG_BACKEND: 'kafka',
      KAFKA_BROKERS: 'no-such-host.localhost:9092',
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/host of .*no-such-host.* does not exist: check KAFKA_BROKERS/),
    ]);
    await expect(readdir(join(folder, 'data', 'postgres'))).resolves.not.toContain('postmaster.pid');
  });

  it('waits for a broker that is unavailable, logs it, and stops cleanly', async () => {
    const broker = `127.0.0.1:${await freePort()}`;
    const broadside = spawnBroadside(['up'], { ...env, LOG_BACKEND: 'kafka', KAFKA_BROKERS: broker });
    const said = () => broadside.output().includes('Kafka does not answer: the start waits for it');
    await until('a line in the log', said);
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

  it.each([
    ["Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })", 'needs Node 26'],
    ['delete globalThis.Temporal', 'needs Temporal'],
  ])('names in one line what it needs of Node: %s', async (pretend, reason) => {
    const program = `${pretend}; import(${JSON.stringify(bin)})`;
    const failed = await promisify(execFile)(process.execPath, ['-e', program]).catch((error) => error);
    expect(failed.code).toBe(1);
    expect(failed.stderr.trim().split('\n')).toEqual([expect.stringContaining(reason)]);
  });
});
