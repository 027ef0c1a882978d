import { execFile } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../engine/adapters/postgres/embedded.ts';
import { isAlive } from '../chaos/runner/is-alive.ts';
import { until } from './engine-harness.ts';

/** A server in a folder of its own. */
export interface Server {
  readonly folder: string;
  readonly url: string;
}

/**
 * A primary and its streaming replicas. A cold copy is a base backup, and pg_basebackup is not among the binaries.
 * @param root a folder that the servers' account can reach.
 * @param settings of each replica, such as `recovery_min_apply_delay`; as many replicas as there are.
 */
export async function startWithStandbys(
  root: string,
  settings: readonly Readonly<Record<string, string>>[],
): Promise<{ readonly primary: Server; readonly standbys: readonly Server[]; readonly source: string }> {
  const folder = join(root, 'first');
  const begun = await startEmbeddedPostgres({ folder, port: 0, durable: true });
  const { port, password } = new URL(begun.url);
  await begun.stop();
  const folders = settings.map((_, index) => join(root, `standby-${index}`));
  for (const copy of folders) await promisify(execFile)('cp', ['-a', folder, copy]);
  await startEmbeddedPostgres({ folder, port: Number(port), durable: true });
  const source = `host=127.0.0.1 port=${port} user=broadside password=${password}`;
  const standbys: Server[] = [];
  for (const [index, copy] of folders.entries()) {
    const lines = Object.entries({ ...settings[index], primary_conninfo: source });
    const text = lines.map(([name, value]) => `${name} = '${value}'\n`).join('');
    await appendFile(join(copy, 'postgres', 'postgresql.auto.conf'), text);
    await writeFile(join(copy, 'postgres', 'standby.signal'), '');
    const { url } = await startEmbeddedPostgres({ folder: copy, port: 0, durable: true });
    standbys.push({ folder: copy, url });
  }
  return { primary: { folder, url: begun.url }, standbys, source };
}

/** Dies as in a power cut; nothing where it does not run. */
export async function crashServer({ folder }: Pick<Server, 'folder'>): Promise<void> {
  const file = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  if (!(pid > 1) || !isAlive(pid)) return;
  process.kill(pid, 'SIGQUIT');
  await until('it to be gone', async () => !isAlive(pid));
}
