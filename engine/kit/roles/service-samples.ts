import { statfs } from 'node:fs/promises';
import type { ClickHouse } from '../../adapters/clickhouse/clickhouse.ts';
import { readDiskSpace } from '../../adapters/clickhouse/disk-space.ts';
import type { Database, DatabaseLoad } from '../../adapters/postgres/database.ts';
import type { Dependency, Disk } from '../../adapters/telemetry/service-entries.ts';
import type { DiskSpace, ServiceMetrics } from '../../adapters/telemetry/service-metrics.ts';
import { resultOr } from '../../contract/concurrency/time-limit.ts';
import type { Values } from '../../contract/settings/settings.ts';
import type { logSettings } from '../../contract/settings/shared-settings.ts';
import { createOwnCertificate, endOfCertificate } from './certificate-ends.ts';
import { createReadiness } from './readiness.ts';

export interface ServiceParts {
  readonly database: Pick<Database, 'ping' | 'load'>;
  /** Further connections to the same Postgres. */
  readonly otherPools?: readonly Pick<Database, 'load'>[];
  readonly clickhouse: ClickHouse;
  /** False while it is not open yet. */
  readonly pingLog: () => Promise<boolean>;
  /** Folders that this process writes to. */
  readonly folders?: Readonly<Partial<Record<Disk, string>>>;
  /** How browsers reach the API; null or left out: this process does not say. */
  readonly publicBaseUrl?: string | null;
  readonly config: Pick<Values<typeof logSettings>, 'logBackend' | 'kafkaSslCertificate'>;
}

/** Below the second that a sample may take, or a server that is silent would leave out the others. */
const ANSWER_MS = 800;

/** What every role shows of the world around it, read when metrics are requested. */
export function sampleService(metrics: ServiceMetrics, parts: ServiceParts): void {
  const { database, clickhouse, pingLog, folders = {}, publicBaseUrl = null } = parts;
  const checks: Record<Dependency, () => Promise<boolean>> = {
    postgres: () => database.ping(),
    clickhouse: () => clickhouse.ping(),
    log: pingLog,
  };
  const readiness = createReadiness(checks, ANSWER_MS);
  metrics.sampleDependencies(async () =>
    Object.fromEntries(Object.entries(await readiness()).map(([name, answers]) => [name, Number(answers)])),
  );
  const pools = [database, ...(parts.otherPools ?? [])];
  metrics.sampleConnections(async () => {
    const loads = pools.map((pool) => pool.load());
    const sum = (state: keyof DatabaseLoad): number => loads.reduce((all, load) => all + load[state], 0);
    return { busy: sum('busy'), idle: sum('idle'), waiting: sum('waiting') };
  });
  const reads = [
    ...Object.entries(folders).map(([disk, folder]) => [disk, () => readFolder(folder)] as const),
    ['clickhouse', () => readDiskSpace(clickhouse)] as const,
  ];
  metrics.sampleDisks(async () => Object.fromEntries((await Promise.all(reads.map(readOne))).flat()));
  const ownCertificate = createOwnCertificate(publicBaseUrl);
  const { logBackend, kafkaSslCertificate } = parts.config;
  const isShown = logBackend === 'kafka' && kafkaSslCertificate !== null;
  const kafka = isShown ? endOfCertificate(kafkaSslCertificate) : null;
  metrics.sampleCertificates(async () => {
    const own = ownCertificate();
    return { ...(own === null ? {} : { public: own }), ...(kafka === null ? {} : { kafka }) };
  });
}

type Read = readonly [disk: string, read: () => Promise<DiskSpace | null>];

/** None where the disk cannot be read now: the others are shown all the same. */
async function readOne([disk, read]: Read): Promise<[string, DiskSpace][]> {
  const space = await resultOr(null, ANSWER_MS, read);
  return space === null ? [] : [[disk, space]];
}

async function readFolder(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}
