import { imageHashesOf } from '../../../engine/adapters/postgres/campaigns/insert-campaign.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type {
  CampaignKind,
  CampaignProgress,
  CampaignSettings,
  CampaignStatus,
} from '../../../engine/contract/campaign.ts';
import { openCampaignStatuses } from '../../../engine/contract/campaign.ts';
import type { AppId, DeliveryId, UserId } from '../../../engine/contract/ids.ts';
import type { Found, Page } from '../../http/page.ts';
import type { Approval } from '../approvals/schema.ts';
import { approvalOf, authorsWith } from '../approvals/store.ts';
import type { CampaignFilters } from './schema.ts';

export interface StoredCampaign {
  readonly id: number;
  readonly kind: CampaignKind;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly settings: CampaignSettings;
  readonly progress: CampaignProgress;
  readonly parent_id: number | null;
  readonly next_step_at: Date | null;
  readonly error_message: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly deliveries: number;
  readonly total_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
  /** Of a feed, that wait. */
  readonly drafts: number;
  /** Raised by every change, and by every step. */
  readonly step: number;
  readonly approval: Approval | null;
}

/** Of a campaign and its firings: the sums of their deliveries, of running ones those of their shards. */
const sums = `
  SELECT count(*)::int AS deliveries, coalesce(sum(greatest(total_subscribers, live.audience)), 0)::int AS total_subscribers,
    coalesce(sum(coalesce(live.accepted, success_count)), 0)::int AS success_count,
    coalesce(sum(coalesce(live.failed, deliveries.failed_count)), 0)::int AS failed_count
  FROM deliveries LEFT JOIN LATERAL (
    SELECT sum(accepted_count) AS accepted, sum(failed_count) AS failed, coalesce(sum(audience_count), 0) AS audience
    FROM shards WHERE delivery_id = deliveries.id
  ) AS live ON status IN ('processing', 'cancelled')
  WHERE campaign_id = campaigns.id OR campaign_id IN (SELECT id FROM campaigns AS runs WHERE runs.parent_id = campaigns.id)`;
const columns = `campaigns.id, kind, name, campaigns.status, settings, progress, parent_id, next_step_at, error_message, created_at, updated_at,
  started_at, completed_at, sums.*,
  (SELECT count(*) FROM feed_items WHERE campaign_id = campaigns.id AND feed_items.status = 'draft')::int AS drafts, step, ${approvalOf('campaigns')}`;
const from = `campaigns CROSS JOIN LATERAL (${sums}) AS sums`;

export async function findCampaign(sql: Sql, appId: AppId, id: number): Promise<StoredCampaign | null> {
  const [row] = await sql.query<StoredCampaign>(
    `SELECT ${columns} FROM ${from} WHERE campaigns.app_id = $1 AND campaigns.id = $2`,
    [appId, id],
  );
  return row ?? null;
}

/** Newest first; firings of recurring campaigns only where they are asked for. */
export async function listCampaigns(
  sql: Sql,
  appId: AppId,
  { status, kind, parent_id: parent, approval }: CampaignFilters,
  page: Page,
): Promise<Found<StoredCampaign>> {
  const where = `app_id = $1 AND status = coalesce($2, status) AND kind = coalesce($3, kind)
    AND parent_id IS NOT DISTINCT FROM $4::bigint
    AND ($5::text IS NULL OR EXISTS (SELECT FROM approvals WHERE campaign_id = campaigns.id AND state = $5))`;
  const values = [appId, status ?? null, kind ?? null, parent ?? null, approval ?? null];
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM campaigns WHERE ${where}`,
    values,
  );
  const rows = await sql.query<StoredCampaign>(
    `SELECT ${columns} FROM (
       SELECT * FROM campaigns WHERE ${where} ORDER BY id DESC LIMIT $6 OFFSET $7
     ) AS campaigns CROSS JOIN LATERAL (${sums}) AS sums ORDER BY campaigns.id DESC`,
    [...values, page.size, page.offset],
  );
  return { rows, total: count?.total ?? 0 };
}

export interface LockedCampaign {
  readonly status: CampaignStatus;
  readonly step: number;
  readonly name: string;
  readonly settings: CampaignSettings;
  readonly progress: CampaignProgress;
}

/** No step moves it until the caller's transaction ends. Null: the app has none of this number. */
export async function lockCampaign(sql: Sql, appId: AppId, id: number): Promise<LockedCampaign | null> {
  const [row] = await sql.query<LockedCampaign>(
    `SELECT status, step, name, settings, progress FROM campaigns WHERE app_id = $1 AND id = $2 FOR UPDATE`,
    [appId, id],
  );
  return row ?? null;
}

/** Of a locked one that is scheduled, or a feed. */
export async function replaceCampaign(
  sql: Sql,
  id: number,
  campaign: {
    readonly name: string;
    readonly settings: CampaignSettings;
    readonly progress: CampaignProgress;
    /** Null: none comes until somebody approves it. */
    readonly firstStepAt: Date | null;
  },
  userId: UserId | null,
): Promise<void> {
  const { segmentId, categoryId } = campaign.settings.options;
  await sql.query(
    `UPDATE campaigns SET kind = $2, name = $3, settings = $4, progress = $5, segment_id = $6, delivery_category_id = $7,
       image_hashes = $8, next_step_at = $9, retry_at = NULL, error_message = NULL, authors = ${authorsWith('$10')},
       step = step + 1, updated_at = now()
     WHERE id = $1`,
    [
      id,
      campaign.settings.plan.kind,
      campaign.name,
      JSON.stringify(campaign.settings),
      JSON.stringify(campaign.progress),
      segmentId,
      categoryId,
      imageHashesOf(campaign.settings),
      campaign.firstStepAt,
      userId,
    ],
  );
}

/** Of a locked test: the engine's next step sends the winner. */
export async function noteDecision(sql: Sql, id: number, progress: CampaignProgress): Promise<void> {
  await sql.query(
    `UPDATE campaigns SET progress = $2, status = 'running', next_step_at = now(), retry_at = NULL, step = step + 1, updated_at = now()
     WHERE id = $1`,
    [id, JSON.stringify(progress)],
  );
}

/** Of a locked one, with its firings: no step comes any more. @returns its deliveries that are not over. */
export async function markCancelled(sql: Sql, id: number): Promise<DeliveryId[]> {
  await sql.query(
    `UPDATE campaigns SET status = 'cancelled', next_step_at = NULL, retry_at = NULL, step = step + 1, updated_at = now()
     WHERE (id = $1 OR parent_id = $1) AND status = ANY($2)`,
    [id, openCampaignStatuses],
  );
  await sql.query(`DELETE FROM feed_keys WHERE campaign_id = $1`, [id]);
  // Waits for an approval that has begun: its delivery is among those below.
  await sql.query(
    `UPDATE feed_items SET status = 'dismissed', image_hash = NULL, icon_hash = NULL, decided_at = now()
     WHERE campaign_id = $1 AND status = 'draft'`,
    [id],
  );
  const rows = await sql.query<{ id: DeliveryId }>(
    `SELECT id FROM deliveries WHERE status IN ('pending', 'scheduled', 'queued', 'processing')
       AND campaign_id IN (SELECT id FROM campaigns WHERE id = $1 OR parent_id = $1) ORDER BY id`,
    [id],
  );
  return rows.map((row) => row.id);
}

/** Those that run, of all apps of the organization: each check is work of an engine, whatever the feed's server sends. */
export async function countFeeds(sql: Sql, appId: AppId): Promise<number> {
  const [row] = await sql.query<{ feeds: number }>(
    `SELECT count(*)::int AS feeds FROM campaigns WHERE kind = 'feed' AND status = ANY($2) AND app_id IN (
       SELECT id FROM apps WHERE deleted_at IS NULL
         AND organization_id = (SELECT organization_id FROM apps WHERE id = $1))`,
    [appId, openCampaignStatuses],
  );
  return row?.feeds ?? 0;
}

/** Whether something of it can still be cancelled: a step, or a delivery. */
export async function isOver(sql: Sql, id: number): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM campaigns WHERE (id = $1 OR parent_id = $1) AND status = ANY($2)
     UNION ALL SELECT 1 FROM deliveries WHERE status IN ('pending', 'scheduled', 'queued', 'processing')
       AND campaign_id IN (SELECT id FROM campaigns WHERE id = $1 OR parent_id = $1) LIMIT 1`,
    [id, openCampaignStatuses],
  );
  return rows.length === 0;
}

const MAX_CLICKED_DELIVERIES = 1_000;

/** The newest of its deliveries, whose clicks make up its own. */
export async function deliveriesOf(
  sql: Sql,
  id: number,
): Promise<{ readonly id: DeliveryId; readonly role: string }[]> {
  return sql.query(
    `SELECT id, campaign_role AS role FROM deliveries
     WHERE campaign_id IN (SELECT id FROM campaigns WHERE id = $1 OR parent_id = $1) ORDER BY id DESC LIMIT $2`,
    [id, MAX_CLICKED_DELIVERIES],
  );
}
