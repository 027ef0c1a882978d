import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { systemClock } from '../../../engine/contract/concurrency/clock.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { createBatcher } from '../beacons/batcher.ts';
import { secretHashOf } from '../browser-name.ts';
import { countSiteTime, type SiteTime } from './store.ts';

interface Body {
  readonly browserSecret?: string;
  readonly secondsOnSite?: number;
}

/** Called once the browser's subscription is stored. What it costs is not the request's. */
export type NoteSiteTime = (appId: AppId, body: Body) => void;

/** Reports of a second go into one statement an app: a busy site's would queue for one row. */
const DELAY_MS = 1_000;
const MAX_SIZE = 1_000;
const MAX_HELD = 8_192;

export function createNoteSiteTime(database: Database, log: FastifyBaseLogger): NoteSiteTime {
  const reports = createBatcher<SiteTime>({
    sizeOf: () => 1,
    maxSize: MAX_SIZE,
    maxHeld: MAX_HELD,
    delayMs: DELAY_MS,
    maxFlushes: 1,
    clock: systemClock,
    flush: (batch) => countSiteTime(database, batch),
    onAway: (err, count) => log.warn({ err, count }, 'time on site is not counted for now'),
  });
  return (appId, { browserSecret, secondsOnSite = 0 }) => {
    const secretHash = secretHashOf(browserSecret);
    // Where it cannot be counted now, it is lost: nothing waits for it.
    if (secretHash !== null && secondsOnSite > 0)
      void reports.submit({ appId, secretHash, seconds: secondsOnSite });
  };
}
