import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FaultPlan, parseFaultPlan } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { MessageMemory } from './message-memory.ts';

export interface ControlDeps {
  readonly port: number;
  readonly ledger: Ledger;
  readonly memory: MessageMemory;
  /** Takes the place of the plan before. */
  readonly setFaults: (plan: FaultPlan) => void;
}

/** What the process used of the machine, for a bench to subtract. */
export interface Health {
  /** User and system time since the process started, in microseconds. */
  readonly cpuUs: number;
  readonly rssBytes: number;
}

const MAX_REQUEST_BYTES = 1_048_576;
const MAX_DUPLICATES = 1_000;

type Answer = (url: URL, body: unknown) => unknown;

/** Plain HTTP/1.1 with JSON, for the process that started the double. `start.ts` is its typed client. */
export async function serveControl(deps: ControlDeps): Promise<{ port: number; close(): void }> {
  const { ledger, memory } = deps;
  const number = (url: URL, name: string, other: number) => Number(url.searchParams.get(name) ?? other);

  const routes: Readonly<Record<string, Answer>> = {
    'GET /health': (): Health => ({ cpuUs: cpuUs(), rssBytes: process.memoryUsage.rss() }),
    'GET /ledger': () => ledger.totals(),
    'GET /ledger/indexes': (url) => ledger.indexes(number(url, 'from', 0), number(url, 'to', 0)),
    'GET /ledger/duplicates': () => ledger.duplicates(MAX_DUPLICATES),
    'GET /ledger/arrivals': () => ledger.arrivals(),
    'POST /ledger/mark': (url) => ledger.mark(url.searchParams.get('run') ?? '', number(url, 'from', -1)),
    'GET /messages': (url) => memory.get(number(url, 'index', -1)),
    'POST /faults': (_, body) => deps.setFaults(parseFaultPlan(body)),
    'DELETE /faults': () => deps.setFaults({ rules: [] }),
  };

  async function answer(request: IncomingMessage): Promise<{ status: number; json: unknown }> {
    const url = new URL(request.url ?? '/', 'http://control');
    const route = routes[`${request.method} ${url.pathname}`];
    if (route === undefined)
      return { status: 404, json: { error: `routes: ${Object.keys(routes).join(', ')}` } };
    try {
      return { status: 200, json: route(url, await readJson(request)) ?? null };
    } catch (error) {
      return { status: 400, json: { error: error instanceof Error ? error.message : String(error) } };
    }
  }

  const server = createServer((request, response) => {
    void answer(request).then(({ status, json }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  server.listen(deps.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) throw new Error(`more than ${MAX_REQUEST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return bytes === 0 ? null : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
