import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { type BroadsideProcess, startBroadside } from '../../test/support/broadside-process.ts';
import { type PushServiceDouble, startPushService } from '../../test/support/push-service/start.ts';
import { createHttp, type Http } from './http.ts';

/**
 * A whole Broadside in a process of its own, on the embedded defaults in a fresh folder, with an app, its
 * imported subscribers, and the push service double they are subscribed at: what the demo shows and the
 * bench measures.
 */
export interface Stand {
  readonly pushService: PushServiceDouble;
  readonly broadside: BroadsideProcess;
  readonly client: Http;
  /** What Broadside was started with, to start it again. */
  readonly env: Readonly<Record<string, string>>;
  /** Of the embedded databases. */
  readonly dataFolder: string;
  readonly internalUrl: string;
  readonly reportingUrl: string;
  readonly appIdentifier: string;
  /** Runs a command of the command line on it. @returns what it printed. */
  cli(args: readonly string[]): Promise<string>;
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
  readonly latencyMs?: number;
  /** Distinct key pairs of the subscribers; the bench may share some, the demo makes each its own. */
  readonly keyPairs?: number;
  /** Told what is going on, for people who wait. */
  readonly onStep: (text: string) => void;
}

const run = promisify(execFile);
const bin = fileURLToPath(new URL('../../api/bin.mjs', import.meta.url));
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
  options.onStep('starting the push service double');
  const pushService = await startDouble(options, folder);
  cleanups.push(() => pushService.stop());

  options.onStep('starting Broadside');
  const ports = { api: await freePort(), internal: await freePort(), reporting: await freePort() };
  const internalUrl = `http://127.0.0.1:${ports.internal}`;
  const dataFolder = join(folder, 'data');
  const env = settings(options, dataFolder, pushService.caFile, ports);
  const broadside = await startBroadside({ args: ['up'], env, readyUrl: `${internalUrl}/health/ready` });
  cleanups.push(() => broadside.stop());

  const cli = async (args: readonly string[]): Promise<string> =>
    (await run(process.execPath, [bin, ...args], { env: childEnv(env) })).stdout;

  options.onStep('creating the app');
  const token = await createToken(cli);
  const client = createHttp(`http://127.0.0.1:${ports.api}/api/v1/client`, token);
  const app = await client.post<{ data: { identifier: string } }>('/apps', {
    name: 'Daily Example',
    site_domain: 'https://news.example',
  });
  const appIdentifier = app.data.identifier;

  options.onStep(`making ${options.subscribers.toLocaleString('en')} subscribers with keys of their own`);
  const file = join(folder, 'subscribers.ndjson');
  await pipeline(Readable.from(subscriberLines(pushService, options.subscribers)), createWriteStream(file));
  options.onStep('importing them');
  await cli(['import', 'subscriptions', '--app', appIdentifier, '--json', file]);
  const reportingUrl = `http://127.0.0.1:${ports.reporting}`;
  const urls = { internalUrl, reportingUrl };
  return { pushService, broadside, client, env, dataFolder, ...urls, appIdentifier, cli, close };
}

function startDouble(options: StandOptions, folder: string): Promise<PushServiceDouble> {
  return startPushService({
    directory: join(folder, 'push-service'),
    verify: options.verify,
    ...(options.keyPairs === undefined ? {} : { keyPairs: options.keyPairs }),
  });
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
    // What waits for a delivery asks often.
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

function childEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...env };
}

async function createToken(cli: Stand['cli']): Promise<string> {
  const owner = ['--email', 'editor@news.example', '--organization', 'Daily Example', '--role', 'admin'];
  const args = ['token', 'create', ...owner, '--name', 'demo', '--abilities', abilities, '--json'];
  return (JSON.parse(await cli(args)) as { token: string }).token;
}

function* subscriberLines(pushService: PushServiceDouble, count: number): Generator<string> {
  for (let index = 0; index < count; index++) {
    const { endpoint, p256dh, auth } = pushService.subscriber(index);
    yield `${JSON.stringify({ endpoint, p256dh, auth, user_identity: `reader-${index}` })}\n`;
  }
}
