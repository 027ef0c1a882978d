// tier: system
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/engine-harness.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { BLOCKS_IN_FLIGHT, SERVER_SUBSCRIBERS, type Servers, startServers } from '../support/servers.ts';

describeKafka(
  'engines over Postgres, Kafka and ClickHouse that are backed up in the middle of a delivery',
  () => {
    let from: TestDatabase;
    let to: TestDatabase;
    let servers: Servers;
    let folder: string;

    beforeAll(async () => {
      [from, to] = await Promise.all([createTestDatabase(), createTestDatabase()]);
      servers = await startServers(from.database, from.url);
      folder = await mkdtemp(join(tmpdir(), 'broadside-backups-'));
    });
    afterAll(async () => {
      await servers?.[Symbol.asyncDispose]();
      await from?.drop();
      await to?.drop();
      await rm(folder, { recursive: true, force: true });
    });

    it('go on on other servers with books that agree, and lose nobody', async ({ onTestFailed }) => {
      const { pushService } = servers;
      const accepted = async (): Promise<number> => (await pushService.ledger()).accepted;
      await pushService.setFaults([{ action: { kind: 'latency', ms: 2_000 } }]);
      const lost = await servers.startEngine();
      onTestFailed(() => console.error(lost.output()));
      const id = await servers.send();
      await until('a tenth', async () => (await accepted()) > SERVER_SUBSCRIBERS / 10);
      const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
        runCli(args, { cwd: folder, env: { ...servers.environment, ...env } });
      const taken = await run(['backup', join(folder, 'taken'), '--json']);
      expect(taken.code, taken.err).toBe(0);
      const said: { what: string }[] = JSON.parse(taken.out).left_out;
      expect(said.map(({ what }) => what)).toEqual(
        expect.arrayContaining(['the topics of Kafka', 'MASTER_KEY']),
      );
      await lost.kill();
      const acceptedAtDeath = await accepted();
      expect(acceptedAtDeath).toBeLessThan(SERVER_SUBSCRIBERS);

      const elsewhere = { DATABASE_URL: to.url, CLICKHOUSE_DATABASE: 'restored' };
      const refused = await run(['restore', join(folder, 'taken')], elsewhere);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("wait on Kafka's")]);
      const ofItsOwn = { ...elsewhere, KAFKA_TOPIC_PREFIX: 'restored.' };
      const filled = await run(['restore', join(folder, 'taken')], ofItsOwn);
      expect([filled.code, filled.err]).toEqual([1, expect.stringContaining('the database is not empty')]);
      const restored = await run(['restore', join(folder, 'taken'), '--overwrite', '--json'], ofItsOwn);
      expect(restored.code, restored.err + restored.out).toBe(0);
      const { differences, unfinished } = JSON.parse(restored.out);
      expect([differences, unfinished]).toEqual([[], [expect.objectContaining({ delivery: id })]]);

      await pushService.setFaults([]);
      await servers.startEngine(ofItsOwn);
      const books = await servers.readBooks(id, { database: to.database, statistics: 'restored' });
      expect(books).toMatchObject({
        delivery: { status: 'success', success_count: SERVER_SUBSCRIBERS, failed_count: 0 },
        recorded: { acceptedSubscribers: SERVER_SUBSCRIBERS, attempts: { accepted: SERVER_SUBSCRIBERS } },
        ledger: { distinct: SERVER_SUBSCRIBERS },
      });
      // What was sent after the moment of the backup, and what was in flight when the engine died.
      const again = acceptedAtDeath - unfinished[0].accepted + BLOCKS_IN_FLIGHT * 1_024;
      expect(books.ledger.duplicates).toBeLessThanOrEqual(again);
    }, 480_000);
  },
);
