import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { insertOnce } from '../../engine/adapters/clickhouse/insert-once.ts';
import type { FxRate } from '../../engine/contract/fx-rate.ts';
import type { InsertEnding } from '../../engine/contract/insert-ending.ts';

export interface FxStore {
  /**
   * Per day and currency the latest statement counts, in whatever order and however often they come: a
   * repetition is the same row. Where one statement has several, its last.
   * @throws Error where ClickHouse refuses the rates.
   */
  insertRates(rates: readonly FxRate[], statement: FxStatement): Promise<InsertEnding>;
}

export interface FxStatement {
  /** The source of the rates: plain letters, as `AD_SOURCE_PATTERN`. */
  readonly source: string;
  readonly statedAtMs: number;
  /** Names the insert: at most 64 plain letters. */
  readonly token: string;
}

export function createFxStore(clickhouse: ClickHouse): FxStore {
  return {
    insertRates: (rates, { source, statedAtMs, token }) => {
      const latest = new Map(rates.map((rate) => [`${rate.day} ${rate.currency}`, rate]));
      const lines = [...latest.values()].map(
        ({ day, currency, perEur }) => `${day}\t${currency}\t${perEur}\t${source}\t${statedAtMs}\n`,
      );
      const bytes = Buffer.from(lines.join(''));
      const rows = lines.length;
      return insertOnce(
        clickhouse,
        { table: 'fx_rates', columns, rows, bytes, format: 'TabSeparated' },
        token,
      );
    },
  };
}

const columns = 'day, currency, per_eur, source, version';
