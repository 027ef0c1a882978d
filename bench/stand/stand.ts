import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { steps } from '../../api/up/steps.ts';
import { freePorts } from '../../engine/adapters/postgres/free-port.ts';
import type { Step } from '../../engine/kit/command-line/steps.ts';
import { type BroadsideProcess, startBroadside } from '../../test/support/broadside-process.ts';
import { type PushServiceDouble, startPushService } from '../../test/support/push-service/start.ts';
import { createProgressLines } from '../progress-lines.ts';
import { runBroadside } from './cli.ts';
import { createHttp, type Http } from './http.ts';

/**
 * A whole Broadside in a process of its own, on the embedded defaults in a fresh folder, with an app, its
 * imported subscribers, and the push service double that issued their endpoints: the demo shows it and the
 * bench measures it.
 */
export interface Stand {
  readonly pushService: PushServiceDouble;
  /** The one that runs now. */
  readonly broadside: BroadsideProcess;
  readonly client: Http;
  /** Broadside's environment, to start it again. */
  readonly env: Readonly<Record<string, string>>;
  /** Of the embedded databases. */
  readonly dataFolder: string;
  readonly internalUrl: string;
  readonly reportingUrl: string;
  readonly appIdentifier: string;
  /** Runs a command of the command line on it. @returns its output. */
  cli(args: readonly string[], input?: Iterable<string>): Promise<string>;
  /** One more app, whose subscribers are those of the double from `first` on. @returns its identifier. */
  addApp(subscribers: number, first: number): Promise<string>;
  /** Ends Broadside and starts it on the same data with these settings on top of its own. */
  restart(env: Readonly<Record<string, string>>): Promise<void>;
  /** Stops everything it started and removes the folder. Safe to call in the middle of a start. */
  close(): Promise<void>;
}

export interface StandOptions {
  readonly subscribers: number;
  /** Which messages the double decrypts: all, none, or one in N. */
  readonly verify: 'all' | 'none' | number;
  /** Real Kafka brokers; null: the embedded log. */
  readonly kafkaBrokers: string | null;
  /** Further settings of Broadside, as environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** How late the double answers each message; 0 or left out: at once. */
  readonly latencyMs?: number;
  /** A double that runs already, and that the caller stops; absent: one of the stand's own. */
  readonly pushService?: PushServiceDouble;
  /** Distinct key pairs of the subscribers; the bench may share some, the demo makes each its own. */
  readonly keyPairs?: number;
  /** Further fields of a subscriber's line in the import, such as its country. */
  readonly describe?: (index: number) => Readonly<Record<string, unknown>>;
  /** Called when a part of Broadside begins to start, for people who wait. */
  readonly onPart?: (part: Step) => void;
  /** Called with the progress, for people who wait; what it throws ends an import that is under way. */
  readonly onStep: (text: string) => void;
}

/** It starts in a second or two. Slow machines take minutes; people see what it waits for. */
const START_TIMEOUT_MS = 1_800_000;

const abilities = 'apps:read,apps:write,subscriptions:read,deliveries:read,deliveries:write,analytics:read';

export async function startStand(options: StandOptions): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-'));
  // The embedded Postgres runs as another user where we are root, and must be able to reach its files.
  await chmod(folder, 0o755);
  const cleanups: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    return await build(options, folder, cleanups, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  options: StandOptions,
  folder: string,
  cleanups: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Stand> {
  const pushService = options.pushService ?? (await startDouble(options, folder, cleanups));
  options.onStep('starting Broadside');
  const [api = 0, internal = 0, reporting = 0] = await freePorts(3);
  const ports = { api, internal, reporting };
  const internalUrl = `http://127.0.0.1:${ports.internal}`;
  const dataFolder = join(folder, 'data');
  const env = settings(options, dataFolder, pushService.caFile, ports);
  const start = (more: Readonly<Record<string, string>>): Promise<BroadsideProcess> =>
    startBroadside({
      args: ['up'],
      env: { ...env, ...more },
      readyUrl: `${internalUrl}/health/ready`,
      startTimeoutMs: START_TIMEOUT_MS,
      onLine: (line) => {
        const part = Object.values(steps).find(({ what }) => line === `${what}…`);
        if (part !== undefined) options.onPart?.(part);
      },
    });
  let broadside = await start({});
  cleanups.push(() => broadside.stop());

  const cli: Stand['cli'] = (args, input) => runBroadside(args, env, input);

  options.onStep('creating the app');
  const client = createHttp(`http://127.0.0.1:${ports.api}/api/v1/client`, await createToken(cli));
  const addApp = createAddApp({ ...options, pushService, client, cli });
  const appIdentifier = await addApp(options.subscribers, 0);
  return {
    ...{ pushService, client, env, dataFolder, internalUrl, appIdentifier, cli, addApp, close },
    reportingUrl: `http://127.0.0.1:${ports.reporting}`,
    get broadside() {
      return broadside;
    },
    async restart(more) {
      await broadside.stop();
      broadside = await start(more);
    },
  };
}

interface AddAppDeps {
  readonly pushService: PushServiceDouble;
  readonly client: Http;
  readonly cli: Stand['cli'];
  readonly describe?: StandOptions['describe'];
  readonly onStep: (text: string) => void;
}

function createAddApp({ pushService, client, cli, describe, onStep }: AddAppDeps) {
  return async function addApp(subscribers: number, first: number): Promise<string> {
    const app = await client.post<{ data: { identifier: string } }>('/apps', {
      name: 'Daily Example',
      site_domain: 'https://news.example',
    });
    const { identifier } = app.data;
    onStep(`importing ${subscribers.toLocaleString('en')} subscribers with keys of their own`);
    const show = createProgressLines(onStep, 'imported', subscribers);
    const lines = counted(subscriberLines(pushService, first, subscribers, describe), show);
    await cli(['import', 'subscriptions', '--app', identifier, '--json', '--format', 'ndjson', '-'], lines);
    return identifier;
  };
}

async function startDouble(
  options: StandOptions,
  folder: string,
  cleanups: (() => Promise<unknown>)[],
): Promise<PushServiceDouble> {
  options.onStep('starting the push service double');
  const pushService = await startPushService({
    directory: join(folder, 'push-service'),
    verify: options.verify,
    ...(options.keyPairs === undefined ? {} : { keyPairs: options.keyPairs }),
  });
  cleanups.push(() => pushService.stop());
  const { latencyMs = 0 } = options;
  if (latencyMs > 0) await pushService.setFaults([{ action: { kind: 'latency', ms: latencyMs } }]);
  return pushService;
}

function settings(
  options: StandOptions,
  dataFolder: string,
  caFile: string,
  ports: { readonly api: number; readonly internal: number; readonly reporting: number },
): Record<string, string> {
  return {
    DATA_FOLDER: dataFolder,
    API_PORT: String(ports.api),
    INTERNAL_PORT: String(ports.internal),
    REPORTING_PORT: String(ports.reporting),
    PUSH_SERVICE_CA_FILE: caFile,
    ALLOW_ANY_PUSH_HOST: 'true',
    LOG_LEVEL: 'warn',
    // Waiting for a delivery polls often.
    CLIENT_RATE_PER_MINUTE: '10000',
    ...(options.kafkaBrokers === null ? {} : kafkaSettings(options.kafkaBrokers)),
    ...options.env,
  };
}

/** A prefix of its own, so that nothing of an earlier run on the same brokers is read. */
function kafkaSettings(brokers: string): Record<string, string> {
  return {
    LOG_BACKEND: 'kafka',
    KAFKA_BROKERS: brokers,
    KAFKA_TOPIC_PREFIX: `broadside-${randomBytes(6).toString('hex')}.`,
  };
}

async function createToken(cli: Stand['cli']): Promise<string> {
  const owner = ['--email', 'editor@news.example', '--organization', 'Daily Example', '--role', 'admin'];
  const args = ['token', 'create', ...owner, '--name', 'demo', '--abilities', abilities, '--json'];
  return (JSON.parse(await cli(args)) as { token: string }).token;
}

/** The lines are a few batches ahead of what is written. */
function* counted(lines: Iterable<string>, show: (done: number) => void): Generator<string> {
  let done = 0;
  for (const line of lines) {
    yield line;
    show(++done);
  }
}

function* subscriberLines(
  pushService: PushServiceDouble,
  first: number,
  count: number,
  describe: (index: number) => object = () => ({}),
): Generator<string> {
  for (let index = first; index < first + count; index++) {
    const { endpoint, p256dh, auth } = pushService.subscriber(index);
    const line = { endpoint, p256dh, auth, user_identity: `reader-${index}`, ...describe(index) };
    yield `${JSON.stringify(line)}\n`;
  }
}
