import {
  type QuietReader,
  readQuietReaders,
} from '../../../../engine/adapters/postgres/removal/quiet-readers.ts';
import { recentReach } from '../../../../engine/contract/audience.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { isIn, knowsDisplays } from '../../../../engine/contract/pruning.ts';
import type { AnalyticsPort } from '../../../ports/analytics.ts';
import type { RunQuery } from '../../../reads/reads.ts';
import { chunksOf, readSampleOf } from '../../standing/sample.ts';

interface Readers {
  readonly query: RunQuery;
  readonly analytics: Pick<AnalyticsPort, 'reacted'>;
}

/** Those whom pruning would unsubscribe now. @throws AnalyticsAway where ClickHouse does not answer. */
export async function countUnreachable({ query, analytics }: Readers, appId: AppId, days: number) {
  const seen = await analytics.reacted(appId, recentReach, days);
  const known = knowsDisplays(seen);
  const { sample, quiet } = await query(async (sql) => {
    const blocks = await readSampleOf(sql, appId);
    const found: QuietReader[] = [];
    for (const chunk of known ? chunksOf(blocks) : [])
      found.push(...(await readQuietReaders(sql, appId, chunk, days)).filter(({ seq }) => !isIn(seen, seq)));
    return { sample: blocks, quiet: found };
  });
  const scaled = (count: number): number => Math.round(count * sample.scale);
  return {
    days,
    count: scaled(quiet.length),
    exact: sample.scale === 1,
    displays_known: known,
    browsers: Object.entries(Object.groupBy(quiet, ({ browser }) => browser ?? ''))
      .map(([browser, all]) => ({ browser: browser || null, count: scaled(all?.length ?? 0) }))
      .toSorted((a, b) => b.count - a.count),
  };
}
