import { type AdField, type AdRows, adFields, adRowText } from '../../engine/contract/ad-stats.ts';
import type { InsertEnding } from '../../engine/contract/insert-ending.ts';
import type { AdRow, TopicValue } from '../../engine/contract/topics.ts';
import {
  type ConsumeBatchesDeps,
  createConsumeBatches,
  type RecordStage,
} from '../../engine/intake/consume-batches.ts';
import type { Activation } from './activation.ts';
import type { NewLoad, Registration } from './ad-loads.ts';
import type { AdStatsStore } from './ad-stats-store.ts';

/** `reporting/ingest/ad-loads.ts`, on one database. */
export interface BatchLoads {
  register(load: NewLoad): Promise<Registration>;
  /** False: it was abandoned meanwhile. */
  activate(activation: Activation): Promise<boolean>;
  abandon(load: number): Promise<void>;
  /** Distinguishes an outage of Postgres from a wrong statement. */
  answers(): Promise<boolean>;
}

type AdStatsBatch = TopicValue<'ad-stats'>;

/**
 * Batches of ad statistics from the log: registered in Postgres by source and id, inserted as one load, made
 * to count. A batch counts once, however often and whenever it comes, under whatever partition or offset:
 *
 *   stopped before `register`        nothing happened; it comes again
 *   registered, not inserted         it comes again, finds its pending load and goes on with it
 *   inserted, not active             the same, and ClickHouse knows the insert by the load's name
 *   active, not marked done          it comes again and is known
 *   two consumers at once            one load, one name, and only the first makes it active
 *
 * Postgres knows the ids of batches permanently, so ClickHouse's own window of names need only bridge a retry.
 * Bad rows are set aside in `ad_stats_refused` with their reason; the others count.
 */
export function createAdStatsStage(
  deps: Omit<ConsumeBatchesDeps<'ad-stats'>, 'topic' | 'recordBatch'> & {
    readonly store: Pick<AdStatsStore, 'insertRows' | 'loadTotals'>;
    readonly loads: BatchLoads;
    /** Bad rows of a batch that counts. */
    readonly onSetAside: (rows: number) => void;
    readonly nowMs: () => number;
  },
): RecordStage {
  const { store, loads, logger } = deps;

  async function record(batch: AdStatsBatch): Promise<InsertEnding> {
    const { source, batch_id, rows } = batch;
    const found = await loads.register({ source, kind: 'batch', content: batch_id });
    if (found.kind === 'known') return { kind: 'inserted', rows: 0 };
    const { load } = found;
    const ending = await store.insertRows(rowsOf(batch, load), `ad-load-${load}`);
    if (ending.kind === 'away') return ending;
    const totals = await store.loadTotals(load);
    if (totals.rows + totals.refused !== rows.length) {
      // As after a retry so late that ClickHouse had forgotten the name: the next one starts again.
      await loads.abandon(load);
      throw new Error(`ClickHouse has ${totals.rows} and ${totals.refused} of the ${rows.length} rows`);
    }
    if (!(await loads.activate({ load, ...totals, completeUntil: completeUntilOf(batch) }))) {
      throw new Error('the batch was abandoned meanwhile');
    }
    if (totals.refused > 0) {
      deps.onSetAside(totals.refused);
      const counts = { source, batch_id, refused: totals.refused, load };
      logger.warn(counts, 'rows of ad statistics were set aside: see ad_stats_refused');
    }
    return { kind: 'inserted', rows: totals.rows };
  }

  /** The rows of a batch are valid whatever its `completeUntil` is. */
  function completeUntilOf({ source, batch_id, complete_until }: AdStatsBatch): Date | null {
    if (complete_until === undefined) return null;
    if (complete_until <= deps.nowMs() + CLOCKS_APART_MS) return new Date(complete_until);
    logger.warn({ source, batch_id, complete_until }, 'complete_until lies in the future and is ignored');
    return null;
  }

  return createConsumeBatches({
    ...deps,
    topic: 'ad-stats',
    recordBatch: async ({ value }) => {
      try {
        return await record(value);
      } catch (error) {
        if (await loads.answers()) throw error;
        return { kind: 'away', store: 'Postgres', reason: messageOf(error) };
      }
    },
  });
}

/** By how much the clock of an ad server may be ahead of ours. */
const CLOCKS_APART_MS = 5 * 60_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function rowsOf({ source, rows }: AdStatsBatch, load: number): AdRows {
  const lines = rows.map((row, index) => adRowText({ load, source, row: index + 1 }, textsOf(row)));
  return { rows: rows.length, bytes: Buffer.from(lines.join('')), format: 'TabSeparated' };
}

/** Unknown fields are ignored: an ad server may send more than is stored. */
function textsOf(row: AdRow): Partial<Record<AdField, string>> {
  const texts: Partial<Record<AdField, string>> = {};
  for (const field of adFields) {
    const value = row[field] ?? (field === 'at' ? row.day : undefined);
    if (value !== undefined && value !== null) texts[field] = String(value);
  }
  return texts;
}
