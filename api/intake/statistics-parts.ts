import type { AdStatsStore } from '../../engine/adapters/clickhouse/ad-stats-store.ts';
import type { FxStore } from '../../engine/adapters/clickhouse/fx-store.ts';

/** What an import writes to: a ClickHouse of its own, or that of a running `broadside up`. */
export interface StatisticsParts {
  readonly adStats: AdStatsStore;
  readonly rates: FxStore;
}

/** How a running `broadside up` is reached: a file in its data folder, for who may read that folder. */
export interface IntakeAddress {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Made anew at every start. */
  readonly key: string;
}

export const intakeFile = 'intake.json';
