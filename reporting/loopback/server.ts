import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Piece } from '../../engine/adapters/clickhouse/backup/copy.ts';
import { isDataRefusal } from '../../engine/adapters/clickhouse/errors.ts';
import { type AdRowsFormat, adRowsFormats } from '../../engine/contract/ad-stats.ts';
import type { FxRate } from '../../engine/contract/fx-rate.ts';
import {
  BYTES,
  type IntakeAddress,
  type IntakeParts,
  intakeFile,
  type StatisticsParts,
} from './statistics-parts.ts';

/**
 * The way into an embedded ClickHouse that this process holds, for imports in other processes of this machine:
 * one process at a time may hold the folder. On loopback, on a port of its own; the address and the key are in
 * the data folder, so only its readers get in: no page in a browser, no other user of the machine.
 *
 * `POST /rows?rows=N&format=F&token=T` (as `AdRows`), `GET /loads/{id}/totals`, `GET
 * /loads/{id}/refused?after=N&limit=N`, `POST /rates` (JSON), `GET /state`; of a copy for a backup `POST /copy/freeze`,
 * `/copy/piece` (JSON of a piece, answered by its rows) and `/copy/thaw`.
 */
export interface IntakeServer {
  /** Cuts running requests: the importer retries or stops. */
  close(): Promise<void>;
}

/** A piece of an import has 8 MB; one row at most adds to it. */
const MAX_BODY_BYTES = 32 * 1024 ** 2;
const MAX_CONNECTIONS = 16;
const MAX_REFUSED_ROWS = 10_000;

export async function startIntakeServer(parts: IntakeParts, folder: string): Promise<IntakeServer> {
  const key = randomBytes(32).toString('base64url');
  const server = createServer((request, response) => {
    answer(parts, key, request).then(
      ({ status, body }) => send(response, status, body),
      (error: unknown) => send(response, statusOf(error), { message: messageOf(error) }),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: IntakeAddress = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key };
  const file = join(folder, intakeFile);
  // Rewritten: the mode of a file that is there would stay.
  await rm(file, { force: true });
  await writeFile(file, JSON.stringify(address), { mode: 0o600 });
  return {
    close: async () => {
      await rm(file, { force: true });
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Answer {
  readonly status: number;
  /** A buffer goes out as it is. */
  readonly body: object;
}

const ok = (body: object): Answer => ({ status: 200, body });
const notFound: Answer = { status: 404, body: { message: 'Not found.' } };

async function answer(parts: IntakeParts, key: string, request: IncomingMessage): Promise<Answer> {
  if (!holdsKey(request, key)) return { status: 401, body: { message: 'The key is wrong.' } };
  const url = new URL(request.url ?? '/', 'http://intake');
  const number = (name: string): number => wholeOf(url.searchParams.get(name));
  const route = `${request.method} ${url.pathname}`;
  if (route === 'POST /rows') {
    const format = formatOf(url.searchParams.get('format'));
    const rows = { rows: number('rows'), bytes: await readBody(request), format };
    return ok(await parts.adStats.insertRows(rows, url.searchParams.get('token') ?? ''));
  }
  if (route === 'GET /state') return ok(await parts.readState());
  if (route === 'POST /copy/freeze') return ok(await parts.copy.freeze());
  if (route === 'POST /copy/piece') return ok(await parts.copy.readPiece(await readPiece(request)));
  if (route === 'POST /copy/thaw') {
    await parts.copy.thaw();
    return ok({});
  }
  if (route === 'POST /rates') {
    const { rates, statement } = JSON.parse((await readBody(request)).toString()) as RatesBody;
    return ok(await parts.rates.insertRates(rates, statement));
  }
  const [, load, what] = /^GET \/loads\/(\d{1,15})\/(totals|refused)$/.exec(route) ?? [];
  if (load === undefined) return notFound;
  if (what === 'totals') return ok(await parts.adStats.loadTotals(Number(load)));
  const limit = Math.min(number('limit'), MAX_REFUSED_ROWS);
  return ok(await parts.adStats.refusedRows(Number(load), number('after'), limit));
}

const readPiece = async (request: IncomingMessage): Promise<Piece> =>
  JSON.parse((await readBody(request)).toString()) as Piece;

interface RatesBody {
  readonly rates: readonly FxRate[];
  readonly statement: Parameters<StatisticsParts['rates']['insertRates']>[1];
}

/** By their hashes: they have one length, so that the comparison reveals nothing. */
function holdsKey({ headers }: IncomingMessage, key: string): boolean {
  const given = hash('sha256', headers.authorization ?? '', 'buffer');
  return timingSafeEqual(given, hash('sha256', `Bearer ${key}`, 'buffer'));
}

class BadRequest extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function wholeOf(text: string | null): number {
  if (text === null || !/^\d{1,15}$/.test(text)) throw new BadRequest(400, 'A number is missing.');
  return Number(text);
}

function formatOf(text: string | null): AdRowsFormat {
  const format = adRowsFormats.find((one) => one === text);
  if (format === undefined) throw new BadRequest(400, 'Unknown format.');
  return format;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new BadRequest(413, 'The piece is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function statusOf(error: unknown): number {
  if (error instanceof BadRequest) return error.status;
  return isDataRefusal(error) || error instanceof RangeError ? 422 : 500;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function send(response: ServerResponse, status: number, body: object): void {
  const isRows = Buffer.isBuffer(body);
  const type = isRows ? BYTES : 'application/json';
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(isRows ? body : JSON.stringify(body));
}
