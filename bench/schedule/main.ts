import { randomUUID } from 'node:crypto';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { counted } from '../../engine/contract/counted.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { startBroadside } from '../../test/support/broadside-process.ts';
import { buildApp, buildDelivery } from '../../test/support/builders.ts';
import { type PushServiceDouble, startPushService } from '../../test/support/push-service/start.ts';
import { insertBrowsers } from '../../test/support/real-sender.ts';
import { percentile } from '../median.ts';
import { startDatabases } from '../stand/databases.ts';

export interface ScheduleBenchOptions {
  /** Processes. */
  readonly engines: number;
  readonly deliveries: number;
  /** Over which their times are spread evenly. */
  readonly seconds: number;
  readonly kafkaBrokers: string | null;
  readonly json: boolean;
}

const SUBSCRIBERS = 20;
/** Until the first of them is due. */
const AHEAD_MS = 3_000;
const PATIENCE_MS = 60_000;
const PROMISED_MS = 2_000;

interface Lag {
  readonly planned_ms: number;
  readonly sent_ms: number;
}

/**
 * How late scheduled deliveries are: from `scheduled_at` until they are planned, and until their last message was
 * answered, by Postgres' clock.
 * @returns the exit code: 1 where one was not sent exactly once.
 */
export async function runScheduleBench(options: ScheduleBenchOptions): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const say = options.json ? () => {} : (text: string) => console.error(`  ${text}`);
  say('starting Postgres, ClickHouse and the push service double');
  const { database, environment } = await startDatabases(opened);
  const pushService = await startPushService({ verify: 'all' });
  opened.defer(() => pushService.stop());
  const appId = await makeApp(database, pushService);
  say(`starting ${counted(options.engines, 'engine')}`);
  const env = { ...environment, ...settingsOf(options, pushService) };
  const engines = await Promise.all(Array.from({ length: options.engines }, () => startEngine(env)));
  for (const engine of engines) opened.defer(() => engine.stop().then(() => {}));
  say(`scheduling ${options.deliveries} deliveries over ${options.seconds} s`);
  await schedule(database, appId, options);
  const lags = await untilSent(database, options.deliveries);
  const { received } = await pushService.ledger();
  const expected = options.deliveries * SUBSCRIBERS;
  if (lags === null || received !== expected) {
    console.error(`not sent exactly once: ${received} messages arrived instead of ${expected}`);
    return 1;
  }
  print(lags, options);
  return 0;
}

async function makeApp(database: Database, pushService: PushServiceDouble): Promise<AppId> {
  const app = await buildApp(database);
  const browsers = Array.from({ length: SUBSCRIBERS }, (_, index) =>
    pushService.subscriber(index, app.vapidPublicKey),
  );
  await insertBrowsers(database, app.id, 1, browsers);
  return app.id;
}

function settingsOf(
  { kafkaBrokers }: ScheduleBenchOptions,
  pushService: PushServiceDouble,
): Record<string, string> {
  return {
    PUSH_SERVICE_CA_FILE: pushService.caFile,
    ALLOW_ANY_PUSH_HOST: 'true',
    WORKER_THREADS: '1',
    LOG_LEVEL: 'warn',
    ...(kafkaBrokers === null
      ? {}
      : {
          LOG_BACKEND: 'kafka',
          KAFKA_BROKERS: kafkaBrokers,
          KAFKA_TOPIC_PREFIX: `broadside-schedule-${Date.now()}.`,
        }),
  };
}

async function startEngine(env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const readyUrl = `http://127.0.0.1:${port}/health/ready`;
  return startBroadside({
    args: ['engine'],
    env: { ...env, INTERNAL_PORT: String(port), INTERNAL_SECRET: randomUUID() },
    readyUrl,
  });
}

async function schedule(database: Database, appId: AppId, options: ScheduleBenchOptions): Promise<void> {
  const first = Date.now() + AHEAD_MS;
  const stepMs = (options.seconds * 1_000) / options.deliveries;
  for (let at = 0; at < options.deliveries; at++) {
    const scheduledAt = new Date(first + at * stepMs);
    await buildDelivery(database, appId, { status: 'scheduled', scheduledAt });
  }
}

/** Null: some were not sent to everyone, or not at the first attempt, or not in time to wait for. */
async function untilSent(database: Database, deliveries: number): Promise<Lag[] | null> {
  const endsAt = performance.now() + PATIENCE_MS;
  while (performance.now() < endsAt) {
    const lags = await database.query<Lag>(
      `SELECT extract(epoch FROM started_at - scheduled_at)::float8 * 1000 AS planned_ms,
         extract(epoch FROM completed_at - scheduled_at)::float8 * 1000 AS sent_ms
       FROM deliveries WHERE status = 'success' AND success_count = $1
         AND (SELECT sum(attempts) FROM shards WHERE delivery_id = deliveries.id) = 1`,
      [SUBSCRIBERS],
    );
    if (lags.length === deliveries) return lags;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return null;
}

function print(lags: readonly Lag[], { engines, deliveries, json }: ScheduleBenchOptions): void {
  const at = (field: keyof Lag, share: number): number =>
    Math.round(
      percentile(
        lags.map((lag) => lag[field]),
        share,
      ),
    );
  const row = {
    engines,
    deliveries,
    planned_p50_ms: at('planned_ms', 0.5),
    planned_max_ms: at('planned_ms', 1),
    sent_p50_ms: at('sent_ms', 0.5),
    sent_p95_ms: at('sent_ms', 0.95),
    sent_max_ms: at('sent_ms', 1),
    within_2_s: lags.filter((lag) => lag.sent_ms <= PROMISED_MS).length,
  };
  if (json) console.log(JSON.stringify(row));
  else console.table([row]);
}
