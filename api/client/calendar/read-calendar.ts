import { IS_COUNTED } from '../../../engine/adapters/postgres/deliveries/counted.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { nextFiring } from '../../../engine/campaigns/rules/firings.ts';
import type { CampaignSettings, CampaignStatus, RecurringPlan } from '../../../engine/contract/campaign.ts';
import type { DeliveryStatus } from '../../../engine/contract/delivery.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { timestamp } from '../../http/fields.ts';
import type { ApprovalState } from '../approvals/schema.ts';
import { type CalendarEntry, MOST_ENTRIES } from './schema.ts';

export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/** Schedules first, which may be old; then the newest of the others. */
const MOST_CAMPAIGNS = 200;

interface DeliveryRow {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly at: Date;
  readonly status: DeliveryStatus;
  readonly campaign_id: number | null;
  readonly success_count: number;
  readonly approval: ApprovalState | null;
  readonly changes: number;
}

interface CampaignRow {
  readonly id: number;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly settings: CampaignSettings;
  readonly parent_id: number | null;
  readonly at: Date;
  readonly approval: ApprovalState | null;
}

/** What was sent, what is scheduled, and what is expected. Rehearsals, tests, and what never started are left out. */
export async function readCalendar(
  sql: Sql,
  appId: AppId,
  span: Span,
  now: Date,
): Promise<{ readonly entries: CalendarEntry[]; readonly truncated: boolean }> {
  const deliveries = await readDeliveries(sql, appId, span);
  const campaigns = await readCampaigns(sql, appId);
  const entries = [
    ...deliveries.map(entryOfDelivery),
    ...campaigns.flatMap((campaign) => entriesOfCampaign(campaign, span, now)),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.id - b.id);
  return { entries: entries.slice(0, MOST_ENTRIES), truncated: entries.length > MOST_ENTRIES };
}

/** One that is sent at once has no other time than that of its creation; the index on both is that of days. */
const readDeliveries = (sql: Sql, appId: AppId, { from, until }: Span): Promise<DeliveryRow[]> =>
  sql.query<DeliveryRow>(
    `SELECT id, name, title, coalesce(scheduled_at, created_at) AS at, status, campaign_id, changes,
       coalesce(live.accepted, success_count)::int AS success_count,
       (SELECT state FROM approvals WHERE delivery_id = deliveries.id) AS approval
     FROM deliveries LEFT JOIN LATERAL (
       SELECT sum(accepted_count) AS accepted FROM shards WHERE delivery_id = deliveries.id
     ) AS live ON status IN ('processing', 'cancelled')
     WHERE app_id = $1 AND coalesce(scheduled_at, created_at) BETWEEN $2 AND $3 AND ${IS_COUNTED}
       AND (status <> 'cancelled' OR started_at IS NOT NULL)
     ORDER BY coalesce(scheduled_at, created_at), id LIMIT ${MOST_ENTRIES + 1}`,
    [appId, from, until],
  );

/** Of one that waits for somebody, its first step is where it would be. Feeds are checked again and again: that is not a send. */
const readCampaigns = (sql: Sql, appId: AppId): Promise<CampaignRow[]> =>
  sql.query<CampaignRow>(
    `SELECT campaigns.id, name, status, settings, parent_id, coalesce(next_step_at, first_step_at) AS at,
       approvals.state AS approval
     FROM campaigns LEFT JOIN approvals ON approvals.campaign_id = campaigns.id
     WHERE campaigns.app_id = $1 AND status IN ('scheduled', 'running') AND kind <> 'feed'
       AND coalesce(next_step_at, first_step_at) IS NOT NULL
     ORDER BY kind = 'recurring' DESC, id DESC LIMIT ${MOST_CAMPAIGNS}`,
    [appId],
  );

const entryOfDelivery = (row: DeliveryRow): CalendarEntry => {
  const isToCome = row.status === 'scheduled' || (row.status === 'pending' && row.approval !== null);
  return {
    kind: 'delivery',
    ...{ id: Number(row.id), name: row.name, title: row.title, at: timestamp(row.at), status: row.status },
    campaign_id: row.campaign_id === null ? null : Number(row.campaign_id),
    success_count: isToCome ? null : row.success_count,
    approval: row.approval,
    movable: isToCome && row.campaign_id === null,
    changes: row.changes,
    by_reader: false,
  };
};

function entriesOfCampaign(row: CampaignRow, span: Span, now: Date): CalendarEntry[] {
  const { plan, options, contents } = row.settings;
  if (options.rehearsal) return [];
  const entry = (kind: CalendarEntry['kind'], at: Date): CalendarEntry => ({
    ...{ kind, id: Number(row.id), name: row.name, title: contents[0]?.title ?? row.name, at: timestamp(at) },
    ...{ status: row.status, campaign_id: row.parent_id === null ? null : Number(row.parent_id) },
    ...{ success_count: null, approval: row.approval, movable: false, changes: null },
    by_reader: plan.kind === 'local_time' || (plan.kind === 'recurring' && plan.zone === 'reader'),
  });
  if (plan.kind === 'recurring') return firingsIn(plan, span, now).map((at) => entry('firing', at));
  return row.at >= span.from && row.at <= span.until ? [entry('campaign', row.at)] : [];
}

/** Those to come: what has fired is a delivery. Wherever readers are, its time is shown as clocks of the app have it. */
function firingsIn(plan: RecurringPlan, { from, until }: Span, now: Date): Date[] {
  const schedule = {
    cron: plan.cron,
    zone: plan.zone === 'reader' ? plan.appZone : plan.zone,
    from: plan.from === null ? null : new Date(plan.from),
    until: plan.until === null ? null : new Date(plan.until),
  };
  const firings: Date[] = [];
  let next = nextFiring(schedule, new Date(Math.max(from.getTime() - 1, now.getTime())));
  while (next !== null && next <= until && firings.length <= MOST_ENTRIES) {
    firings.push(next);
    next = nextFiring(schedule, next);
  }
  return firings;
}
