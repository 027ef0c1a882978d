import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../engine/adapters/postgres/free-port.ts';
import { testMasterKey } from '../../support/builders.ts';
import { composeEnvironment } from '../../support/compose-environment.ts';
import { proxyTo, type TcpProxy } from '../../support/tcp-proxy.ts';
import { createKeeper, type Keeper } from './keeper.ts';
import type { LogName } from './log-name.ts';

/** Blocks in flight that one engine may have: the window of duplicates is counted in these. */
export const BLOCKS_IN_FLIGHT = 2;
export const LEASE_MS = 3_000;
/** After which Postgres drops a vanished client: the keepalive settings of `connection.ts` together. */
const KEEPALIVE_MS = 25_000;

/** Broadside's processes: an API, two engines that always run, and one that comes and goes. */
export interface Crew {
  readonly api: Keeper;
  readonly engines: readonly [Keeper, Keeper];
  readonly guest: Keeper;
  readonly all: readonly Keeper[];
  /** The client API. */
  readonly apiUrl: string;
  /** The address for browsers. */
  readonly publicUrl: string;
  /** What an engine's own clock shows, as a difference to the machine's. */
  setClockOffset(engine: Keeper, ms: number): Promise<void>;
  /** Its worker threads end at once, with everything in flight. */
  killThreads(engine: Keeper): Promise<void>;
  /** Whether lines of the blocks that engines send throw (`preload/lines-throw.ts`). */
  setLinesThrow(throws: boolean): Promise<void>;
  /** As a machine that loses its power: SIGKILL, and Postgres hears nothing of it. */
  vanish(keeper: Keeper): Promise<void>;
  /** SIGKILL to all. */
  kill(): Promise<void>;
}

export interface CrewOptions {
  readonly log: LogName;
  readonly preload: string | null;
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  readonly kafkaBrokers: string | null;
  readonly kafkaPrefix: string;
  readonly pushServiceCaFile: string;
}

const preloadOf = (name: string): string => fileURLToPath(new URL(`./preload/${name}.ts`, import.meta.url));
const apiPreloads = [preloadOf('push-hosts'), preloadOf('own-feeds')];
const enginePreloads = [
  ...apiPreloads,
  preloadOf('clock-offset'),
  preloadOf('thread-death'),
  preloadOf('lines-throw'),
];

export async function createCrew(options: CrewOptions): Promise<Crew> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-chaos-'));
  const clockFile = (name: string): string => join(folder, `${name}.offset`);
  const deathFile = (name: string): string => join(folder, `${name}.death`);
  const throwsFile = join(folder, 'lines-throw');
  let deaths = 0;

  const ways = new Map<string, TcpProxy>();
  /** A way to Postgres for each process, so that it can vanish alone. */
  const databaseOf = async (name: string): Promise<{ DATABASE_URL: string }> => {
    const { way, url } = await proxyTo(options.databaseUrl);
    ways.set(name, way);
    return { DATABASE_URL: url };
  };

  const engine = async (name: string): Promise<Keeper> => {
    const port = await freePort();
    await Promise.all([clockFile(name), deathFile(name)].map((file) => writeFile(file, '0')));
    const env = { ...environment('engine', options), ...engineSettings, INTERNAL_PORT: String(port) };
    return createKeeper(name, {
      args: ['engine'],
      env: {
        ...env,
        ...(await databaseOf(name)),
        ...preloads(enginePreloads, options.preload),
        CHAOS_CLOCK_FILE: clockFile(name),
        CHAOS_DEATH_FILE: deathFile(name),
        CHAOS_THROWS_FILE: throwsFile,
      },
      readyUrl: `http://127.0.0.1:${port}/health/ready`,
    });
  };

  const apiPort = await freePort();
  const api = createKeeper('api', {
    args: ['api'],
    env: {
      ...environment('api', options),
      ...(await databaseOf('api')),
      ...preloads(apiPreloads, options.preload),
      // Each stranger has an address of their own.
      TRUSTED_PROXIES: '127.0.0.1',
      API_HOST: '127.0.0.1',
      API_PORT: String(apiPort),
      API_INTERNAL_PORT: '0',
      CLIENT_RATE_PER_MINUTE: '5000',
    },
    readyUrl: `http://127.0.0.1:${apiPort}/internal/health/ready`,
  });
  const engines = [await engine('engine-1'), await engine('engine-2')] as const;
  const guest = await engine('guest');
  const all = [api, ...engines, guest];
  return {
    ...{ api, engines, guest, all },
    apiUrl: `http://127.0.0.1:${apiPort}/api/v1/client`,
    publicUrl: `http://127.0.0.1:${apiPort}/api/v1/public`,
    setClockOffset: ({ name }, ms) => writeFile(clockFile(name), String(ms)),
    killThreads: ({ name }) => writeFile(deathFile(name), String(++deaths)),
    setLinesThrow: (throws) => (throws ? writeFile(throwsFile, '') : rm(throwsFile, { force: true })),
    vanish: async (keeper) => {
      ways.get(keeper.name)?.vanish(KEEPALIVE_MS);
      await keeper.kill();
    },
    kill: async () => {
      await Promise.all(all.map((keeper) => keeper.kill()));
      await Promise.all([...ways.values()].map((way) => way.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Small shards, a small window and a short lease: whenever something dies, something is in its hands. */
const engineSettings = {
  INTERNAL_HOST: '127.0.0.1',
  WORKER_THREADS: '1',
  MAX_IN_FLIGHT: '64',
  SHARD_BLOCKS: '1',
  RELEASE_WINDOW_SHARDS: '4',
  BLOCKS_IN_FLIGHT: String(BLOCKS_IN_FLIGHT),
  LEASE_MS: String(LEASE_MS),
  ANSWER_TIMEOUT_MS: '2000',
  CONNECT_TIMEOUT_MS: '2000',
  // No target fails because of faults of half a minute.
  MAX_ATTEMPTS: '60',
  RETRY_BASE_MS: '200',
  RETRY_MAX_MS: '2000',
  DRAIN_DEADLINE_MS: '5000',
};

/** The environment that docker-compose.yml gives a role, at the addresses of this run's servers. */
function environment(role: 'api' | 'engine', options: CrewOptions): Record<string, string> {
  return {
    ...composeEnvironment(role),
    DATABASE_URL: options.databaseUrl,
    MASTER_KEY: testMasterKey.toString('base64'),
    LOG_BACKEND: options.log,
    KAFKA_BROKERS: options.kafkaBrokers ?? '',
    KAFKA_TOPIC_PREFIX: options.kafkaPrefix,
    CLICKHOUSE_URL: options.clickhouseUrl,
    CLICKHOUSE_USER: 'default',
    CLICKHOUSE_PASSWORD: '',
    PUSH_SERVICE_CA_FILE: options.pushServiceCaFile,
    ALLOW_ANY_PUSH_HOST: 'true',
    LOG_LEVEL: 'warn',
  };
}

function preloads(modules: readonly string[], broken: string | null): { NODE_OPTIONS: string } {
  const all = broken === null ? modules : [...modules, broken];
  return { NODE_OPTIONS: all.map((module) => `--import=${module}`).join(' ') };
}
