import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { classArchive } from './kafka/class-archive.ts';
import { kafkaLibraries } from './kafka/libraries.ts';
import { type Properties, serverProperties } from './kafka/properties.ts';

/** It takes 2 s; a machine with a dozen test runs on it takes its time. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 10_000;
/** The first broker writes an archive of its classes as it ends: cut short on a busy machine, it would help no other. */
const ARCHIVE_TIMEOUT_MS = 120_000;
/** What a failed start may quote from the broker's own log. */
const MAX_LOG_LINES = 40;

export interface KafkaBroker {
  /** `host:port`, the same after every restart. */
  readonly address: string;
  /** Of the process that runs now. */
  pid(): number;
  /** SIGKILL, as a crash of the machine's process would: nothing is flushed or said to anyone. */
  kill(): Promise<void>;
  /** SIGSTOP: its connections stay, and nothing answers, until it is killed. */
  freeze(): void;
  /** SIGTERM: it closes its files and its clients' connections. */
  terminate(): Promise<void>;
  /** From now on every write of the running broker fails, as on a disk that is full; `restart` makes room. Linux. */
  fillDisk(): Promise<void>;
  /** Starts it again on the same port and data; resolves when it serves. */
  restart(): Promise<void>;
  /** Stops it permanently and removes its data. Safe to call twice. */
  stop(): Promise<void>;
}

export interface KafkaBrokerOptions {
  readonly port?: number;
  readonly advertisedPort?: number;
  readonly folder?: string;
  /** Lines of its configuration, over those of every broker of a test. */
  readonly properties?: Properties;
  /** Users of SCRAM that exist from the first start. */
  readonly scramUsers?: readonly ScramUser[];
  /** Arguments of its Java. */
  readonly javaArguments?: readonly string[];
  /** Of several brokers of one cluster: the same for all of them. */
  readonly clusterId?: string;
  readonly controllerPort?: number;
}

export interface ScramUser {
  readonly mechanism: 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
  readonly name: string;
  readonly password: string;
}

/**
 * Starts Apache Kafka 4.1 as one KRaft node on loopback, with its data in a temporary folder. Up in about 1.5 s, the
 * first time in 3.
 * @param options.port 0 or absent: a free one.
 * @param options.advertisedPort the port that clients connect to, for a proxy in front; by default its own.
 * @param options.folder holds its data, and is the caller's to remove; by default a temporary one.
 * @throws Error with the end of the broker's log when it does not come up.
 */
export async function startKafkaBroker(options: KafkaBrokerOptions = {}): Promise<KafkaBroker> {
  const libraries = await kafkaLibraries();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'broadside-kafka-')));
  const port = options.port || (await freePort());
  const properties = join(folder, 'server.properties');
  const { advertisedPort = port, controllerPort = await freePort() } = options;
  const settings = { port, advertisedPort, controllerPort, folder, more: options.properties ?? {} };
  await writeFile(properties, serverProperties(settings));
  const archive = await classArchive(libraries);
  await formatStorage([...archive.ready, ...javaArguments(libraries)], properties, options);
  const java = [...archive.arguments, ...javaArguments(libraries), ...(options.javaArguments ?? [])];
  let process_ = await launch(java, properties);
  return {
    address: `127.0.0.1:${port}`,
    pid: () => process_.pid ?? 0,
    kill: () => end(process_, 'SIGKILL'),
    freeze: () => void process_.kill('SIGSTOP'),
    terminate: () => end(process_, 'SIGTERM'),
    // A file-size limit instead of a small disk: that would need the right to mount one. The broker meets an
    // IOException at its next append either way, and closes its only log folder, which ends it.
    fillDisk: async () => {
      await promisify(execFile)('prlimit', ['--pid', String(process_.pid), '--fsize=1']);
    },
    restart: async () => {
      await end(process_, 'SIGKILL');
      process_ = await launch(java, properties);
    },
    stop: async () => {
      await end(process_, 'SIGTERM', archive.isWritten ? ARCHIVE_TIMEOUT_MS : STOP_TIMEOUT_MS);
      // A killed one may have written half of it.
      if (process_.signalCode === null) await archive.publish();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

export const newClusterId = (): string => randomBytes(16).toString('base64url');

async function formatStorage(
  java: readonly string[],
  properties: string,
  { clusterId = newClusterId(), scramUsers = [] }: KafkaBrokerOptions,
): Promise<void> {
  await promisify(execFile)('java', [
    ...java,
    'kafka.tools.StorageTool',
    'format',
    // With `=`: an identifier may begin with a dash.
    ...[`--cluster-id=${clusterId}`, `--config=${properties}`],
    ...scramUsers.map(
      ({ mechanism, name, password }) => `--add-scram=${mechanism}=[name=${name},password=${password}]`,
    ),
  ]);
}

async function launch(java: readonly string[], properties: string): Promise<ChildProcess> {
  const broker = spawn('java', [...java, 'kafka.Kafka', properties], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // A test process that ends early must not leave a broker behind.
  const killWithUs = () => broker.kill('SIGKILL');
  process.once('exit', killWithUs);
  broker.once('exit', () => process.removeListener('exit', killWithUs));
  await untilStarted(broker);
  return broker;
}

function untilStarted(broker: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const said: string[] = [];
  const fail = (why: string) => {
    broker.kill('SIGKILL');
    reject(new Error(`the Kafka broker ${why}:\n${said.join('\n')}`));
  };
  const timer = setTimeout(() => fail(`did not start in ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
  broker.once('exit', (code) => fail(`ended with code ${code}`));
  if (broker.stderr === null) throw new Error('the broker was started without its log');
  createInterface({ input: broker.stderr }).on('line', (line) => {
    said.push(line);
    if (said.length > MAX_LOG_LINES) said.shift();
    if (line.includes('Kafka Server started')) resolve();
  });
  return promise.finally(() => clearTimeout(timer));
}

/** Kills only the process that was started here, by its id, and waits until it is gone. */
async function end(
  broker: ChildProcess,
  signal: 'SIGTERM' | 'SIGKILL',
  timeoutMs = STOP_TIMEOUT_MS,
): Promise<void> {
  if (broker.exitCode !== null || broker.signalCode !== null) return;
  const gone = once(broker, 'exit');
  broker.kill(signal);
  const insist = setTimeout(() => broker.kill('SIGKILL'), timeoutMs);
  await gone;
  clearTimeout(insist);
}

/** One compiler tier and the serial collector: a broker for tests shares two cores with the tests. */
export function javaArguments(libraries: string): string[] {
  const log = '-Dorg.slf4j.simpleLogger.';
  return [
    ...['-Xmx320m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'],
    ...[`${log}defaultLogLevel=error`, `${log}log.kafka.server.KafkaRaftServer=info`],
    ...['-cp', join(libraries, '*')],
  ];
}
