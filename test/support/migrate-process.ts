import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';

/** A process that migrates the server of its argument, waiting for a line on stdin so that several begin at once. */
const [url = '', database = ''] = process.argv.slice(2);
const clickhouse = await openClickHouse({
  kind: 'http',
  ...{ url, database, username: 'default', password: '' },
  requestTimeoutMs: 30_000,
  maxConnections: 2,
});
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
await migrateClickHouse(clickhouse);
await clickhouse.close();
process.exit(0);
