// tier: system
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../../engine/adapters/postgres/free-port.ts';
import { waitUntilReady } from '../../support/broadside-process.ts';
import { itThorough } from '../../support/it-thorough.ts';
import { type PushServiceDouble, startPushService } from '../../support/push-service/start.ts';
import { deliverToBrowser } from '../../support/release/deliver-to-browser.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const repository = 'git+https://github.com/example/broadside.git';
const START_TIMEOUT_MS = 240_000;

const command = (...args: string[]) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', 'api/release/build-command.ts', ...args], {
    cwd: root,
  });

/** Without what npm scripts of the checkout put in front: a newcomer's own Node and npm. */
const newcomersPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

/** Made once for all: its bundles are half a minute of two cores. */
let work: string;
let version: string;
const first = (): string => join(work, 'first');
beforeAll(async () => {
  // Root's Postgres runs as another user, who has to come to its data.
  work = await mkdtemp(join(tmpdir(), 'broadside-release-test-'));
  await run('chmod', ['755', work]);
  ({ version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string });
  await command('--out', first(), '--repository', repository);
});
afterAll(() => rm(work, { recursive: true, force: true }));

/** As the specification publishes it; CycloneDX 1.5 is what npm writes. */
async function problemsOf(bill: unknown): Promise<readonly string[]> {
  const schema = async (name: string, id: string): Promise<object> => ({
    ...(JSON.parse(
      await readFile(join(root, `test/architecture/vendored/cyclonedx${name}.json`), 'utf8'),
    ) as object),
    $id: `http://cyclonedx.org/schema/${id}`,
  });
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Texts in other languages' letters, which the validator does not know as formats.
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true);
  ajv.addSchema(await schema('-spdx', 'spdx.SNAPSHOT.schema.json'));
  ajv.addSchema(await schema('-jsf-0.82', 'jsf-0.82.SNAPSHOT.schema.json'));
  const validate = ajv.compile(await schema('-1.5', 'bom-1.5.schema.json'));
  validate(bill);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('npm run release', () => {
  const inFirst = (name: string): Promise<string> => readFile(join(first(), name), 'utf8');

  it('makes both packages, the wheel, the bill of materials and the notes, and sums of all', async () => {
    const sums = (await inFirst('SHA256SUMS')).trim().split('\n');
    expect(sums.map((line) => line.split('  ')[1])).toEqual([
      'RELEASE-NOTES.md',
      `broadside-${version}.cdx.json`,
      `broadside-${version}.tgz`,
      `broadside-client-${version}.tgz`,
      `broadside_client-${version}-py3-none-any.whl`,
    ]);
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: first() });
    await writeFile(join(work, 'damaged'), 'x');
    await run('cp', ['-r', first(), join(work, 'copy')]);
    await writeFile(join(work, 'copy', 'RELEASE-NOTES.md'), 'others');
    await expect(run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(work, 'copy') })).rejects.toThrow();
  });

  itThorough('makes the same bytes a second time', async () => {
    const second = join(work, 'second');
    await command('--out', second, '--repository', repository);
    expect(await readFile(join(second, 'SHA256SUMS'), 'utf8')).toBe(await inFirst('SHA256SUMS'));
  });

  it('takes the notes from the change log', async () => {
    const notes = await inFirst('RELEASE-NOTES.md');
    expect(notes).toMatch(/^### Breaking\n/);
    expect(notes).not.toMatch(/^## /m);
  });

  it('lists what the package installs, as CycloneDX', async () => {
    const bill = JSON.parse(await inFirst(`broadside-${version}.cdx.json`)) as {
      readonly metadata: { readonly component: { readonly name: string } };
      readonly components: readonly { readonly name: string; readonly licenses?: readonly unknown[] }[];
    };
    expect(await problemsOf(bill)).toEqual([]);
    expect(await problemsOf({ ...bill, components: [{ name: 'nameless' }] })).not.toEqual([]);
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'selfsigned']));
    for (const tool of ['vite', 'typescript', 'vitest', 'react']) expect(names).not.toContain(tool);
    expect(bill.components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
  });

  it('names the repository in what npm publishes with provenance', async () => {
    for (const name of [`broadside-${version}.tgz`, `broadside-client-${version}.tgz`]) {
      const { stdout } = await run('tar', ['-xzOf', join(first(), name), 'package/package.json']);
      expect(JSON.parse(stdout)).toMatchObject({ version, repository: { type: 'git', url: repository } });
      expect(JSON.parse(stdout)).not.toHaveProperty('private');
    }
  });

  it('refuses a folder that holds something, and says what to do without one', async () => {
    await expect(command('--out', first())).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The release was not made: .+ is not empty: name another folder/),
    });
    await expect(command()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--out FOLDER'),
    });
  });
});

describe('the npm package, installed from its tarball into an empty folder', () => {
  let folder: string;
  let pushService: PushServiceDouble;
  let broadside: ChildProcess;
  let output = '';
  let env: Record<string, string>;

  const npx = (...args: string[]) => run('npx', ['broadside', ...args], { cwd: folder, env });

  beforeAll(async () => {
    folder = join(work, 'empty');
    await mkdir(folder);
    const [api, internal, reporting] = await freePorts(3);
    pushService = await startPushService({ directory: join(work, 'push-service') });
    env = {
      ...{ PATH: newcomersPath, HOME: process.env.HOME ?? work },
      ...{ API_PORT: String(api), INTERNAL_PORT: String(internal), REPORTING_PORT: String(reporting) },
      ...{ PUSH_SERVICE_CA_FILE: pushService.caFile, ALLOW_ANY_PUSH_HOST: 'true', LOG_LEVEL: 'warn' },
    };
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', ['install', ...quiet, join(first(), `broadside-${version}.tgz`)], { cwd: folder, env });
  });
  afterAll(async () => {
    if (broadside?.pid !== undefined && isAlive(-broadside.pid)) process.kill(-broadside.pid, 'SIGKILL');
    await pushService?.stop();
  });

  it('holds JavaScript alone, and nothing of the tools that made it', async () => {
    const files = await readdir(join(folder, 'node_modules/broadside'), { recursive: true });
    expect(files.filter((file) => /\.tsx?$/.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['built/sdk.json', 'engine/worker/entry.js', 'LICENSE']));
    const packages = await readdir(join(folder, 'node_modules'));
    expect(packages.filter((name) => ['vite', 'rolldown', 'typescript', 'vitest'].includes(name))).toEqual(
      [],
    );
  });

  it('names the packages that it imports by exact versions, those of the checkout', async () => {
    const read = async (file: string) =>
      JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>;
    const own = await read(join(folder, 'node_modules/broadside/package.json'));
    const { dependencies, devDependencies } = await read(join(root, 'package.json'));
    expect(
      Object.values(own.dependencies ?? {}).filter((version) => !/^\d+\.\d+\.\d+/.test(version)),
    ).toEqual([]);
    expect({ ...devDependencies, ...dependencies }).toMatchObject(own.dependencies ?? {});
    expect(own.dependencies).toMatchObject(dependencies ?? {});
    expect(own).not.toHaveProperty('devDependencies');
  });

  it('says to an older Node in one line where npm has put the right one', async () => {
    const bin = join(folder, 'node_modules/broadside/api/bin.mjs');
    const text = await readFile(bin, 'utf8');
    expect(text).toContain("'../../.bin/node'");
    const { stdout } = await run(join(folder, 'node_modules/.bin/node'), ['--version'], { env });
    expect(Number(stdout.slice(1).split('.')[0])).toBeGreaterThanOrEqual(26);
    expect((await npx('--version')).stdout.trim()).toBe(
      (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version,
    );
  });

  it('starts everything in that folder, and takes a delivery to a browser', async () => {
    // In a group of its own, as a terminal starts it.
    broadside = spawn('npx', ['broadside', 'up'], {
      ...{ cwd: folder, env, detached: true },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer): void => {
      output = `${output}${chunk}`.slice(-20_000);
    };
    broadside.stdout?.on('data', keep);
    broadside.stderr?.on('data', keep);
    const exited = once(broadside, 'exit').then(([code]) => code as number | null);
    const ready = await waitUntilReady(
      `http://127.0.0.1:${env.INTERNAL_PORT}/health/ready`,
      START_TIMEOUT_MS,
      exited,
    );
    expect(ready, output).toBe(true);
    await expect.poll(() => output).toContain('Broadside is running');
    const owner = ['--email', 'admin@localhost', '--organization', 'My organization'];
    const { stdout } = await npx('token', 'create', ...owner, '--name', 'laptop', '--abilities', 'all');
    const api = `http://127.0.0.1:${env.API_PORT}`;
    const message = await deliverToBrowser(api, stdout.trim(), pushService);
    expect(message).toContain('Ferries stop at noon.');
  });

  it('serves the built dashboard, the SDK and the guides', async () => {
    const api = `http://127.0.0.1:${env.API_PORT}`;
    const read = async (path: string) => (await fetch(`${api}${path}`)).text();
    const page = await read('/dashboard/');
    const [, script = 'none'] = /src="([^"]+\.js)"/.exec(page) ?? [];
    expect((await fetch(new URL(script, `${api}/dashboard/`))).status).toBe(200);
    expect(await read('/sdk/v1/broadside.js')).toContain('integrity');
    expect(await read('/docs/guides/sdk')).toContain('The SDK');
  });

  it('stops on Ctrl-C, and leaves no process and a folder that can be opened again', async () => {
    const gone = once(broadside, 'exit');
    process.kill(-(broadside.pid ?? 0), 'SIGINT');
    await gone;
    await expect.poll(() => isAlive(-(broadside.pid ?? 0))).toBe(false);
    expect(output).not.toMatch(/\n\s+at .+:\d+:\d+/);
    await expect(readFile(join(folder, 'data/postgres/postmaster.pid'))).rejects.toThrow('ENOENT');
  });

  it('runs the demo', async () => {
    const { stdout } = await npx('demo', '--subscribers', '500', '--verify', 'all', '--json');
    const books = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as object;
    expect(books).toMatchObject({
      delivery: { status: 'success', success_count: 500 },
      push_service: { distinct: 500 },
      clickhouse: { accepted: 500 },
    });
  });
});

/** A negative number: of a group of processes. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
