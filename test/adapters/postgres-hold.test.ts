// tier: core
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../engine/adapters/postgres/embedded.ts';
import { takeSessionLock } from '../../engine/adapters/postgres/session-lock.ts';

const module = new URL('../../engine/adapters/postgres/embedded.ts', import.meta.url).href;
/** Uses the server of a folder until it is killed. */
const program = `
  const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
  const { url } = await startEmbeddedPostgres({ folder: process.argv[1], port: 0, durable: true });
  console.log(url);
  setInterval(() => {}, 1_000);
`;

const patience = { timeout: 60_000 };

let folder: string;
const users: ChildProcess[] = [];
const servers: number[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broadside-hold-'));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  for (const user of users.splice(0)) user.kill('SIGKILL');
  for (const pid of servers.splice(0).filter(isRunning)) process.kill(pid, 'SIGQUIT');
  await rm(folder, { recursive: true, force: true });
});

const pidFile = (): Promise<string> =>
  readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');

async function serverPid(): Promise<number> {
  const pid = Number((await pidFile()).split('\n')[0]);
  servers.push(pid);
  return pid;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A process of a group of its own. */
async function use(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
    ...{ detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  users.push(child);
  if (child.stdout === null) throw new Error('no output');
  const said = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`ended with ${code}`);
  });
  const [url] = await Promise.race([said, ended]);
  ended.catch(() => {});
  return { child, url };
}

/** Its whole group, as a closed terminal or a supervisor does. */
const killGroup = ({ child }: { readonly child: ChildProcess }): boolean =>
  process.kill(-(child.pid ?? 0), 'SIGKILL');

const start = () => startEmbeddedPostgres({ folder, port: 0, durable: true });

describe('the embedded Postgres of a process that was killed', () => {
  it('is stopped in order once nobody came back', async () => {
    const user = await use();
    const pid = await serverPid();
    killGroup(user);
    await expect.poll(() => isRunning(pid), patience).toBe(false);
    // A fast shutdown removes it; a crash would have left it, and the next start a recovery.
    expect(await pidFile()).toBe('');
    expect(await readdir(folder)).not.toContain('postgres.users');
  });

  it('is taken over by a start soon after, and then stays as long as that one', async () => {
    const first = await use();
    const pid = await serverPid();
    killGroup(first);
    const second = await use();
    expect(second.url).toBe(first.url);
    // Past the patience of the first one's shell, which is gone then.
    await expect.poll(async () => (await readdir(join(folder, 'postgres.users'))).length, patience).toBe(1);
    expect(isRunning(pid)).toBe(true);
    const lock = await takeSessionLock(second.url, 'test');
    await lock?.release();
    killGroup(second);
    await expect.poll(() => isRunning(pid), patience).toBe(false);
  });

  it('ends, too, where somebody removed the folder at once', async () => {
    const user = await use();
    const pid = await serverPid();
    killGroup(user);
    await rm(folder, { recursive: true, force: true });
    await expect.poll(() => isRunning(pid), patience).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('the embedded Postgres that several processes use', () => {
  it('stays until the last of them has left', async () => {
    const one = await start();
    const other = await start();
    const pid = await serverPid();
    expect(other.url).toBe(one.url);
    await one.release();
    expect(isRunning(pid)).toBe(true);
    await (await takeSessionLock(other.url, 'test'))?.release();
    await other.release();
    expect(await pidFile()).toBe('');
    await expect.poll(() => isRunning(pid), patience).toBe(false);
    expect(await readdir(folder)).not.toContain('postgres.users');
  });

  it('is one, where all of them start it at once', async () => {
    await (await start()).release();
    const all = await Promise.all([start(), start(), start(), start()]);
    await serverPid();
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    await (await takeSessionLock(all[0].url, 'test'))?.release();
    for (const one of all) await one.release();
    expect(await pidFile()).toBe('');
  });

  it('starts again for one that comes while it is being stopped', async () => {
    const former = await start();
    const stopping = former.release();
    const next = await start();
    await stopping;
    const lock = await takeSessionLock(next.url, 'test');
    expect(lock).not.toBeNull();
    await lock?.release();
    await next.release();
    expect(await pidFile()).toBe('');
  });

  it('is not kept by the note of a process that is gone, or is another program now', async () => {
    const one = await start();
    await writeFile(join(folder, 'postgres.users', String(process.pid)), '');
    await writeFile(join(folder, 'postgres.users', '999999999'), '');
    await one.release();
    expect(await pidFile()).toBe('');
  });

  it('goes on for an older Broadside, which left no note', async () => {
    const older = await start();
    await rm(join(folder, 'postgres.users'), { recursive: true });
    const command = await start();
    await command.release();
    expect(isRunning(await serverPid())).toBe(true);
    await older.stop();
    expect(await pidFile()).toBe('');
  });
});

describe('the embedded Postgres where no shell can note who uses it', () => {
  const startAlone = () => startEmbeddedPostgres({ folder, port: 0, durable: true, hold: async () => null });

  it('is stopped by the one that started it, and by none that found it running', async () => {
    const starter = await startAlone();
    const pid = await serverPid();
    const finder = await startAlone();
    expect(finder.url).toBe(starter.url);
    await finder.release();
    expect(isRunning(pid)).toBe(true);
    await starter.release();
    expect(await pidFile()).toBe('');
    await expect.poll(() => isRunning(pid), patience).toBe(false);
  });
});

describe('a first start that was killed', () => {
  it('leaves nothing that the next one takes for a database', async () => {
    // As a killed one left it, and one of an older Broadside.
    await mkdir(join(folder, 'postgres.new.999999999', 'base'), { recursive: true });
    await writeFile(join(folder, 'postgres.new.999999999', 'PG_VERSION'), '18\n');
    await mkdir(join(folder, 'postgres', 'base'), { recursive: true });
    const server = await start();
    await (await takeSessionLock(server.url, 'test'))?.release();
    await server.release();
    expect((await readdir(folder)).toSorted()).toEqual(['postgres', 'postgres.password']);
  });

  it('has one winner where two begin at once', async () => {
    const [one, other] = await Promise.all([use(), use()]);
    expect(one.url).toBe(other.url);
    await serverPid();
    for (const user of [one, other]) killGroup(user);
  });
});
