import { resolve } from 'node:path';
import { kafkaOptions } from '../../../engine/adapters/kafka/from-settings.ts';
import { readQueueState } from '../../../engine/adapters/pgboss/queue-state.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { openServerClock } from '../../../engine/adapters/postgres/server-clock.ts';
import type { Environment } from '../../../engine/contract/settings/settings.ts';
import {
  logSettings,
  sharedSettings,
  vapidSettings,
} from '../../../engine/contract/settings/shared-settings.ts';
import { checkCertificate } from './certificate.ts';
import { clickHouseAway, judgeClickHouse } from './clickhouse.ts';
import { judgeClock } from './clock.ts';
import { checkFolder, judgeDisk } from './disk.ts';
import { type Check, type Found, ok, problem, skipped, warning } from './finding.ts';
import { judgeCluster, judgeQueue, kafkaAway } from './log.ts';
import type { DoctorParts } from './parts.ts';
import { checkPostgres, postgresAway } from './postgres.ts';
import { checkProcess } from './process.ts';
import { checkProviders } from './providers.ts';
import { checkPushServices, hostsToAsk } from './push-services.ts';
import { checkReplicas } from './replicas.ts';
import { checkReportWire } from './report-wire.ts';
import { checkStatistics, keysOf, settingsOf } from './surroundings.ts';
import { checkKeys, checkSubjects } from './vapid.ts';

/** Of each check, all at once: what a whole run takes at most, except for the start of Node. */
const DEADLINE_MS = 10_000;
/** Of Kafka: below the deadline, so that its own words for what is wrong are heard. */
const KAFKA_MS = 5_000;

/** The database, or why it could not be opened. */
export type Opened = { readonly database: Database } | { readonly error: unknown };

export interface Scene {
  readonly environment: Environment;
  readonly dataFolder: string;
  /** Opened beside the other checks: an embedded one takes seconds. */
  readonly opened: Promise<Opened>;
  /** Null: the embedded one. */
  readonly databaseUrl: string | null;
  readonly parts: DoctorParts;
  /** Of each check; left out: 10 s. */
  readonly deadlineMs?: number;
}

/** Everything that is checked, beside the settings. */
export function checksOf(scene: Scene): Check[] {
  const { environment, dataFolder, parts, deadlineMs = DEADLINE_MS } = scene;
  const facts = parts.readFacts(environment);
  const postgres = askPostgres(scene);
  const statistics = checkStatistics(environment, dataFolder, parts);
  const { pushServiceHosts } = sharedSettings;
  const hosts = settingsOf({ pushServiceHosts }, environment)?.pushServiceHosts ?? [];
  const check = (area: Check['area'], work: Check['run']): Check => ({
    area,
    deadlineMs,
    run: work,
  });
  return [
    check('process', async () => [await checkProcess(facts)]),
    check('postgres', async () => {
      const { database, found } = await postgres;
      const replicas = database && checkReplicas(facts.databaseReadUrls, environment, database);
      return (await Promise.all([found(), replicas ?? []])).flat();
    }),
    check('clickhouse', async () => {
      const looked = await statistics;
      if (looked.kind === 'state') return judgeClickHouse(looked.state, looked.where);
      return looked.kind === 'away' ? [clickHouseAway(looked.error)] : [skipped(looked.why, looked.mend)];
    }),
    check('log', async () => checkLog(environment, (await postgres).database)),
    check('clock', async () => {
      const [asked, looked, nowMs] = await Promise.all([postgres, statistics, Date.now()]);
      const first = await clockOf(asked.database);
      if (looked.kind !== 'state' || !looked.isServer) return [first];
      // Read some time after this machine's clock was: as coarse as the judgement.
      return [first, judgeClock('ClickHouse', looked.state.nowMs - nowMs)];
    }),
    check('disk', async () => {
      const looked = await statistics;
      const disk = looked.kind === 'state' && looked.isServer ? looked.state.disk : null;
      const clickhouse = disk === null ? [] : [judgeDisk('ClickHouse’s fullest disk', disk, clickHouseFull)];
      return [...(await checkFolders(environment, dataFolder, facts)), ...clickhouse];
    }),
    check('encryption', async () => [await encryptionOf(parts, environment)]),
    check('push services', () => checkPushServices(hostsToAsk(hosts), facts.pushServiceCaFile)),
    check('providers', async () => {
      const { database } = await postgres;
      return checkProviders(environment, database, await keysOf(environment));
    }),
    check('certificate', async () => [
      await checkCertificate(facts.publicBaseUrl),
      ...(await checkReportWire(facts)),
    ]),
    check('vapid', async () => {
      const { database } = await postgres;
      if (database === null) return [unasked];
      const subject = settingsOf(vapidSettings, environment)?.vapidSubject ?? null;
      return [await checkSubjects(database, subject), await checkKeys(database, await keysOf(environment))];
    }),
  ];
}

const unasked = skipped('Postgres does not answer');
const clickHouseFull = 'Shorten RAW_ROWS_DAYS, or add a disk.';

interface Asked {
  /** Null where it does not answer. */
  readonly database: Database | null;
  readonly found: () => Promise<Found[]>;
}

/** Asked once, so that what needs Postgres does not repeat that it is unavailable. */
async function askPostgres({ opened: opening, databaseUrl }: Scene): Promise<Asked> {
  const opened = await opening;
  if ('error' in opened) return away(opened.error);
  const { database } = opened;
  const found = () => checkPostgres(database, databaseUrl);
  return database.query('SELECT 1').then(() => ({ database, found }), away);
}

const away = (error: unknown): Asked => ({ database: null, found: async () => [postgresAway(error)] });

async function checkLog(environment: Environment, database: Database | null): Promise<Found[]> {
  const settings = settingsOf(logSettings, environment);
  if (settings === null) return [skipped('its settings are wrong', 'Fix the settings first.')];
  if (settings.logBackend === 'pgboss')
    return database === null ? [unasked] : judgeQueue(await readQueueState(database));
  const { readClusterState } = await import('../../../engine/adapters/kafka/cluster-state.ts');
  try {
    const options = { ...kafkaOptions(settings, () => undefined), connectTimeoutMs: KAFKA_MS };
    return judgeCluster(await readClusterState(options));
  } catch (error) {
    return [kafkaAway(error)];
  }
}

async function clockOf(database: Database | null): Promise<Found> {
  if (database === null) return unasked;
  return judgeClock('Postgres', (await openServerClock(database)).aheadMs());
}

async function checkFolders(
  environment: Environment,
  dataFolder: string,
  { jobsFolder }: ReturnType<DoctorParts['readFacts']>,
): Promise<Found[]> {
  const move = 'Lower REPORT_JOBS_MB, or move REPORT_JOBS_FOLDER.';
  const jobs = jobsFolder === null ? [] : [await checkFolder('results of report jobs', jobsFolder, move)];
  if (environment.DATABASE_URL || environment.DATABASE_URL_FILE)
    return [
      ...jobs,
      skipped(
        'the disk of the Postgres server cannot be checked from here',
        'Monitor it on its own machine.',
      ),
    ];
  const mend = 'Free some space, or move DATA_FOLDER: a full disk stops Postgres.';
  return [await checkFolder('data folder', resolve(dataFolder), mend), ...jobs];
}

async function encryptionOf({ tryEncryption }: DoctorParts, environment: Environment): Promise<Found> {
  try {
    const { name, warning: said, advice } = await tryEncryption(environment);
    const text = `messages are encrypted by ${name}; its self-test passed`;
    if (said === null) return { ...ok(text), mend: advice };
    return warning(
      said,
      advice ?? 'Install what it names, or set ENCRYPTION_BACKEND to what this machine has.',
    );
  } catch (error) {
    return problem((error as Error).message, 'Run it on the Node that "npm ci" installs.');
  }
}
