import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StatisticsCopy } from '../../engine/adapters/clickhouse/backup/copy.ts';
import type { ClickHouseState } from '../../engine/adapters/clickhouse/schema-state.ts';
import type { InsertEnding } from '../../engine/contract/insert-ending.ts';
import { BYTES, type IntakeAddress, intakeFile, type StatisticsParts } from './statistics-parts.ts';

const REQUEST_TIMEOUT_MS = 90_000;

/**
 * The ClickHouse of the `broadside up` that runs on the folder.
 * @returns null where none does.
 */
export async function reachIntake(folder: string): Promise<StatisticsParts | null> {
  const call = await reach(folder);
  return call === null ? null : partsOver(call);
}

/** What the same one says of its ClickHouse; null where none runs on the folder. */
export async function reachState(folder: string): Promise<ClickHouseState | null> {
  const call = await reach(folder);
  return call === null ? null : call('GET', '/state');
}

/** A copy of its ClickHouse, for a backup; null where none runs on the folder. */
export async function reachCopy(folder: string): Promise<StatisticsCopy | null> {
  const call = await reach(folder);
  if (call === null) return null;
  return {
    freeze: () => call('POST', '/copy/freeze'),
    readPiece: (piece) => call('POST', '/copy/piece', JSON.stringify(piece)),
    thaw: () => call('POST', '/copy/thaw'),
  };
}

async function reach(folder: string): Promise<Call | null> {
  const text = await readFile(join(folder, intakeFile), 'utf8').catch(() => null);
  if (text === null) return null;
  const address = JSON.parse(text) as IntakeAddress;
  const call = createCall(address);
  // A crashed process leaves its file behind.
  const answers = await call('GET', '/loads/0/totals').then(
    () => true,
    () => false,
  );
  return answers ? call : null;
}

type Call = <Result>(method: string, path: string, body?: string | Uint8Array) => Promise<Result>;

function createCall({ url, key }: IntakeAddress): Call {
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (response.ok && response.headers.get('content-type') === BYTES)
      return Buffer.from(await response.arrayBuffer()) as never;
    const answer = (await response.json()) as { readonly message?: string };
    if (response.ok) return answer as never;
    throw new IntakeRefusal(response.status, answer.message ?? `status ${response.status}`);
  };
}

class IntakeRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function partsOver(call: Call): StatisticsParts {
  return {
    adStats: {
      insertRows: ({ rows, bytes, format }, token) =>
        orAway(call('POST', `/rows?rows=${rows}&format=${format}&token=${encodeURIComponent(token)}`, bytes)),
      loadTotals: (load) => call('GET', `/loads/${load}/totals`),
      refusedRows: (load, after, limit) =>
        call('GET', `/loads/${load}/refused?after=${after}&limit=${limit}`),
    },
    rates: {
      insertRates: (rates, statement) => orAway(call('POST', '/rates', JSON.stringify({ rates, statement }))),
    },
  };
}

/** A refusal: it would be refused again. Otherwise it is unknown whether it arrived. */
async function orAway(inserting: Promise<InsertEnding>): Promise<InsertEnding> {
  try {
    return await inserting;
  } catch (error) {
    if (error instanceof IntakeRefusal && error.status < 500) throw error;
    return {
      kind: 'away',
      store: 'ClickHouse',
      reason: error instanceof Error ? error.message : String(error),
    };
  }
}
