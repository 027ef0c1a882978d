import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { startEmbeddedPostgres } from '../../../engine/adapters/postgres/embedded.ts';
import { until } from '../../support/engine-harness.ts';
import { openDatabase } from '../../support/postgres.ts';
import { isAlive } from './is-alive.ts';

/** A primary and its standby, each commit on both before it is acknowledged. */
export interface PostgresPair {
  /** With both hosts, as DATABASE_URL has them. */
  readonly url: string;
  readonly primary: Database;
  readonly standby: Database;
  /** Ends the stream to the standby, or lets it go on. */
  stream(on: boolean): Promise<void>;
  /** The primary dies as in a power cut, and the standby takes its place. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-pair-'));
  // They run as another user where we are root, and must be able to reach their files.
  await chmod(folder, 0o755);
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const begun = await startEmbeddedPostgres({ folder: first, port: 0, durable: true });
  const port = Number(new URL(begun.url).port);
  await begun.stop();
  // With its port and password: a cold copy is a base backup, and pg_basebackup is not among the binaries.
  await promisify(execFile)('cp', ['-a', first, second]);
  await startEmbeddedPostgres({ folder: first, port, durable: true });
  const { password } = new URL(begun.url);
  const source = `host=127.0.0.1 port=${port} user=broadside password=${password}`;
  await appendFile(join(second, 'postgres', 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(join(second, 'postgres', 'standby.signal'), '');
  const follower = await startEmbeddedPostgres({ folder: second, port: 0, durable: true });
  const [primary, standby] = [openDatabase(begun.url, 4), openDatabase(follower.url, 2)];
  const isStreaming = async () =>
    (await primary.query(`SELECT FROM pg_stat_replication WHERE state = 'streaming'`)).length === 1;
  await until('the standby to follow', isStreaming);
  for (const [name, value] of [
    ['synchronous_commit', 'remote_apply'],
    ['synchronous_standby_names', '*'],
  ])
    await primary.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  await primary.query('SELECT pg_reload_conf()');
  const pidOf = async (data: string): Promise<number> =>
    Number((await readFile(join(data, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  const crash = async (data: string): Promise<void> => {
    const pid = await pidOf(data);
    if (!(pid > 1) || !isAlive(pid)) return;
    process.kill(pid, 'SIGQUIT');
    await until('it to be gone', async () => !isAlive(pid));
  };
  return {
    url: begun.url.replace(/@([^/]+)\//, `@$1,127.0.0.1:${new URL(follower.url).port}/`),
    primary,
    standby,
    stream: async (on) => {
      await standby.query(`ALTER SYSTEM SET primary_conninfo = '${on ? source : ''}'`);
      await standby.query('SELECT pg_reload_conf()');
      await until('the stream', async () => (await isStreaming()) === on);
    },
    failOver: async () => {
      await crash(first);
      await standby.query('SELECT pg_promote()');
    },
    stop: async () => {
      await Promise.all([primary.close(), standby.close()]);
      await Promise.all([crash(first), crash(second)]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
