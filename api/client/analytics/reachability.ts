import { Type } from 'typebox';
import { audiencePredicate } from '../../../engine/adapters/postgres/deliveries/audience.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { type AudienceRules, reachKey, recentReach } from '../../../engine/contract/audience.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { REACHABLE_DAYS } from '../../../engine/contract/reach.ts';
import { nullable, timeField, timestamp } from '../../http/fields.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';

const counts = {
  subscribers: Type.Integer({ description: 'Subscribed.' }),
  reachable: Type.Integer({ description: 'Of them.' }),
};

export const reachabilitySchema = Type.Object(
  {
    days: Type.Integer({
      description:
        'The number of days within which a reader visited, or the browser reported a notification.',
    }),
    counted_at: timeField,
    ...counts,
    browsers: Type.Array(
      Type.Object({
        browser: nullable<string>({ type: 'string', description: 'Null: not known.' }),
        ...counts,
      }),
      { description: 'The one with the most subscribers first.' },
    ),
  },
  {
    title: 'Reachability',
    examples: [
      {
        days: REACHABLE_DAYS,
        counted_at: '2026-01-31T12:00:00+00:00',
        subscribers: 117_930,
        reachable: 92_410,
        browsers: [
          { browser: 'Chrome', subscribers: 98_020, reachable: 80_115 },
          { browser: 'Safari', subscribers: 19_910, reachable: 12_295 },
        ],
      },
    ],
  },
);

interface BrowserCount {
  readonly browser: string | null;
  readonly subscribers: number;
  readonly reachable: number;
}

const reachable: AudienceRules = { match: 'all', conditions: [{ field: 'reachable', operator: 'is' }] };

/**
 * A subscription lasts until its push service says that it is over, and FCM says so after 270 days; who was seen
 * lately can be reached. By the rule that segments have. @throws AnalyticsAway where ClickHouse does not answer.
 */
export function createReadReachability(sql: Sql, analytics: Pick<AnalyticsPort, 'reacted'>) {
  return async function readReachability(appId: AppId) {
    const bits = await analytics.reacted(appId, recentReach);
    const at = new Date();
    const { text, values } = audiencePredicate(
      { rules: reachable, category_id: null, at: at.toISOString() },
      1,
      new Map([[reachKey(recentReach), { first: 0, bits }]]),
    );
    const browsers = await sql.query<BrowserCount>(
      `SELECT browser_name AS browser, count(*)::int AS subscribers, count(*) FILTER (WHERE ${text})::int AS reachable
       FROM subscriptions WHERE app_id = $1 AND status = 'subscribed' GROUP BY 1 ORDER BY 2 DESC, 1`,
      [appId, ...values],
    );
    const sumOf = (name: 'subscribers' | 'reachable'): number =>
      browsers.reduce((sum, each) => sum + each[name], 0);
    return {
      days: REACHABLE_DAYS,
      counted_at: timestamp(at),
      subscribers: sumOf('subscribers'),
      reachable: sumOf('reachable'),
      browsers,
    };
  };
}
