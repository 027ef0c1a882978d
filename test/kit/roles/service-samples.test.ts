// tier: system, clickhouse
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { createMetrics } from '../../../engine/adapters/telemetry/metrics.ts';
import { type ServiceParts, sampleService } from '../../../engine/kit/roles/service-samples.ts';
import { openTestClickHouse } from '../../support/test-clickhouse.ts';

const DAY_S = 86_400;
const pool = { load: () => ({ busy: 2, idle: 1, waiting: 0 }) };
const noKafka = { logBackend: 'pgboss', kafkaSslCertificate: null } as const;

/** `name{labels}` → value. */
async function scrape(given: Partial<ServiceParts>, clickhouse: ClickHouse) {
  const metrics = createMetrics();
  const answers = async (): Promise<boolean> => true;
  sampleService(metrics.service, {
    ...{ database: { ...pool, ping: answers }, clickhouse, pingLog: answers, config: noKafka },
    ...given,
  });
  return async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await metrics.exposition()).body
        .split('\n')
        .filter((line) => line.startsWith('broadside_'))
        .map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]),
    );
}

describe('what a role shows of the world around it', () => {
  let clickhouse: ClickHouse;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-samples-'));
    clickhouse = await openTestClickHouse();
  });
  afterAll(async () => {
    await clickhouse.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('says which server is unavailable, silent ones among them', async () => {
    const read = await scrape(
      {
        database: { ...pool, ping: () => new Promise<boolean>(() => {}) },
        pingLog: () => Promise.reject(new Error('away')),
      },
      clickhouse,
    );
    expect(await read()).toMatchObject({
      'broadside_dependency_up{dependency="postgres"}': 0,
      'broadside_dependency_up{dependency="clickhouse"}': 1,
      'broadside_dependency_up{dependency="log"}': 0,
    });
  });

  it('adds up its connections to Postgres, and who waits for one', async () => {
    const otherPools = [{ load: () => ({ busy: 4, idle: 0, waiting: 9 }) }];
    expect(await (await scrape({ otherPools }, clickhouse))()).toMatchObject({
      'broadside_postgres_connections{state="busy"}': 6,
      'broadside_postgres_connections{state="idle"}': 1,
      'broadside_postgres_connections{state="waiting"}': 9,
    });
  });

  it('measures its folders and the disk of ClickHouse, and leaves out what is not there', async () => {
    const folders = { 'data-folder': folder, reports: join(folder, 'missing') };
    const found = await (await scrape({ folders }, clickhouse))();
    for (const disk of ['data-folder', 'clickhouse']) {
      const free = found[`broadside_disk_free_bytes{disk="${disk}"}`] ?? 0;
      const size = found[`broadside_disk_size_bytes{disk="${disk}"}`] ?? 0;
      expect(free, disk).toBeGreaterThan(0);
      expect(size, disk).toBeGreaterThanOrEqual(free);
    }
    expect(found).not.toHaveProperty(['broadside_disk_free_bytes{disk="reports"}']);
  });

  it('knows when certificates end: that of its own address, and that for Kafka', async () => {
    const endOf = async (days: number) => {
      const notAfterDate = new Date(Date.now() + days * DAY_S * 1_000);
      return generate([{ name: 'commonName', value: 'localhost' }], { notAfterDate });
    };
    const [own, kafka] = [await endOf(10), await endOf(-1)];
    const server = createServer({ key: own.private, cert: own.cert });
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const publicBaseUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
    const config = { logBackend: 'kafka', kafkaSslCertificate: kafka.cert } as const;
    const read = await scrape({ publicBaseUrl, config }, clickhouse);
    const left = async (certificate: string): Promise<number> =>
      ((await read())[`broadside_certificate_end_seconds{certificate="${certificate}"}`] ?? Number.NaN) -
      Date.now() / 1_000;
    // The first request only begins to look.
    await expect.poll(() => left('public')).toBeGreaterThan(9.9 * DAY_S);
    expect(await left('public')).toBeLessThan(10.1 * DAY_S);
    expect(await left('kafka')).toBeLessThan(0);
    server.close();
  });

  it('has no certificate where there is none', async () => {
    const read = await scrape({ publicBaseUrl: 'http://127.0.0.1:1' }, clickhouse);
    await read();
    expect(Object.keys(await read()).filter((name) => name.includes('certificate'))).toEqual([]);
  });
});
