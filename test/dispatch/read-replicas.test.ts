// tier: core
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createBlockStore } from '../../engine/adapters/postgres/dispatch/block-store.ts';
import {
  createReplicaReads,
  type ReplicaReads,
  type ReplicaState,
} from '../../engine/adapters/postgres/dispatch/read-replicas.ts';
import { startEmbeddedPostgres } from '../../engine/adapters/postgres/embedded.ts';
import { migrateDatabase } from '../../engine/adapters/postgres/migrate.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { buildApp, buildDelivery, buildSubscriptions, readDelivery } from '../support/builders.ts';
import {
  createFakeSender,
  createLogStore,
  type EngineHarness,
  startEngineHarness,
  until,
} from '../support/engine-harness.ts';
import { openDatabase } from '../support/postgres.ts';
import { crashServer, type Server, startWithStandbys } from '../support/standby-postgres.ts';

const BLOCKS = 24;
const SUBSCRIBERS = BLOCKS * 4;
/** Of reads and changes in turn. */
const ROUNDS = 80;
/** Of a replica that replays each commit a minute late. */
const LATE = { recovery_min_apply_delay: '60s' };

describe('targets, over a primary and its replicas', async () => {
  let engines: EngineHarness[] = [];
  let opened: ReplicaReads[] = [];

  const root = await mkdtemp(join(tmpdir(), 'broadside-replicas-'));
  await chmod(root, 0o755);
  const servers = await startWithStandbys(root, [{}, {}, LATE, {}]);
  const primary = { ...servers.primary, database: openDatabase(servers.primary.url, 10) };
  const standbys = servers.standbys.map((each) => ({ ...each, database: openDatabase(each.url, 4) }));
  await migrateDatabase(primary.url, primary.database);
  afterEach(async () => {
    await Promise.all(engines.map((each) => each.close(500)));
    await Promise.all(opened.map((reads) => reads.close()));
    [engines, opened] = [[], []];
  });
  afterAll(async () => {
    await Promise.all([primary, ...standbys].map(({ database }) => database.close()));
    await Promise.all([primary, ...standbys].map(crashServer));
    await rm(root, { recursive: true, force: true });
  });

  interface Watched {
    readonly reads: ReplicaReads;
    readonly counts: Record<'primary' | 'replica', number>;
    readonly states: [string, ReplicaState['kind']][];
  }

  /** Reads by these replicas, by their number. */
  function watch(numbers: readonly number[], of = primary.database, path?: string): Watched {
    const counts = { primary: 0, replica: 0 };
    const states: Watched['states'] = [];
    const reads = createReplicaReads({
      primary: of,
      // Connections of their own: closed with the reads.
      replicas: numbers.map((number) => ({
        name: `${number}`,
        database: openDatabase(new URL(path ?? '', standbys[number]?.url).href, 4),
      })),
      nowMs: () => performance.now(),
      noteState: (name, { kind }) => states.push([name, kind]),
      count: (source) => {
        counts[source] += 1;
      },
    });
    opened.push(reads);
    return { reads, counts, states };
  }

  /** One that has read lately holds replicas to a moment that is past, as an engine at work does. */
  async function watchAtWork(numbers: readonly number[]): Promise<Watched> {
    const watched = watch(numbers);
    await until('a replica to answer', async () => (await readOne(watched.reads)) !== null);
    watched.counts.primary = 0;
    watched.counts.replica = 0;
    watched.states.length = 0;
    return watched;
  }

  const readOne = (reads: ReplicaReads) => reads.copyOut('0/1', 'COPY (SELECT 1) TO STDOUT', 100);

  /** A delivery to everyone, each block of which takes a moment. */
  async function send(watched: Watched, beforePlan: (appId: AppId) => Promise<void> = async () => {}) {
    const app = await buildApp(primary.database);
    await buildSubscriptions(primary.database, app.id, SUBSCRIBERS, 256);
    await beforePlan(app.id);
    const sender = createFakeSender(() => 'accepted');
    const slow = {
      ...sender,
      sendBlock: async (...given: Parameters<typeof sender.sendBlock>) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return sender.sendBlock(...given);
      },
    };
    const { database } = primary;
    const options = { database, logStore: createLogStore(), sender: slow, replicas: watched.reads };
    const engine = await startEngineHarness(options);
    engines.push(engine);
    const id = await buildDelivery(database, app.id);
    await database.query(
      `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [id],
    );
    await until(
      'the delivery to complete',
      async () => (await readDelivery(database, id)).status === 'success',
      120_000,
    );
    expect(await readDelivery(database, id)).toMatchObject({
      failed_count: 0,
      success_count: sender.sent.size,
    });
    expect([...sender.sent.values()].every((times) => times === 1)).toBe(true);
    await engine.close(500);
    return sender.sent.size;
  }

  it('are read from replicas that are up to date, from each of them', async () => {
    const watched = await watchAtWork([0, 1]);
    expect(await send(watched)).toBe(SUBSCRIBERS);
    expect(watched.counts.replica).toBeGreaterThan(BLOCKS / 3);
    expect(watched.counts.replica + watched.counts.primary).toBe(BLOCKS);
    const answered = new Set(watched.states.filter(([, kind]) => kind === 'reads').map(([name]) => name));
    // Each has answered, or has never stopped doing so.
    expect(
      [...answered, ...['0', '1'].filter((name) => !watched.states.some(([who]) => who === name))].length,
    ).toBe(2);
  });

  it('are read from the primary where a replica lags a minute: whoever subscribed just now is reached', async () => {
    const late = watch([2]);
    const reached = await send(late, (appId) => buildSubscriptions(primary.database, appId, 2, 256));
    expect(reached).toBe(SUBSCRIBERS + 2);
    expect(late.counts).toEqual({ primary: BLOCKS + 1, replica: 0 });
    expect(late.states).toContainEqual(['2', 'behind']);
  });

  it('come from the other one where a replica lags', async () => {
    const watched = await watchAtWork([2, 0]);
    expect(await send(watched)).toBe(SUBSCRIBERS);
    expect(watched.counts.replica).toBeGreaterThan(BLOCKS / 3);
    expect(watched.states.filter(([name, kind]) => name === '2' && kind === 'reads')).toEqual([]);
  });

  it('hold everything that was committed until the moment that they name', async () => {
    const [standby] = standbys;
    const watched = await watchAtWork([0]);
    const app = await buildApp(primary.database, { subscribers: 8 });
    const blocks = createBlockStore(primary.database, watched.reads);
    const changed: { readonly seq: number; readonly atMs: number; readonly endpoint: string }[] = [];
    let fromReplica = 0;
    for (let round = 0; round < ROUNDS; round++) {
      // A pause leaves the replica behind for a while, as a long statement on it does.
      if (round === 10) await standby?.database.query('SELECT pg_wal_replay_pause()');
      if (round === 60) await standby?.database.query('SELECT pg_wal_replay_resume()');
      const endpoint = `https://push.example/moved-${round}`;
      const [row] = await primary.database.query<{ seq: number; at: number }>(
        `UPDATE subscriptions SET endpoint = $2, last_seen_at = now() WHERE app_id = $1 AND seq = $3
         RETURNING seq, (extract(epoch FROM now()) * 1000)::float8 AS at`,
        [app.id, endpoint, round % 8],
      );
      changed.push({ seq: row?.seq ?? -1, atMs: row?.at ?? 0, endpoint });
      const { rows, asOfMs } = await blocks.readTargets(app.id, 0, { planPosition: '0/1' });
      const text = Buffer.from(rows).toString('latin1');
      const asOf = asOfMs ?? Number.POSITIVE_INFINITY;
      if (asOfMs !== null) fromReplica += 1;
      for (let seq = 0; seq < 8; seq++) {
        const ofSeq = changed.filter((each) => each.seq === seq);
        const known = ofSeq.findLastIndex((each) => each.atMs <= asOf);
        if (known === -1) continue;
        // That one, or a later one.
        expect(ofSeq.slice(known).some((each) => text.includes(each.endpoint))).toBe(true);
      }
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    expect(fromReplica).toBeGreaterThan(5);
    expect(fromReplica).toBeLessThan(ROUNDS);
  });

  it('are not read from a replica of another primary, or another database, however far its log is', async () => {
    const other = await startEmbeddedPostgres({ folder: join(root, 'other'), port: 0, durable: true });
    onTestFinished(() => other.stop());
    const ours = openDatabase(other.url, 1);
    onTestFinished(() => ours.close());
    const [replica] = await primary.database.query<{ ahead: boolean }>(
      `SELECT pg_current_wal_insert_lsn() > $1::pg_lsn AS ahead`,
      [(await ours.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn'))[0]?.lsn],
    );
    expect(replica?.ahead).toBe(true);
    const strangers = watch([0], ours);
    expect(await readOne(strangers.reads)).toBe(null);
    expect(strangers.states).toEqual([['0', 'behind']]);

    await primary.database.query('CREATE DATABASE beside');
    const beside = watch([0], primary.database, '/beside');
    await watchAtWork([0]);
    expect(await readOne(beside.reads)).toBe(null);
    expect(beside.states).toContainEqual(['0', 'behind']);
    expect(beside.states.some(([, kind]) => kind === 'reads')).toBe(false);
  });

  it('are not read from a replica that has replayed everything and follows nobody any more', async () => {
    const watched = await watchAtWork([3]);
    const { database } = standbys[3] as (typeof standbys)[number];
    await database.query(`ALTER SYSTEM SET primary_conninfo = ''`);
    await database.query('SELECT pg_reload_conf()');
    await until(
      'it to receive nothing',
      async () => (await database.query('SELECT FROM pg_stat_wal_receiver')).length === 0,
    );
    expect(await readOne(watched.reads)).toBe(null);
    expect(watched.states).toEqual([['3', 'behind']]);
  });

  it('are not read from a replica that became a primary', async () => {
    await standbys[3]?.database.query('SELECT pg_promote()');
    const alone = watch([3]);
    expect(await readOne(alone.reads)).toBe(null);
    expect(alone.states).toEqual([['3', 'behind']]);
  });

  it('are read from the other one, and then from the primary, as replicas die', async () => {
    const watched = await watchAtWork([0, 1]);
    await crashServer(standbys[1] as Server);
    expect(await send(watched)).toBe(SUBSCRIBERS);
    expect(watched.states).toContainEqual(['1', 'failed']);
    expect(watched.counts.replica).toBeGreaterThan(0);
    await crashServer(standbys[0] as Server);
    const { replica } = watched.counts;
    expect(await send(watched)).toBe(SUBSCRIBERS);
    expect(watched.counts.replica).toBe(replica);
  });
});
