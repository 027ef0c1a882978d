import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { until } from '../../support/engine-harness.ts';
import { openDatabase } from '../../support/postgres.ts';
import { crashServer, startWithStandbys } from '../../support/standby-postgres.ts';

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
  const { primary: first, standbys, source } = await startWithStandbys(folder, [{}]);
  const [second] = standbys;
  if (second === undefined) throw new Error('there is no standby');
  const [primary, standby] = [openDatabase(first.url, 4), openDatabase(second.url, 2)];
  const isStreaming = async () =>
    (await primary.query(`SELECT FROM pg_stat_replication WHERE state = 'streaming'`)).length === 1;
  await until('the standby to follow', isStreaming);
  for (const [name, value] of [
    ['synchronous_commit', 'remote_apply'],
    ['synchronous_standby_names', '*'],
  ])
    await primary.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  await primary.query('SELECT pg_reload_conf()');
  return {
    url: first.url.replace(/@([^/]+)\//, `@$1,127.0.0.1:${new URL(second.url).port}/`),
    primary,
    standby,
    stream: async (on) => {
      await standby.query(`ALTER SYSTEM SET primary_conninfo = '${on ? source : ''}'`);
      await standby.query('SELECT pg_reload_conf()');
      await until('the stream', async () => (await isStreaming()) === on);
    },
    failOver: async () => {
      await crashServer(first);
      await standby.query('SELECT pg_promote()');
    },
    stop: async () => {
      await Promise.all([primary.close(), standby.close()]);
      await Promise.all([first, second].map(crashServer));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
