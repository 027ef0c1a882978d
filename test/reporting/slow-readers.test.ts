// tier: system, clickhouse
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createReportToken, createReportUser, everything, generatePath, until } from './support.ts';
import { createReportWorld, type ReportWorld } from './world.ts';

let world: ReportWorld;
let url: string;
beforeAll(async () => {
  world = await createReportWorld('embedded', {
    config: { reportsAtOnce: 4, reportsPerUser: 2, reportMb: 32, reportUnreadMb: 128 },
  });
  url = await world.app.listen({ host: '127.0.0.1', port: 0 });
  // An answer of some 25 MB: more than two sockets hold.
  await world.clickhouse.client.command({
    query: `INSERT INTO ad_stats (at, load, source, domain, subdomain, impressions)
      SELECT toDateTime('2026-01-05 12:00:00', 'UTC'), 0, 'test', 'a.example',
        concat(leftPad(toString(number), 200, 'x'), '.a.example'), 1 FROM numbers(100000) SETTINGS async_insert = 0`,
  });
});
afterAll(() => world.close());

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const body = (dimension: string, format = 'json'): string =>
  JSON.stringify({
    dimensions: [dimension],
    metrics: ['impressions'],
    currency: 'EUR',
    selectedDate: ['2026-01-05', '2026-01-05'],
    format,
  });

/** A client that asks for all of it and reads nothing. */
function askWithoutReading(token: string, format = 'json'): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  const text = body('subdomain', format);
  socket.write(
    `POST ${generatePath} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
  return socket.pause();
}

const newToken = async (): Promise<string> =>
  createReportToken(world.database, everything, await createReportUser(world.database));

const gauge = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await world.exposition())?.[1]);
const unread = () => gauge('broadside_report_unread_bytes');
const inHand = () => gauge('broadside_reports_in_hand');

describe('clients that request large reports and read nothing', () => {
  it('delay no other: all permits are free again, and a fifth client gets its answer', async () => {
    const [ada, bob, eve] = await Promise.all([newToken(), newToken(), newToken()]);
    for (const token of [ada, ada, bob, bob]) askWithoutReading(token);
    await until(async () => (await unread()) > 4 * 10_000_000 && (await inHand()) === 0);
    const answer = await fetch(`${url}${generatePath}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${eve}`, 'content-type': 'application/json' },
      body: body('domain'),
    });
    expect(await answer.json()).toMatchObject({ data: [{ domain: 'a.example', impressions: 100_000 }] });
  });

  it('leave no memory behind when they disconnect', async () => {
    const token = await newToken();
    askWithoutReading(token, 'csv');
    await until(async () => (await unread()) > 0);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(async () => (await unread()) === 0 && (await inHand()) === 0);
  });

  it('get every byte when they read at last', async () => {
    const socket = askWithoutReading(await newToken(), 'ndjson');
    await until(async () => (await unread()) > 0 && (await inHand()) === 0);
    let rows = 0;
    for await (const chunk of socket) rows += String(chunk).split('"impressions":1}').length - 1;
    // A row may lie across two chunks.
    expect(rows).toBeGreaterThan(99_000);
    await until(async () => (await unread()) === 0);
  });

  it('are refused before the first byte where the report exceeds its bound, with the way to a job', async () => {
    const small = world.another({ config: { reportMb: 1 } });
    const answer = await small.inject({
      method: 'POST',
      url: generatePath,
      headers: { authorization: `Bearer ${await newToken()}`, 'content-type': 'application/json' },
      payload: body('subdomain'),
    });
    expect([answer.statusCode, answer.json().errors.dimensions]).toEqual([
      422,
      [expect.stringMatching(/more than 1 MB: make it a job \(POST \/reports\/jobs\)/)],
    ]);
    expect(await unread()).toBe(0);
  });
});
