import type { AppId } from '../../engine/contract/ids.ts';
import { checkBooks } from '../crew/books.ts';
import { type EngineProcess, readPartTimes, type Servers } from '../crew/crew.ts';
import { startDeliveries, untilEnded } from '../crew/send-to.ts';
import { readDatabaseUs } from '../stand/database-time.ts';
import { pause } from '../stand/deliver.ts';
import { readCounter } from '../stand/metrics.ts';

export interface ReplicaServers extends Servers {
  readonly replicaFolders: readonly string[];
}

/** One delivery whose targets come from the primary or from its replicas. */
export interface Reading {
  readonly from: 'primary' | 'replicas';
  /** CPU µs a message, without what the same seconds cost with nothing to do. */
  readonly primaryUs: number;
  /** Of all replicas, which replay what the primary writes, whoever reads. */
  readonly replicasUs: number;
  readonly engineUs: number;
  /** Of the reads of a block's targets: how many a replica answered, 0 to 1. */
  readonly byReplicas: number;
}

interface Given {
  readonly from: Reading['from'];
  readonly app: { readonly id: AppId };
  readonly readers: number;
}

interface Times {
  readonly atMs: number;
  readonly primary: number;
  readonly replicas: number;
  readonly engine: number;
}

const SETTLE_MS = 2_000;
const IDLE_MS = 8_000;

export async function measureReading(
  servers: ReplicaServers,
  engines: readonly EngineProcess[],
  { from, app, readers }: Given,
): Promise<Reading> {
  const { database } = servers;
  const send = async () =>
    checkBooks(await untilEnded(database, await startDeliveries(database, [app])), readers);
  // Until then the engine's code is still being compiled.
  await send();
  await pause(SETTLE_MS);
  const idleFrom = await readTimes(servers, engines);
  await pause(IDLE_MS);
  const before = await readTimes(servers, engines);
  const [all, replica] = await readReads(engines);
  const messages = await send();
  await pause(SETTLE_MS);
  const after = await readTimes(servers, engines);
  const [allAfter, replicaAfter] = await readReads(engines);
  const share = (after.atMs - before.atMs) / (before.atMs - idleFrom.atMs);
  const us = (of: (times: Times) => number): number =>
    (of(after) - of(before) - (of(before) - of(idleFrom)) * share) / messages;
  return {
    from,
    primaryUs: us((times) => times.primary),
    replicasUs: us((times) => times.replicas),
    engineUs: us((times) => times.engine),
    byReplicas: from === 'primary' ? 0 : (replicaAfter - replica) / Math.max(1, allAfter - all),
  };
}

async function readTimes(servers: ReplicaServers, engines: readonly EngineProcess[]): Promise<Times> {
  const { engines: ofEngines, postgres } = await readPartTimes(servers, engines);
  const ofReplicas = await Promise.all(servers.replicaFolders.map(readDatabaseUs));
  return {
    atMs: performance.now(),
    primary: postgres,
    replicas: sum(ofReplicas.map((us) => us ?? 0)),
    engine: sum(ofEngines),
  };
}

/** All reads of targets so far, and those that a replica answered. */
async function readReads(engines: readonly EngineProcess[]): Promise<[number, number]> {
  const name = 'broadside_target_reads_total';
  const count = async (labels?: string) =>
    sum(await Promise.all(engines.map(({ internalUrl }) => readCounter(internalUrl, name, labels))));
  return [await count(), await count('source="replica"')];
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
