import { instantsOfPlan } from '../../../engine/campaigns/rules/zoned.ts';
import {
  type CampaignPlan,
  type CampaignSettings,
  type CampaignStatus,
  type LocalTimePlan,
  openCampaignStatuses,
  type QuietHoursPlan,
} from '../../../engine/contract/campaign.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import type { Using } from '../../ports/deps.ts';
import { whoeverWaits } from '../../reads/reads.ts';
import { ReadTooLong } from '../../reads/refused.ts';
import { createRemember } from '../analytics/remember.ts';
import type { StoredApp } from '../apps/store.ts';
import { type AskedAudience, countByZone } from './count-by-zone.ts';

/** The first and the last instant at which readers get it. */
export interface ReaderTimes {
  readonly first: Date;
  readonly last: Date;
}

interface ZonedCampaign {
  readonly status: CampaignStatus;
  readonly settings: CampaignSettings;
}

export type ReaderTimesOf = (campaign: ZonedCampaign) => Promise<ReaderTimes | null>;

type ZonedPlan = LocalTimePlan | QuietHoursPlan;

/** Of one campaign of a page. A page may have many. */
const LIMIT_MS = 3_000;

/**
 * An engine wakes for a campaign by its readers' time zones at the first instant anywhere on Earth: that says nothing to
 * people. Which zones an audience is in is counted, and remembered for minutes.
 */
export function createReaderTimes({ database, reads, analytics }: Using<'database' | 'reads' | 'analytics'>) {
  const remember = createRemember(database);

  async function zonesOf(
    organizationId: OrganizationId,
    app: StoredApp,
    asked: AskedAudience,
  ): Promise<ReadonlySet<string> | null> {
    const question = `reader-zones ${asked.segment_id ?? '-'} ${asked.delivery_category_id ?? '-'}`;
    const { zones } = await remember(app.id, question, () =>
      reads
        .pass({ organizationId, signal: whoeverWaits, limitMs: LIMIT_MS }, async (query) => {
          const counted = await countByZone({ query, analytics }, app, asked);
          return { zones: counted.kind === 'zones' ? [...counted.zones.keys()] : [] };
        })
        // Remembered too: pages ask every few seconds, and each try would take as much of the organization's time.
        .catch((error: unknown) => {
          if (error instanceof ReadTooLong) return { zones: null };
          throw error;
        }),
    );
    if (zones === null) return null;
    // Whoever subscribes in time is most likely at home.
    return new Set(zones.length === 0 ? [timeZoneOf(app.time_zone) ?? 'UTC'] : zones);
  }

  /** Null: it is over, is not by time zones, is later nowhere any more, or its readers could not be counted in time. */
  return (organizationId: OrganizationId, app: StoredApp): ReaderTimesOf =>
    async ({ status, settings: { plan, options } }) => {
      if (!isZoned(plan) || !openCampaignStatuses.some((open) => open === status)) return null;
      const asked = {
        ...(options.segmentId === null ? {} : { segment_id: options.segmentId }),
        ...(options.categoryId === null ? {} : { delivery_category_id: options.categoryId }),
      };
      const zones = await zonesOf(organizationId, app, asked).catch(() => null);
      return zones === null ? null : timesOf(plan, zones);
    };
}

const isZoned = (plan: CampaignPlan): plan is ZonedPlan =>
  plan.kind === 'local_time' || plan.kind === 'quiet_hours';

/** A time that has passed in a zone is served at once where the plan sends to those, too. */
export function timesOf(plan: ZonedPlan, zones: ReadonlySet<string>): ReaderTimes | null {
  const beginsMs = Date.parse(plan.kind === 'local_time' ? plan.createdAt : plan.at);
  const times = instantsOfPlan(plan)
    .filter((instant) => instant.zones.some((zone) => zones.has(zone)))
    .map(({ at }) => Math.max(at.getTime(), beginsMs));
  const [first] = times;
  return first === undefined ? null : { first: new Date(first), last: new Date(times.at(-1) ?? first) };
}
