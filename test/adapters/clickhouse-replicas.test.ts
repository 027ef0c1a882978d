// tier: system
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { type ClickHouseHome, openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { checkCluster, onCluster } from '../../engine/adapters/clickhouse/cluster.ts';
import { insertOnce } from '../../engine/adapters/clickhouse/insert-once.ts';
import {
  listStatisticsMigrations,
  migrateClickHouse,
  readMigration,
} from '../../engine/adapters/clickhouse/migrate.ts';
import { type AnswerDropper, startAnswerDropper } from '../support/clickhouse-bridge/answer-dropper.ts';
import { type ClickHouseBridge, startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';

type ServerHome = Extract<ClickHouseHome, { kind: 'http' }>;
const homeAt = (url: string, more: Partial<ServerHome> = {}): ServerHome => ({
  ...{ kind: 'http', url, username: 'default', password: '', database: 'broadside' },
  ...{ requestTimeoutMs: 30_000, maxConnections: 4, ...more },
});

let bridge: ClickHouseBridge;
beforeAll(async () => {
  bridge = await startClickHouseBridge();
  const clickhouse = await openClickHouse(homeAt(bridge.url));
  await migrateClickHouse(clickhouse);
  await clickhouse.close();
});
afterAll(() => bridge.stop());

const rowsOf = async <Row>({ client }: ClickHouse, query: string): Promise<Row[]> =>
  (await client.query({ query, format: 'JSONEachRow' })).json<Row>();

describe('several addresses of ClickHouse', () => {
  const opened: { close(): Promise<unknown> }[] = [];
  afterAll(async () => {
    for (const each of opened.reverse()) await each.close();
  });
  const replicas = async (): Promise<[ClickHouse, AnswerDropper, AnswerDropper]> => {
    const [one, two] = [await startAnswerDropper(bridge.url), await startAnswerDropper(bridge.url)];
    const clickhouse = await openClickHouse(homeAt(`${one.url}, ${two.url}`));
    opened.push(one, two, clickhouse);
    return [clickhouse, one, two];
  };
  const insert = (delivery: number) => ({
    ...{ table: 'events', columns: 'app_id, delivery_id, subscriber, type, action, event_id, at', rows: 1 },
    ...{
      bytes: Buffer.from(`1\t${delivery}\t7\t2\t\te-${delivery}\t1767225600000\n`),
      format: 'TabSeparated' as const,
    },
  });
  const counted = async (clickhouse: ClickHouse, delivery: number) =>
    (
      await rowsOf<{ rows: number; clicks: number }>(
        clickhouse,
        `SELECT (SELECT toUInt32(count()) FROM events WHERE delivery_id = ${delivery}) AS rows,
           (SELECT toUInt32(count()) FROM clicks_by_subscriber WHERE delivery_id = ${delivery}) AS clicks`,
      )
    )[0];

  it('count an insert once whose answer was lost at the first, and that went to the second as well', async () => {
    const [clickhouse, one] = await replicas();
    // A connection is there already: the line is cut while the answer comes.
    expect(await clickhouse.ping()).toBe(true);
    one.dropNextAnswer();
    expect(await insertOnce(clickhouse, insert(1), 'batch-1')).toEqual({ kind: 'inserted', rows: 1 });
    expect(one.dropped()).toBe(1);
    expect(await counted(clickhouse, 1)).toEqual({ rows: 1, clicks: 1 });
  });

  it('answer reads, inserts and pings from the second where the first is away', async () => {
    const [clickhouse, one] = await replicas();
    await one.close();
    expect(await insertOnce(clickhouse, insert(2), 'batch-2')).toEqual({ kind: 'inserted', rows: 1 });
    expect(await counted(clickhouse, 2)).toEqual({ rows: 1, clicks: 1 });
    expect(await clickhouse.ping()).toBe(true);
  });

  it('repeat a read whose answer was lost, and no command that may have been carried out', async () => {
    const [clickhouse, one, two] = await replicas();
    expect(await clickhouse.ping()).toBe(true);
    one.dropNextAnswer();
    expect(await rowsOf(clickhouse, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    two.dropNextAnswer();
    const command = clickhouse.client.command({
      query: `INSERT INTO ad_idn_names SETTINGS async_insert = 0 SELECT 'xn--once.example'`,
    });
    await expect(command).rejects.toThrow();
    const found = await rowsOf(clickhouse, `SELECT name FROM ad_idn_names WHERE name = 'xn--once.example'`);
    expect(found).toHaveLength(1);
  });

  it('are each asked at most once, and then it is away', async () => {
    const [clickhouse, one, two] = await replicas();
    await one.close();
    await two.close();
    expect(await insertOnce(clickhouse, insert(3), 'batch-3')).toMatchObject({
      kind: 'away',
      store: 'ClickHouse',
    });
    expect(await clickhouse.ping()).toBe(false);
    await expect(rowsOf(clickhouse, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('get no second try where ClickHouse itself has answered', async () => {
    const [clickhouse] = await replicas();
    await expect(rowsOf(clickhouse, 'SELECT nonsense')).rejects.toThrow(/nonsense/);
  });
});

describe('ClickHouse behind TLS', () => {
  const attributes = [{ name: 'commonName', value: 'localhost' }];
  const make = () =>
    generate(attributes, {
      keyType: 'ec',
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      ],
    });
  let server: { cert: string; private: string };
  let client: { cert: string; private: string };
  let url: string;
  let headers: IncomingHttpHeaders;
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    [server, client] = [await make(), await make()];
    const tls = { cert: server.cert, key: server.private, ca: client.cert };
    const front = createServer(
      { ...tls, requestCert: true, rejectUnauthorized: true },
      (incoming, outgoing) => {
        headers = incoming.headers;
        const options = { method: incoming.method ?? 'GET', headers: incoming.headers };
        const upstream = request(`${bridge.url}${incoming.url}`, options, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        });
        incoming.pipe(upstream);
      },
    );
    front.listen(0, 'localhost');
    await once(front, 'listening');
    url = `https://localhost:${(front.address() as AddressInfo).port}`;
    stop = async () => {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
    };
  });
  afterAll(() => stop());
  const answers = async (more: Partial<ServerHome>): Promise<unknown> => {
    const clickhouse = await openClickHouse(homeAt(url, more));
    try {
      return await rowsOf(clickhouse, 'SELECT 1 AS one');
    } finally {
      await clickhouse.close();
    }
  };
  const certificate = () => ({ cert: client.cert, key: client.private });

  it('is trusted by the authority of the settings, and lets the client in by its certificate', async () => {
    expect(await answers({ ca: server.cert, certificate: certificate(), password: 'secret' })).toEqual([
      { one: 1 },
    ]);
    expect(headers.authorization).toMatch(/^Basic /);
    expect(headers).not.toHaveProperty('x-clickhouse-ssl-certificate-auth');
  });

  it('takes the certificate for the log-in where there is no password', async () => {
    expect(await answers({ ca: server.cert, certificate: certificate(), username: 'reports' })).toEqual([
      { one: 1 },
    ]);
    expect(headers).toMatchObject({
      'x-clickhouse-user': 'reports',
      'x-clickhouse-ssl-certificate-auth': 'on',
    });
    expect(headers).not.toHaveProperty('authorization');
  });

  it('is not spoken to where another authority signed it, nor without the certificate that it wants', async () => {
    await expect(answers({ ca: client.cert, certificate: certificate() })).rejects.toThrow(
      /self-signed|unable to verify/i,
    );
    await expect(answers({ ca: server.cert })).rejects.toThrow();
  });
});

describe('a cluster of replicas', () => {
  it('gets every definition of every migration on all of them, with the replicated engines', async () => {
    const clickhouse = await openClickHouse(homeAt(bridge.url));
    let definitions = 0;
    for (const name of await listStatisticsMigrations()) {
      for (const statement of await readMigration(name)) {
        const there = onCluster(statement, 'news');
        expect(onCluster(statement, undefined)).toBe(statement);
        if (statement.startsWith('INSERT')) {
          expect(there).toBe(statement);
          continue;
        }
        definitions++;
        expect(there).toMatch(/^(CREATE|ALTER|DROP) [A-Z ]+ \w+ ON CLUSTER 'news'/);
        if (/ENGINE = \w*MergeTree/.test(statement))
          expect(there).toMatch(
            /ENGINE = Replicated\w*MergeTree\('\/clickhouse\/tables\/\{uuid\}\/\{shard\}', '\{replica\}'/,
          );
        // ClickHouse's own parser: none of the servers here has a Keeper that could carry it out.
        await rowsOf(
          clickhouse,
          `SELECT formatQuery('${there.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}') AS text`,
        );
      }
    }
    expect(definitions).toBeGreaterThan(25);
    await clickhouse.close();
  });

  it('keeps what an engine was given', () => {
    const given = (engine: string) =>
      onCluster(`CREATE TABLE IF NOT EXISTS t (a UInt8) ENGINE = ${engine} ORDER BY a`, 'c');
    const place = `'/clickhouse/tables/{uuid}/{shard}', '{replica}'`;
    expect(given('SummingMergeTree((a, b))')).toContain(`ReplicatedSummingMergeTree(${place}, (a, b)) ORDER`);
    expect(given('ReplacingMergeTree(version)')).toContain(
      `ReplicatedReplacingMergeTree(${place}, version) ORDER`,
    );
    expect(given('MergeTree')).toContain(`ReplicatedMergeTree(${place}) ORDER`);
    expect(given('Null')).toContain('ENGINE = Null ORDER');
  });

  it('is refused where ClickHouse does not know it', async () => {
    const clickhouse = await openClickHouse(homeAt(bridge.url, { cluster: 'nowhere' }));
    await expect(checkCluster(clickhouse)).rejects.toThrow('ClickHouse knows no cluster "nowhere"');
    await clickhouse.close();
  });

  it('remembers the names of inserts for as long as the log may give them again, as every table does', async () => {
    const clickhouse = await openClickHouse(homeAt(bridge.url));
    const tables = await rowsOf<{ name: string; text: string }>(
      clickhouse,
      `SELECT name, create_table_query AS text FROM system.tables
       WHERE database = 'broadside' AND engine LIKE '%MergeTree' AND name != 'schema_migrations'`,
    );
    expect(tables.length).toBeGreaterThan(8);
    for (const { name, text } of tables) {
      expect(text, name).toContain('non_replicated_deduplication_window = 50000');
      expect(text, name).toMatch(/[ ,]replicated_deduplication_window = 50000/);
      expect(text, name).toContain('replicated_deduplication_window_seconds = 691200');
    }
    await clickhouse.close();
  });
});
