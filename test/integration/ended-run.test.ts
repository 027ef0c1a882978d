// tier: system
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { startChromium } from '../support/browsers/chromium.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { executableOf } from '../support/browsers/executable.ts';
import { endSharedBrowsers } from '../support/browsers/shared-chromium.ts';

const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** What a run of the tests starts, in a process that begins as Vitest does. Then it waits for its end. */
const program = (end: string): string => `
  import { spawn } from 'node:child_process';
  import { beginRun } from ${here('../support/run/begin-run.ts')};
  import { startEmbeddedPostgres } from ${here('../../engine/adapters/postgres/embedded.ts')};
  import { startChromium } from ${here('../support/browsers/chromium.ts')};
  import { startFirefox } from ${here('../support/browsers/firefox.ts')};
  beginRun();
  const folder = process.env.TMPDIR;
  const { pid } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH } });
  const postgres = await startEmbeddedPostgres({ folder, port: 0, durable: false });
  const { readFile } = await import('node:fs/promises');
  const server = Number((await readFile(folder + '/postgres/postmaster.pid', 'utf8')).split('\\n')[0]);
  const [chromium, firefox] = ${JSON.stringify([executableOf('chromium'), executableOf('firefox')])};
  const browsers = [];
  if (chromium !== null) browsers.push(await startChromium({ executable: chromium }));
  if (firefox !== null) browsers.push(await startFirefox({ executable: firefox, pushServerUrl: 'ws://127.0.0.1:9' }));
  console.log(JSON.stringify({ folder, pids: [pid, server, ...browsers.map((each) => each.process().pid)] }));
  ${end}
`;

interface Started {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly pids: readonly number[];
}

let started: Started | undefined;

async function start(end: string, env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const args = ['--input-type=module', '--experimental-strip-types', '-e', program(end)];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, CI: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  started = { child, ...(JSON.parse(line) as Omit<Started, 'child'>) };
  expect(started.pids.filter(isRunning)).toEqual(started.pids);
  return started;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Of the processes that have this in their arguments. */
const pidsWith = (argument: string): Promise<string> =>
  new Promise((found) => void execFile('pgrep', ['-f', '--', argument], (_none, pids) => found(pids)));

const running = (): number[] => (started?.pids ?? []).filter(isRunning);

afterEach(() => {
  for (const pid of running()) process.kill(pid, 'SIGKILL');
});

describe('a run of the tests that ended', () => {
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'by %s leaves no process and no folder, detached ones and those of a daemon included',
    async (signal) => {
      const { child, folder, pids } = await start('setInterval(() => {}, 1_000);');
      expect(pids.length).toBeGreaterThan(1);
      child.kill(signal);
      await expect.poll(running).toEqual([]);
      await expect.poll(() => existsSync(folder)).toBe(false);
    },
  );

  it('in order, in CI, leaves what it forgot to who names it, and only its folder goes', async () => {
    const { folder, pids } = await start('process.exit(1);', { CI: 'true' });
    await expect.poll(() => existsSync(folder)).toBe(false);
    const [forgotten = 0] = pids;
    expect(isRunning(forgotten)).toBe(true);
  });

  it('has its folder removed by nothing that bears its mark, and would count as left running', async () => {
    const outer = await mkdtemp(join(tmpdir(), 'ended-'));
    const [folder, log] = [join(outer, 'marked-run'), join(outer, 'log')];
    await mkdir(join(folder, 'postgres'), { recursive: true });
    await writeFile(join(folder, 'postgres', 'a file'), 'x');
    // Notes what it is given, and then does it.
    const spy = `#!${process.execPath}
      require('node:fs').writeFileSync(${JSON.stringify(log)}, JSON.stringify([process.argv, process.env]));
      require('node:child_process').spawnSync('/usr/bin/find', process.argv.slice(2));`;
    await writeFile(join(outer, 'find'), spy, { mode: 0o755 });
    const child = spawn('sh', [fileURLToPath(new URL('../support/run/end-with-run.sh', import.meta.url))], {
      env: { PATH: `${outer}:/usr/bin:/bin` },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.stdin.end(`${folder}\nended\n`);
    await once(child, 'exit');
    expect(existsSync(folder)).toBe(false);
    const noted = await readFile(log, 'utf8');
    expect(noted).toContain('-delete');
    expect(noted).not.toContain('marked-run');
    await rm(outer, { recursive: true });
  });
});

describeBrowser('chromium', 'a browser that the files of a process share', (executable) => {
  it('is ended, with all its processes, before the run looks for what was left', async () => {
    const runFolder = await mkdtemp(join(tmpdir(), 'shared-'));
    const profile = join(runFolder, 'shared-browsers', 'chromium');
    const browser = await startChromium({ executable, profile });
    await browser.newPage();
    const found = (): Promise<string> => pidsWith(profile);
    expect(await found()).not.toBe('');
    await endSharedBrowsers(runFolder);
    expect(await found()).toBe('');
    await rm(runFolder, { recursive: true });
  });

  it('ends with its process, which was killed', async () => {
    const profile = await mkdtemp(join(tmpdir(), 'shared-'));
    const options = JSON.stringify({ executable, profile });
    const child = spawn(process.execPath, [
      ...['--input-type=module', '--experimental-strip-types', '-e'],
      `import { startChromium } from ${here('../support/browsers/chromium.ts')};
      console.log((await startChromium(${options})).process().pid);`,
    ]);
    await once(createInterface({ input: child.stdout }), 'line');
    child.kill('SIGKILL');
    await expect.poll(() => pidsWith(profile)).toBe('');
    await rm(profile, { recursive: true, maxRetries: 10 });
  });
});
