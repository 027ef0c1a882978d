import {
  type AcceptedLately,
  readAcceptedLately,
} from '../../../engine/adapters/postgres/deliveries/accepted-lately.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { BLOCK_SIZE } from '../../../engine/contract/bitmap.ts';
import { type ChromeGuard, GUARD_WINDOW_MINUTES } from '../../../engine/contract/chrome-guard.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { acceptedFor, countIn, everyone } from './near-limit.ts';
import { chunksOf, readSampleOf } from './sample.ts';

export interface BrowserWeek {
  /** Null: not known. */
  readonly browser: string | null;
  readonly subscribers: number;
  /** That push services accepted for them in 7 days. */
  readonly notifications: number;
  /** For one of them, at most. */
  readonly most: number;
}

export interface Week {
  /** The one with the most subscribers first. */
  readonly browsers: readonly BrowserWeek[];
  readonly near: number;
  readonly at_limit: number;
  readonly exact: boolean;
}

/** What an app's subscribers were sent in 7 days, in one pass over its blocks. */
export async function readWeek(sql: Sql, appId: AppId, guard: ChromeGuard): Promise<Week> {
  const sample = await readSampleOf(sql, appId);
  const browsers = new Map<string | null, BrowserWeek>();
  const sums = { near: 0, at_limit: 0 };
  for (const blocks of chunksOf(sample)) {
    const accepted = await readAcceptedLately(sql, appId, blocks, GUARD_WINDOW_MINUTES);
    for (const found of await readBrowsers(sql, appId, blocks)) addTo(browsers, found, accepted);
    const close = await countIn(sql, appId, guard, accepted, everyone);
    sums.near += close.near;
    sums.at_limit += close.at_limit;
  }
  const scaled = (count: number): number => Math.round(count * sample.scale);
  return {
    browsers: [...browsers.values()]
      .map((each) => ({
        ...each,
        subscribers: scaled(each.subscribers),
        notifications: scaled(each.notifications),
      }))
      .toSorted((a, b) => b.subscribers - a.subscribers),
    near: scaled(sums.near),
    at_limit: scaled(sums.at_limit),
    exact: sample.scale === 1,
  };
}

interface Browser {
  readonly browser: string | null;
  readonly seqs: readonly number[];
}

const readBrowsers = (sql: Sql, appId: AppId, blocks: readonly number[]): Promise<Browser[]> =>
  sql.query<Browser>(
    `SELECT browser_name AS browser, array_agg(seq) AS seqs
     FROM unnest($2::integer[]) AS counted (block) JOIN subscriptions
       ON app_id = $1 AND seq >= counted.block * ${BLOCK_SIZE} AND seq < (counted.block + 1) * ${BLOCK_SIZE}
     WHERE status = 'subscribed' GROUP BY browser_name`,
    [appId, blocks],
  );

function addTo(
  browsers: Map<string | null, BrowserWeek>,
  { browser, seqs }: Browser,
  accepted: AcceptedLately,
): void {
  const before = browsers.get(browser) ?? { browser, subscribers: 0, notifications: 0, most: 0 };
  let { notifications, most } = before;
  for (const seq of seqs) {
    const count = acceptedFor(accepted, seq);
    notifications += count;
    most = Math.max(most, count);
  }
  browsers.set(browser, { browser, subscribers: before.subscribers + seqs.length, notifications, most });
}
