import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { Session } from 'chdb';
import { fromFile } from '../../../engine/adapters/clickhouse/insert-file.ts';
import { literal } from '../../../engine/adapters/clickhouse/literals.ts';

const MAX_BODY_BYTES = 256 * 1024 ** 2;

/** Parameters of ClickHouse's HTTP interface that are not settings of the statement. */
const notSettings: ReadonlySet<string> = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'role',
  'wait_end_of_query',
  'enable_http_compression',
  'send_progress_in_http_headers',
]);

export function createRequestHandler(path: string): RequestListener {
  return (request, response) => {
    answer(path, request, response).catch((error: unknown) => refuse(response, messageOf(error)));
  };
}

async function answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://bridge');
  if (url.pathname === '/ping') return void response.end('Ok.\n');
  const body = await readBody(request);
  const inUrl = url.searchParams.get('query');
  // An insert without rows is nothing to do for a server; chdb takes the end of its text for a mistake.
  if (inUrl !== null && /^\s*insert\s/i.test(inUrl) && / format \w+\s*$/i.test(inUrl) && body.length === 0) {
    return void response.end();
  }
  const bytes = await runWithBody(path, url.searchParams, inUrl, body);
  response.writeHead(200, {
    'x-clickhouse-query-id': url.searchParams.get('query_id') ?? randomUUID(),
  });
  response.end(bytes);
}

/** Rows go through a file: in the statement they cost the engine what no server spends on them. */
async function runWithBody(
  path: string,
  search: URLSearchParams,
  inUrl: string | null,
  body: Buffer,
): Promise<Uint8Array> {
  const file = join(path, `insert-${randomUUID()}.rows`);
  const insert = inUrl === null ? null : fromFile(inUrl, file);
  if (insert === null)
    return runIsolated(path, search, inUrl === null ? body.toString() : `${inUrl}\n${body}`);
  try {
    await writeFile(file, body);
    return await runIsolated(path, search, insert);
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * A session a request, as a server has: settings, parameters and the database of one never reach another.
 */
async function runIsolated(path: string, search: URLSearchParams, statement: string): Promise<Uint8Array> {
  const session = new Session(path);
  try {
    const database = search.get('database');
    if (database !== null) await session.queryAsync(`USE \`${database}\``);
    // One statement for all of them: each is a round through the engine, which a server's reading of them is not.
    const settings = [...search].filter(([name]) => !notSettings.has(name));
    const texts = settings.map(([name, value]) => `${name} = ${literal(value)}`);
    if (texts.length > 0) await session.queryAsync(`SET ${texts.join(', ')}`);
    const format = search.get('default_format') ?? 'TabSeparated';
    return (await session.queryAsync(statement, { format })).bytes();
  } finally {
    session.close();
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES)
        throw new Error('Code: 307. DB::Exception: body too large (TOO_MANY_BYTES)');
      chunks.push(chunk);
    }
  };
  const decoder = decoderOf(request.headers['content-encoding']);
  await (decoder === null ? collect(request) : pipeline(request, decoder, collect));
  return Buffer.concat(chunks);
}

function decoderOf(encoding: string | undefined) {
  if (encoding === 'gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding === 'zstd') return createZstdDecompress();
  return null;
}

/** As ClickHouse answers: the number in a header, the whole sentence as text. */
function refuse(response: ServerResponse, message: string): void {
  const code = /Code: (\d+)\./.exec(message)?.[1] ?? '1001';
  if (response.headersSent) return void response.destroy();
  response.writeHead(statusOf(Number(code)), { 'x-clickhouse-exception-code': code });
  response.end(
    message.startsWith('Code:') ? message : `Code: ${code}. DB::Exception: ${message} (STD_EXCEPTION)`,
  );
}

function statusOf(code: number): number {
  if (code === 60 || code === 81 || code === 46) return 404;
  return code === 62 || code === 47 || code === 27 ? 400 : 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
