import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { type BroadsideProcess, startBroadside } from '../../test/support/broadside-process.ts';
import { buildApp } from '../../test/support/builders.ts';
import { startDatabases } from '../stand/databases.ts';
import { type LoadPlan, type LoadResult, loadFile } from './load.ts';

export interface SubscribeBenchOptions {
  /** Subscribes a second over all API processes; 0: as fast as they go. */
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** API processes. */
  readonly processes: number;
  /** Keep-alive connections to each of them. */
  readonly connections: number;
  readonly onStep: (text: string) => void;
}

export interface SubscribeBenchResult extends LoadResult {
  readonly perSecond: number;
  /** User and system time of all API processes; null where there is no /proc to read it from. */
  readonly apiCpuMsPerSubscribe: number | null;
  /** Rows and counts of the app afterwards: they must be equal, or the API lost or doubled some. */
  readonly rows: number;
  readonly counted: number;
}

const SITE_DOMAIN = 'https://news.example';
const WARM_UP = { seconds: 2, ratePerSecond: 200 };

/**
 * New browsers of ONE app subscribing at several API processes: the hard case, as every insert of an app
 * takes the next `seq` from the app's row. Embedded Postgres, durable, in a fresh folder; API processes as
 * `broadside api` starts them; the load from a process of its own. Everything is stopped and removed again.
 */
export async function benchSubscribe(options: SubscribeBenchOptions): Promise<SubscribeBenchResult> {
  await using opened = new AsyncDisposableStack();
  options.onStep('starting Postgres and ClickHouse');
  const { database, environment } = await startDatabases(opened);
  const app = await buildApp(database);
  options.onStep(`starting ${options.processes} API processes`);
  const apis = await Promise.all(
    Array.from({ length: options.processes }, () => startApiProcess(environment)),
  );
  for (const { process_ } of apis) opened.defer(() => process_.stop().then(() => {}));
  const plan: LoadPlan = {
    origins: apis.map(({ url }) => url),
    app: app.identifier,
    siteDomain: SITE_DOMAIN,
    ...options,
  };
  options.onStep('warming up');
  await load({ ...plan, ...WARM_UP });
  options.onStep(`subscribing for ${options.seconds} s`);
  const pids = apis.map(({ process_ }) => process_.pid);
  const before = await cpuMs(pids);
  const result = await load(plan);
  const after = await cpuMs(pids);
  return {
    ...result,
    perSecond: result.answered / result.seconds,
    apiCpuMsPerSubscribe: before === null || after === null ? null : (after - before) / result.answered,
    ...(await booksOf(database, app.id)),
  };
}

/** One line for people. */
export function describeSubscribeBench(result: SubscribeBenchResult): string {
  const { perSecond, p50Ms, p99Ms, apiCpuMsPerSubscribe, errors, rows, counted } = result;
  const cpu = apiCpuMsPerSubscribe === null ? 'unknown' : `${apiCpuMsPerSubscribe.toFixed(2)} ms`;
  const wrong = Object.entries(errors).map(([kind, count]) => `${count} × ${kind}`);
  return [
    `${perSecond.toFixed(0)} subscribes/s`,
    `p50 ${p50Ms.toFixed(1)} ms`,
    `p99 ${p99Ms.toFixed(1)} ms`,
    `API CPU ${cpu} each`,
    `errors: ${wrong.length === 0 ? 'none' : wrong.join(', ')}`,
    `${rows} rows, ${counted} counted`,
  ].join(' · ');
}

export async function startApiProcess(
  environment: Readonly<Record<string, string>>,
): Promise<{ process_: BroadsideProcess; url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...environment,
    API_PORT: String(port),
    // Any free one: another API may run on this machine.
    API_INTERNAL_PORT: '0',
    LOG_LEVEL: 'warn',
    // All of the load comes from one address.
    PUBLIC_RATE_PER_MINUTE: '1000000000',
  };
  const readyUrl = `${url}/internal/health/ready`;
  return { process_: await startBroadside({ args: ['api'], env, readyUrl }), url };
}

async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(loadFile, [JSON.stringify(plan)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the load generator ended without a result');
  });
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [LoadResult];
  await ended.catch(() => {});
  return result;
}

/** Fields 14 and 15 of /proc/<pid>/stat (proc_pid_stat(5)), in ticks of 10 ms. */
async function cpuMs(pids: readonly number[]): Promise<number | null> {
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)));
  let ticks = 0;
  for (const stat of stats) {
    if (stat === null) return null;
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    ticks += Number(user) + Number(system);
  }
  return ticks * 10;
}

async function booksOf(database: Database, appId: number): Promise<{ rows: number; counted: number }> {
  const [books] = await database.query<{ rows: number; counted: number }>(
    `SELECT (SELECT count(*) FROM subscriptions WHERE app_id = $1) AS rows, active_subscriber_count AS counted
     FROM apps WHERE id = $1`,
    [appId],
  );
  return books ?? { rows: 0, counted: 0 };
}
