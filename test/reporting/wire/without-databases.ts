import { Readable } from 'node:stream';
import { afterEach, beforeAll, vi } from 'vitest';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { createMetrics } from '../../../engine/adapters/telemetry/metrics.ts';
import { systemClock } from '../../../engine/contract/concurrency/clock.ts';
import { createFairQueue } from '../../../engine/contract/concurrency/fair-queue.ts';
import { createHeldAnswers } from '../../../reporting/answer/held-answers.ts';
import type { Generated, GenerateReport } from '../../../reporting/generate/generate.ts';
import { type RunningWire, startWire, type WireOptions } from '../../../reporting/wire/server.ts';
import { loadGrammar } from '../../../reporting/wire/sql.ts';
import { message, password, type RawClient, READY, rawClient, startup } from './client.ts';

/** A wire without databases: what it asks of them is answered here. Its connections and clients end with the test. */

export const TOKEN = `1|${'a'.repeat(43)}`;
export const NOW = Date.parse('2026-03-10T12:00:00Z');
const quiet = createLogger({ level: 'silent', format: 'json', role: 'test' });

interface Admitted {
  id: number;
  userId: number;
  isRevoked: boolean;
  isWithinRate: boolean;
}

/** Knows one statement: that which admits a token. */
function sqlOf(admitted: Admitted): Sql {
  const row = () => ({
    ...{ id: admitted.id, domains: [], wholesalers: [], unrestricted: true, use_is_stale: false },
    // Two users of the organization 1, and one of another.
    organization_id: admitted.userId === 9 ? 2 : 1,
    ...{ counted_by: admitted.userId, counted_via: 'report-wire', most: 3, hit_at: null },
    ...{ allowed: admitted.isWithinRate, remaining: 0, wait_seconds: 20 },
  });
  return {
    query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
      const isRight = values?.[0] === admitted.id && !admitted.isRevoked;
      return (/WITH caller/.test(text) && isRight ? [row()] : []) as unknown as Row[];
    },
  };
}

export const madeOf = (rows: Readable): Generated => ({
  ...{ kind: 'made', rows, leftOut: [], oldRates: [], provenance: null },
  ...{ metaOf: () => '{}', refusalOf: () => null },
  columns: [
    { name: 'domain', kind: 'text' },
    { name: 'impressions', kind: 'count' },
  ],
  period: { timezone: 'UTC', start: '2026-01-01', end: '2026-01-01', compared: null },
});
export const row = '["a.example","12"]\n';
export const REPORT =
  "SELECT domain, sum(impressions) FROM ad_statistics WHERE day = '2026-01-01' GROUP BY 1";

interface Changes extends Partial<WireOptions> {
  readonly generateReport?: GenerateReport;
  readonly answerBytes?: number;
  readonly permits?: number;
}

const opened: RunningWire[] = [];
const clients: RawClient[] = [];

export async function openWire({
  generateReport,
  answerBytes = 1_048_576,
  permits = 4,
  ...options
}: Changes = {}) {
  const admitted: Admitted = { id: 1, userId: 7, isRevoked: false, isWithinRate: true };
  const metrics = createMetrics();
  const answers = { answerBytes, answerRows: 1_000, totalBytes: 64 * 1_048_576, waitMs: 500 };
  const wire = await startWire(
    {
      ...{ host: '127.0.0.1', port: 0, tls: null, allowsClearText: false },
      ...{ connections: 100, connectionsPerToken: 50, ...options },
    },
    {
      sql: sqlOf(admitted),
      generateReport: generateReport ?? (async () => madeOf(Readable.from([Buffer.from(row)]))),
      queue: createFairQueue({ permits, perOwner: permits, waiting: 0, waitMs: 1_000 }),
      answers: createHeldAnswers({ ...answers, clock: systemClock }),
      ...{ logger: quiet, metrics: metrics.reports, ratePerMinute: 3, answerMb: 1, now: () => NOW },
    },
  );
  opened.push(wire);
  const raw = (...bytes: readonly Buffer[]): RawClient => {
    const client = rawClient(wire.port, ...bytes);
    clients.push(client);
    return client;
  };
  const logIn = async (token = TOKEN): Promise<RawClient> => {
    const client = raw(startup(), password(token));
    await client.until(READY);
    return client;
  };
  /** Of a client that has logged in, the SQLSTATE of the answer, or all of the answer. */
  const ask = async (...bytes: readonly Buffer[]): Promise<string> => {
    const client = await logIn();
    for (const piece of bytes) client.socket.write(piece);
    client.socket.write(message('X'));
    const all = await client.ended();
    return /·C(\w{5})·/.exec(all.slice(all.indexOf('Z····I')))?.[1] ?? 'no error';
  };
  return { wire, admitted, raw, logIn, ask, exposition: async () => (await metrics.exposition()).body };
}

beforeAll(loadGrammar);
afterEach(async () => {
  vi.useRealTimers();
  for (const { socket } of clients.splice(0)) socket.destroy();
  for (const wire of opened.splice(0)) await wire.close();
});

/** Of timers alone: sockets go on as they are. */
export const holdTime = (): void => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
