import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { chromeGuardDefaults } from '../../../engine/contract/chrome-guard.ts';
import { percent, timestamp } from '../../http/fields.ts';
import type { StoredApp } from '../apps/store.ts';
import { PERMISSION_DAYS, type PermissionCounts, readPermissions } from './permissions.ts';
import type { StandingOfReaders } from './readers-schema.ts';
import { readSiteWeeks, type SiteWeek } from './site-weeks.ts';
import { readUnsubscribedAfter, type UnsubscribedAfter } from './unsubscribed-after.ts';
import { readWeek } from './week.ts';
import { wilson } from './wilson.ts';

/** What browsers judge a site by, as far as its sender can see it. */
export async function readStandingOfReaders(sql: Sql, app: StoredApp): Promise<StandingOfReaders> {
  const at = new Date();
  const { browsers, near, at_limit, exact } = await readWeek(
    sql,
    app.id,
    app.chrome_guard ?? chromeGuardDefaults,
  );
  const subscribers = browsers.reduce((sum, each) => sum + each.subscribers, 0);
  const pushes = await readUnsubscribedAfter(sql, app.id, at.getTime());
  return {
    counted_at: timestamp(at),
    exact,
    week: browsers.map(({ browser, subscribers: of, notifications, most }) => ({
      ...{ browser, subscribers: of, per_reader: rounded(notifications / Math.max(1, of), 2), most },
    })),
    revocation: { subscribers, near, at_limit, percent: percent(near + at_limit, subscribers) },
    pushes: pushes.map(pushResource),
    permissions: permissionsResource(await readPermissions(sql, app.id)),
    site_weeks: (await readSiteWeeks(sql, app.id)).map(weekResource),
  };
}

const permissionsResource = ({ revoked, won_back }: PermissionCounts) => ({
  ...{ days: PERMISSION_DAYS, revoked, won_back },
  percent: revoked === 0 ? null : percent(won_back, revoked),
});

function weekResource({ since, seconds, pushes, prompts }: SiteWeek) {
  const anHour = (count: number): number | null =>
    seconds === 0 ? null : rounded((count * 3_600) / seconds, 2);
  const hours = rounded(seconds / 3_600, 2);
  return {
    since,
    hours,
    pushes,
    prompts,
    pushes_per_hour: anHour(pushes),
    prompts_per_hour: anHour(prompts),
  };
}

/** Shares are small: of 100,000 readers, 20 more who left are 0.02 %. */
function pushResource(push: UnsubscribedAfter): StandingOfReaders['pushes'][number] {
  const { accepted, unsubscribed } = push;
  const range = unsubscribed === null ? null : wilson(unsubscribed, accepted);
  const shareOf = (share: number | undefined): number | null =>
    share === undefined ? null : rounded(share * 100, 3);
  return {
    ...push,
    started_at: timestamp(push.started_at),
    percent: unsubscribed === null ? null : shareOf(unsubscribed / accepted),
    percent_low: shareOf(range?.low),
    percent_high: shareOf(range?.high),
  };
}

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
