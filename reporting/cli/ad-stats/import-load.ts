import type { AdRows } from '../../../engine/contract/ad-stats.ts';
import { backOffMs } from '../../../engine/contract/concurrency/back-off.ts';
import { counted } from '../../../engine/contract/counted.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { type Activation, daysOf } from '../../ingest/activation.ts';
import { DaysAreFinal, LoadShared, type NewLoad, type Registration } from '../../ingest/ad-loads.ts';
import type { AdStatsStore, LoadTotals } from '../../ingest/ad-stats-store.ts';
import { DaysNotOver } from '../../ingest/days/ad-days.ts';
import { DaysMoved, OtherDays } from '../../ingest/supersede.ts';

/** The ledger in Postgres, as an import uses it: `reporting/ingest/ad-loads.ts`. */
export interface ImportLedger {
  /** Null where another process imports the same files. The lock goes with this process. */
  lock(load: NewLoad): Promise<{ release(): Promise<void> } | null>;
  register(load: NewLoad): Promise<Registration>;
  isPending(load: number): Promise<boolean>;
  activate(activation: Activation): Promise<boolean>;
  abandon(load: number): Promise<void>;
}

export interface ImportLoadDeps {
  readonly ledger: ImportLedger;
  readonly store: Pick<AdStatsStore, 'insertRows' | 'loadTotals'>;
  readonly pause: (ms: number) => Promise<void>;
  readonly onProgress: (counts: { readonly lines: number; readonly refused: number }) => void;
}

export interface LoadRequest extends NewLoad, Pick<Activation, 'says' | 'mayChangeFinal'> {
  /** The file's rows, as those of this load: the same pieces each time. */
  readonly rows: (load: number) => AsyncIterable<AdRows>;
  /** With more bad rows nothing of the file is taken. */
  readonly maxBad: number;
  readonly completeUntil: Date | null;
  /** Of a restatement: the days that it replaces, also where it has no rows of them; null: those of its rows. */
  readonly onlyDays?: readonly string[] | null;
}

export type LoadEnding =
  /** Nothing but a header: an answer. */
  | { readonly kind: 'empty'; readonly load: number }
  | { readonly kind: 'known'; readonly load: number; readonly since: Date }
  | ({ readonly kind: 'imported'; readonly load: number } & LoadTotals)
  | ({ readonly kind: 'refused'; readonly load: number; readonly reason: string } & LoadTotals);

/** A restatement of more days than three years have is a mistake. */
const MAX_DAYS = 1_100;
/** Inserts at once: one on its way while the server works on the other. */
const INSERTS_IN_FLIGHT = 2;
const PIECES_BETWEEN_COUNTS = 8;

/**
 * One file into `ad_stats`, all of it or nothing:
 *
 *   killed in mid-file        its load stays pending, and nothing of it counts; the next import of the file
 *                             abandons it and begins again
 *   killed after `activate`   the file is imported, and the next import reports it
 *   two at once               the second is refused while the first holds the lock; where it lost its lock
 *                             with its connection, the abandoned one cannot become active
 *
 * @throws CliError where it could not be done; nothing of the file counts then.
 */
export async function importLoad(deps: ImportLoadDeps, request: LoadRequest): Promise<LoadEnding> {
  const { ledger } = deps;
  const lock = await ledger.lock(request);
  if (lock === null) throw new CliError('another process is importing the same file');
  try {
    const found = await ledger.register(request).catch((error: unknown) => {
      throw error instanceof LoadShared ? new CliError(error.message) : error;
    });
    if (found.kind === 'known') return found;
    return await fillLoad(deps, request, found.load);
  } finally {
    await lock.release();
  }
}

async function fillLoad(deps: ImportLoadDeps, request: LoadRequest, load: number): Promise<LoadEnding> {
  const { ledger, store } = deps;
  try {
    const sent = await insertAll(deps, request, load);
    const totals = await store.loadTotals(load);
    if (sent.rows === 0 && (request.onlyDays ?? null) === null) {
      await ledger.abandon(load);
      return { kind: 'empty', load };
    }
    const reason = refusalOf(request, totals, sent);
    if (reason !== null) {
      await ledger.abandon(load);
      return { kind: 'refused', load, reason, ...totals };
    }
    const { completeUntil, onlyDays = null, says = null, mayChangeFinal = false } = request;
    if (await ledger.activate({ load, ...totals, completeUntil, onlyDays, says, mayChangeFinal }))
      return { kind: 'imported', load, ...totals, days: daysOf({ ...totals, onlyDays }).toSorted() };
    throw new CliError('another import of the same file took over');
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) {
      await ledger.abandon(load);
      throw new CliError((error as Error).message);
    }
    // Where Postgres is unavailable too, the next import of the file gives it up.
    await ledger.abandon(load).catch(() => {});
    throw error;
  }
}

const refusals = [DaysMoved, OtherDays, DaysAreFinal, DaysNotOver];

/** N in, N out: ClickHouse's accepted and refused rows must add up to the sent ones. */
function refusalOf({ maxBad }: LoadRequest, totals: LoadTotals, sent: Sent): string | null {
  if (totals.refused > maxBad) return tooMany(totals.refused, maxBad);
  if (sent.stopped) return tooMany(totals.refused, maxBad);
  if (totals.rows + totals.refused !== sent.rows) {
    throw new CliError(`ClickHouse has ${totals.rows + totals.refused} of ${sent.rows} rows`);
  }
  if (totals.rows === 0 && sent.rows > 0) return 'none of its rows is good';
  return totals.days.length > MAX_DAYS ? `it covers more than ${MAX_DAYS} days` : null;
}

const tooMany = (refused: number, maxBad: number): string =>
  maxBad === 0
    ? `${counted(refused, 'bad row')}, and none is allowed`
    : `more than ${counted(maxBad, 'bad row')}`;

interface Sent {
  readonly rows: number;
  /** Too many bad rows: the rest was not read. */
  readonly stopped: boolean;
}

async function insertAll(deps: ImportLoadDeps, request: LoadRequest, load: number): Promise<Sent> {
  const inFlight: Promise<void>[] = [];
  let rows = 0;
  let pieces = 0;
  let refused = 0;
  for await (const piece of request.rows(load)) {
    if (inFlight.length >= INSERTS_IN_FLIGHT) await inFlight.shift();
    rows += piece.rows;
    const insert = insertPiece(deps, load, pieces++, piece);
    // Awaited by a later turn; until then a rejection is not unhandled.
    insert.catch(() => {});
    inFlight.push(insert);
    if (pieces % PIECES_BETWEEN_COUNTS === 0) ({ refused } = await deps.store.loadTotals(load));
    deps.onProgress({ lines: rows, refused });
    if (refused > request.maxBad) break;
  }
  await Promise.all(inFlight);
  return { rows, stopped: refused > request.maxBad };
}

const MAX_TRIES = 8;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;

/** The same name and bytes each time: an insert whose answer was lost is not counted twice. */
async function insertPiece(deps: ImportLoadDeps, load: number, n: number, piece: AdRows): Promise<void> {
  for (let tries = 1; ; tries++) {
    if (!(await deps.ledger.isPending(load))) throw new CliError('another import of the same file took over');
    const ending = await deps.store.insertRows(piece, `ad-load-${load}-${n}`);
    if (ending.kind === 'inserted') return;
    if (tries === MAX_TRIES) throw new CliError(`ClickHouse does not take the rows: ${ending.reason}`);
    await deps.pause(backOffMs(FIRST_PAUSE_MS, MAX_PAUSE_MS, tries - 1));
  }
}
