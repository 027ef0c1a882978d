// tier: system
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const patience = { timeout: 120_000, interval: 200 };
/** All that starts before it has started twice by then, on a machine that is busy with other tests. */
const startPatience = { timeout: 400_000, interval: 500 };

/** All of its temporary files. */
let folder: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interrupted-'));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  if (child?.exitCode === null) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function start(args: readonly string[]): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  child = spawn(process.execPath, args, {
    ...{ cwd: root, env: { PATH, HOME, TMPDIR: folder }, stdio: 'ignore' },
  });
  return child;
}

const hasPostgres = async (): Promise<boolean> =>
  (await readdir(folder, { recursive: true }).catch(() => [])).some((name) =>
    name.endsWith('postmaster.pid'),
  );

/** Processes that name the folder in their arguments or their environment. */
async function running(): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    if (`${command}${environment}`.includes(folder)) found.push(`${command}`.replaceAll('\0', ' '));
  }
  return found;
}

describe.runIf(process.platform === 'linux')('what starts servers for the time of its run', () => {
  it.each([
    ['the demo', 'SIGKILL', ['api/bin.mjs', 'demo', '--subscribers', '1000']],
    ['a bench', 'SIGTERM', ['bench/main.ts', 'flow', '--subscribers', '20000', '--json']],
    ['a bench', 'SIGKILL', ['bench/main.ts', 'flow', '--subscribers', '20000', '--json']],
  ] as const)(
    'leaves nothing of %s after %s, no process and no file',
    { timeout: 700_000 },
    async (_what, signal, args) => {
      const { exitCode } = start(args);
      expect(exitCode).toBeNull();
      await expect.poll(hasPostgres, startPatience).toBe(true);
      expect(await running()).not.toEqual([]);
      child?.kill(signal);
      await expect.poll(running, patience).toEqual([]);
      await expect.poll(() => readdir(folder), patience).toEqual([]);
    },
  );
});
