import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { timestamp } from '../../http/fields.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import { RESULT_DAYS, type WelcomeResource } from './schema.ts';
import { readSends, type WelcomeSends } from './store.ts';

const DAY_MS = 86_400_000;

type Results = WelcomeResource['results'];

/**
 * What the app's welcomes of these days did, all of them together.
 * @throws AnalyticsAway.
 */
export async function readResults(sql: Sql, analytics: AnalyticsPort, appId: AppId): Promise<Results> {
  const sends = await readSends(sql, appId, RESULT_DAYS);
  const first = new Date(Date.now() - RESULT_DAYS * DAY_MS).toISOString().slice(0, 10);
  const reactions = sends.sent === 0 ? null : await analytics.reactionsSince(appId, first);
  // Never more than were sent: beacons may be ahead of the count.
  const sumOf = (kind: 'displayed' | 'clicked'): number =>
    Math.min(
      sends.ids.reduce((sum, id) => sum + (reactions?.get(id)?.[kind] ?? 0), 0),
      sends.sent,
    );
  return { ...countsOf(sends), displayed: sumOf('displayed'), clicked: sumOf('clicked') };
}

/** While nobody can say more. */
export async function readSent(sql: Sql, appId: AppId): Promise<Results> {
  return { ...countsOf(await readSends(sql, appId, RESULT_DAYS)), displayed: null, clicked: null };
}

const countsOf = ({ sent, failed, at }: WelcomeSends) =>
  ({ days: RESULT_DAYS, sent, failed, as_of: timestamp(at) }) as const;
