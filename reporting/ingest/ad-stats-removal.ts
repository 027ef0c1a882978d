import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';

/**
 * Takes rows out of `ad_stats` by mutations, which ClickHouse carries out in the background; one begun again
 * finds nothing to change.
 */
export interface AdStatsRemoval {
  /** Whether one still runs. */
  removing(): Promise<boolean>;
  /** Whether any row of these is left. */
  hasLoads(loads: readonly number[]): Promise<boolean>;
  removeLoads(loads: readonly number[]): Promise<void>;
  hasDays(days: readonly DeadDay[]): Promise<boolean>;
  removeDays(days: readonly DeadDay[]): Promise<void>;
}

/** Rows of the source and UTC day (`YYYY-MM-DD`) whose load is below. */
export interface DeadDay {
  readonly source: string;
  readonly firstDay: string;
  readonly below: number;
  /** Between which moments (seconds) its hours are; null: those of the UTC day. */
  readonly hours?: readonly [from: number, until: number] | null;
}

export function createAdStatsRemoval({ client }: ClickHouse): AdStatsRemoval {
  async function exists(query: string): Promise<boolean> {
    const answer = await client.query({ query, format: 'JSONEachRow' });
    return (await answer.json()).length > 0;
  }
  const has = (condition: string): Promise<boolean> =>
    exists(`SELECT 1 FROM ad_stats WHERE ${condition} LIMIT 1`);
  const remove = async (condition: string): Promise<void> => {
    await client.command({
      query: `ALTER TABLE ad_stats DELETE WHERE ${condition} SETTINGS mutations_sync = 0`,
    });
  };

  return {
    removing: () =>
      exists(
        `SELECT 1 FROM system.mutations
         WHERE database = currentDatabase() AND table = 'ad_stats' AND NOT is_done LIMIT 1`,
      ),
    hasLoads: (loads) => has(ofLoads(loads)),
    removeLoads: (loads) => remove(ofLoads(loads)),
    hasDays: (days) => has(ofDays(days)),
    removeDays: (days) => remove(ofDays(days)),
  };
}

const ofLoads = (loads: readonly number[]): string => `load IN (${loads.map(Math.trunc).join(', ')})`;

/** The days apart, so that the primary key is used. A mutation takes no parameters; sources are plain letters. */
function ofDays(days: readonly DeadDay[]): string {
  const each = days.map(({ source, firstDay, below, hours = null }) => {
    if (!/^[A-Za-z0-9._-]{0,64}$/.test(source) || !/^\d{4}-\d{2}-\d{2}$/.test(firstDay)) {
      throw new RangeError(`not a day of a source: ${source} ${firstDay}`);
    }
    const onDay = `toDate(at) = '${firstDay}'`;
    const [from = 0, until = 0] = (hours ?? []).map(Math.trunc);
    const dead =
      hours === null
        ? onDay
        : `if(grain = 'hour', at >= toDateTime(${from}, 'UTC') AND at < toDateTime(${until}, 'UTC'), ${onDay})`;
    return `(${dead} AND source = '${source}' AND load < ${Math.trunc(below)})`;
  });
  const list = days.map(({ firstDay, hours = null }) =>
    hours === null
      ? `toDate(at) = '${firstDay}'`
      : `toDate(at) BETWEEN toDate('${firstDay}') - 1 AND toDate('${firstDay}') + 1`,
  );
  return `(${[...new Set(list)].join(' OR ')}) AND (${each.join(' OR ')})`;
}
