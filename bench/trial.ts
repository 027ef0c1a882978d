import { chmodSync, mkdtempSync } from 'node:fs';
import { createMemoryLog } from '../engine/adapters/memory/log.ts';
import { createMemoryStore } from '../engine/adapters/memory/store.ts';
import { createPgBossLog } from '../engine/adapters/pgboss/log.ts';
import { createDatabase } from '../engine/adapters/postgres/database.ts';
import { startEmbeddedPostgres } from '../engine/adapters/postgres/embedded.ts';
import { migrateDatabase } from '../engine/adapters/postgres/migrate.ts';
import { systemClock } from '../engine/contract/clock.ts';
import { startEngine } from '../engine/engine.ts';
import { buildApp, buildDelivery, readDelivery, testSealer } from '../test/support/builders.ts';
import { startPushService } from '../test/support/push-service/start.ts';
import { copyTextRow } from './copy-row.ts';

const N = Number(process.argv[2] ?? 100000);
const folder = mkdtempSync('/tmp/trial-');
chmodSync(folder, 0o755);
const pg = await startEmbeddedPostgres({ folder, port: 0, durable: true });
const database = createDatabase({
  url: pg.url,
  applicationName: 'x',
  maxConnections: 10,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 30000,
});
await migrateDatabase(pg.url, database);
const push = await startPushService({ verify: 50 });
const app = await buildApp(database);
const t0 = performance.now();
await database.copyTransaction(async (sql) => {
  function* rows() {
    for (let i = 0; i < N; i++) {
      const s = push.subscriber(i);
      yield Buffer.from(copyTextRow(app.id, i, s));
    }
  }
  await sql.copyIn('COPY subscriptions (app_id, seq, endpoint, p256dh, auth) FROM STDIN', rows());
});
console.log('made', N, (performance.now() - t0) / 1000, 's');
await database.query('ANALYZE subscriptions');
const log =
  process.env.LOG === 'memory'
    ? createMemoryLog({ store: createMemoryStore(), clock: systemClock })
    : await createPgBossLog({ url: pg.url });
const logger: any = { debug() {}, info: console.log, warn: console.log, error: console.log };
const metrics: any = new Proxy({}, { get: () => () => {} });
const config: any = {
  workerThreads: Number(process.env.W ?? 2),
  tasksPerThread: 2,
  blocksInFlight: Number(process.env.B ?? 4),
  connectionsPerOrigin: Number(process.env.C ?? 1),
  streamsPerConnection: 100,
  maxInFlight: Number(process.env.F ?? 256),
  connectTimeoutMs: 5000,
  answerTimeoutMs: 10000,
  deadSessionAfterTimeouts: 3,
  maxOrigins: 64,
  pushServiceCaFile: push.caFile,
  pushServiceHosts: [],
  allowAnyPushHost: true,
  shardBlocks: 8,
  releaseWindowShards: 16,
  leaseMs: 15000,
  schedulerIntervalMs: 500,
  maxAttempts: 8,
  retryBaseMs: 1000,
  retryMaxMs: 60000,
  vapidSubject: null,
};
const engine = await startEngine(config, {
  database,
  log,
  outcomeStore: { insertOutcomes: async () => ({ kind: 'inserted' }) } as any,
  sealer: testSealer,
  logger,
  metrics,
});
for (let round = 0; round < Number(process.env.R ?? 2); round++) {
  const id = await buildDelivery(database, app.id);
  await push.mark(String(round));
  const cpu0 = process.cpuUsage();
  const p0 = await push.cpuUs();
  const s0 = performance.now();
  await database.query(
    `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
    [id],
  );
  engine.wakeRelay();
  let d = await readDelivery(database, id);
  while (!['success', 'failed', 'partial'].includes(d.status)) {
    await new Promise((r) => setTimeout(r, 100));
    d = await readDelivery(database, id);
  }
  const cpu = process.cpuUsage(cpu0);
  const s = (performance.now() - s0) / 1000;
  console.log(
    d.status,
    d.success_count,
    d.failed_count,
    d.error_message,
    'cpu/msg',
    ((cpu.user + cpu.system) / N).toFixed(1),
    'user',
    (cpu.user / N).toFixed(1),
    'msg/s',
    (N / s).toFixed(0),
    'double',
    (((await push.cpuUs()) - p0) / N).toFixed(1),
    'rss',
    (process.memoryUsage().rss / 1e6).toFixed(0),
    JSON.stringify(await push.ledger()),
  );
}
await engine.close(5000);
await log.close(1000);
await database.close();
await push.stop();
await pg.stop();
