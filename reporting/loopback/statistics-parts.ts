import type { StatisticsCopy } from '../../engine/adapters/clickhouse/backup/copy.ts';
import type { ClickHouseState } from '../../engine/adapters/clickhouse/schema-state.ts';
import type { AdStatsStore } from '../ingest/ad-stats-store.ts';
import type { FxStore } from '../ingest/fx-store.ts';

/** The target of an import: a ClickHouse of its own, or that of a running `broadside up`. */
export interface StatisticsParts {
  readonly adStats: AdStatsStore;
  readonly rates: FxStore;
}

/** What a running `broadside up` gives to commands of its machine. */
export interface IntakeParts extends StatisticsParts {
  readonly readState: () => Promise<ClickHouseState>;
  readonly copy: StatisticsCopy;
}

/** How to reach a running `broadside up`: a file in its data folder, for its readers alone. */
export interface IntakeAddress {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Made again at every start. */
  readonly key: string;
}

export const intakeFile = 'intake.json';

/** The media type of rows. */
export const BYTES = 'application/octet-stream';
