import type { ListedDelivery } from '../data/deliveries/queries.ts';

/** How fast an app's deliveries went, and of how many that is known. */
export interface Speed {
  readonly perSecond: number;
  readonly deliveries: number;
}

const MOST = 10;
/** Times have whole seconds: for a few readers they are too coarse to predict many. */
const FEWEST_READERS = 20;

/** Ended deliveries that were not paced; rehearsals too, whose time is the expected one. */
export function speedOf(recent: readonly ListedDelivery[]): Speed | null {
  const told = recent
    .filter(
      ({ rate_per_minute: pace, status }) => pace === null && (status === 'success' || status === 'partial'),
    )
    .flatMap(({ success_count, failed_count, started_at, completed_at }) => {
      if (started_at === null || completed_at === null) return [];
      const seconds = Math.max(1, (Date.parse(completed_at) - Date.parse(started_at)) / 1_000);
      return [{ readers: success_count + failed_count, seconds }];
    })
    .filter(({ readers }) => readers >= FEWEST_READERS)
    .slice(0, MOST);
  if (told.length === 0) return null;
  const readers = told.reduce((sum, each) => sum + each.readers, 0);
  const seconds = told.reduce((sum, each) => sum + each.seconds, 0);
  return { perSecond: readers / seconds, deliveries: told.length };
}

/** Seconds for this many readers. @param pace readers a minute; empty: as fast as possible. */
export function secondsFor(readers: number, speed: Speed | null, pace: number | ''): number | null {
  const spread = pace === '' || pace <= 0 ? null : (readers / pace) * 60;
  const measured = speed === null ? null : readers / speed.perSecond;
  if (spread === null) return measured;
  return measured === null ? spread : Math.max(spread, measured);
}
