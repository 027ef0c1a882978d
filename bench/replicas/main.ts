import { crashServer, startWithStandbys } from '../../test/support/standby-postgres.ts';
import { createSay } from '../command-options.ts';
import { startEngines, startServers, withoutSending } from '../crew/crew.ts';
import { makeApp } from '../crew/readers.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { makeServerFolder, openBenchDatabase, type StartPostgres } from '../stand/databases.ts';
import { measureReading, type Reading, type ReplicaServers } from './measure.ts';
import { replicasReport } from './report.ts';

export interface ReplicasOptions {
  readonly replicas: number;
  readonly subscribers: number;
  readonly rounds: number;
  readonly output: Output;
}

/** Each is a server of its own on this machine. */
const MOST_REPLICAS = 4;

/** @returns the exit code. @throws Error where the books of a delivery differ, or where it was interrupted. */
export async function runReplicas(options: ReplicasOptions): Promise<number> {
  const { replicas, subscribers, rounds, output } = options;
  if (replicas > MOST_REPLICAS) throw new Error(`--replicas takes a number up to ${MOST_REPLICAS}`);
  await using opened = new AsyncDisposableStack();
  const say = createSay(output);
  say('starting Postgres with its replicas, ClickHouse and Kafka');
  const { primary, standbys } = await startPostgresServers(opened, replicas);
  const startPrimary: StartPostgres = async () => ({
    database: await openBenchDatabase(opened, primary.url),
    ...primary,
  });
  const servers: ReplicaServers = {
    ...(await startServers(opened, startPrimary)),
    replicaFolders: standbys.map(({ folder }) => folder),
  };
  const app = await makeApp(servers.database, subscribers, (made) =>
    say(`${made.toLocaleString('en')} readers`),
  );
  await servers.database.query('ANALYZE');
  const urls = standbys.map(({ url }) => url).join(',');
  const measured: Reading[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const from of ['primary', 'replicas'] as const) {
      say(`round ${round} of ${rounds}, targets from the ${from}`);
      await using engine = new AsyncDisposableStack();
      const settings = from === 'primary' ? {} : { DATABASE_READ_URLS: urls };
      const engines = await startEngines(engine, servers, 1, { ...withoutSending, ...settings });
      measured.push(await measureReading(servers, engines, { from, app, readers: subscribers }));
    }
  }
  await showReport(replicasReport(measured), output);
  return 0;
}

async function startPostgresServers(opened: AsyncDisposableStack, replicas: number) {
  const root = await makeServerFolder(opened);
  const servers = await startWithStandbys(
    root,
    Array.from({ length: replicas }, () => ({})),
  );
  opened.defer(async () => {
    await Promise.all([servers.primary, ...servers.standbys].map(crashServer));
  });
  return servers;
}
