import {
  type CampaignDelivery,
  type CampaignMove,
  type CampaignPart,
  type CampaignProgress,
  type CampaignSettings,
  contentOf,
  type DueCampaign,
  openCampaignStatuses,
  type QuietHoursSetting,
  type VariantDelivery,
} from '../../../contract/campaign.ts';
import type { Face } from '../../../contract/face.ts';
import type { AppId, DeliveryId } from '../../../contract/ids.ts';
import type { Wording } from '../../../contract/wording.ts';
import { faceOfApp } from '../app-face.ts';
import type { Database } from '../database.ts';
import { audiencePredicate } from '../deliveries/audience.ts';
import { storeDelivery } from '../deliveries/store-delivery.ts';
import type { Sql } from '../sql.ts';
import { readFeed, writeNotes } from './feed-notes.ts';
import { insertCampaign } from './insert-campaign.ts';

interface DueRow {
  readonly id: number;
  readonly app_id: AppId;
  readonly app: string;
  readonly name: string;
  readonly settings: CampaignSettings;
  readonly progress: CampaignProgress;
  readonly step: number;
  readonly due_at: Date;
  readonly now: Date;
  readonly quiet_hours: QuietHoursSetting | null;
  readonly time_zone: string;
  readonly must_review: boolean;
  readonly face: Face;
}

interface Identity {
  readonly identifier: string;
  readonly plaintext: Uint8Array;
  readonly wording?: Wording | null;
}

const MAX_NAME = 255;
const LOOKS_OF_AN_ORGANIZATION = 2;
export const stepIsDue = 'next_step_at <= now() AND (retry_at IS NULL OR retry_at <= now())';
const dueColumns = `campaigns.id, app_id, apps.identifier AS app, apps.quiet_hours, apps.time_zone, apps.approval <> 'none' AS must_review, ${faceOfApp} AS face, campaigns.name, settings, progress, step,
  next_step_at AS due_at, now() AS now`;

/**
 * The campaign stage's statements. A step is fenced by the number that it read, and everything else can be repeated.
 *
 * What a campaign does next lives in `campaigns.next_step_at` and `progress`, moved on with the deliveries that a step
 * creates. If its owner dies, any engine takes the step; one that failed is tried again after a minute.
 */
export function createCampaignStore(database: Database) {
  return {
    findDue: async (limit: number): Promise<DueCampaign[]> => {
      const rows = await database.query<DueRow>(
        `SELECT ${dueColumns}
         FROM campaigns JOIN apps ON apps.id = app_id
         WHERE kind <> 'feed' AND ${stepIsDue} AND apps.deleted_at IS NULL
         ORDER BY next_step_at, campaigns.id LIMIT $1`,
        [limit],
      );
      return rows.map(dueOf);
    },

    claimFeeds: (limit: number, busy: readonly AppId[], leaseMs: number) =>
      claimFeeds(database, limit, busy, leaseMs),

    keepFeed: async ({ id, step }: DueCampaign, leaseMs: number): Promise<void> => {
      await database.query(
        `UPDATE campaigns SET retry_at = greatest(retry_at, now() + make_interval(secs => $3 / 1000.0))
         WHERE id = $1 AND step = $2 AND next_step_at IS NOT NULL`,
        [id, step, leaseMs],
      );
    },

    readFeed: (id: number, keys: readonly string[]) => readFeed(database, id, keys),

    readVariants: (id: number): Promise<VariantDelivery[]> => readVariants(database, id),

    hasReaders: async (appId: AppId, part: CampaignPart): Promise<boolean> => {
      const audience = { rules: null, category_id: null, at: new Date(0).toISOString(), part };
      const { text, values } = audiencePredicate(audience, 1);
      const rows = await database.query(
        `SELECT 1 FROM subscriptions WHERE app_id = $1 AND status = 'subscribed' AND ${text} LIMIT 1`,
        [appId, ...values],
      );
      return rows.length > 0;
    },

    move: (campaign: DueCampaign, move: CampaignMove, identities: readonly Identity[]): Promise<boolean> =>
      database.transaction(async (sql) => {
        if (!(await moveRow(sql, campaign, move))) return false;
        if (move.feed !== undefined) await writeNotes(sql, campaign, move.feed);
        for (const [index, delivery] of move.deliveries.entries()) {
          const identity = identities[index];
          if (identity === undefined) throw new RangeError('a delivery of the step has no identity');
          await createDeliveryOf(sql, campaign, delivery, identity);
        }
        for (const { run, settings } of move.runs)
          await insertCampaign(sql, {
            appId: campaign.appId,
            name: nameOf(campaign.name, labelOf(run, settings)),
            settings,
            progress: {},
            firstStepAt: campaign.now,
            parent: { id: campaign.id, run },
          });
        return true;
      }),

    defer: async ({ id, step }: DueCampaign, seconds: number, words: string): Promise<void> => {
      await database.query(
        `UPDATE campaigns SET retry_at = now() + make_interval(secs => $3), error_message = $4, updated_at = now()
         WHERE id = $1 AND step = $2 AND next_step_at IS NOT NULL`,
        [id, step, seconds, words],
      );
    },
  };
}

const dueOf = ({
  app_id: appId,
  due_at: dueAt,
  must_review: mustReview,
  quiet_hours: quietHours,
  time_zone: zone,
  ...row
}: DueRow): DueCampaign => ({
  ...row,
  ...{ appId, dueAt, quietHours, zone, mustReview },
});

/** Of an organization one at a time, and two in flight: a server that hangs delays the feeds of no other organization. */
async function claimFeeds(
  sql: Sql,
  limit: number,
  busy: readonly AppId[],
  leaseMs: number,
): Promise<DueCampaign[]> {
  const rows = await sql.query<DueRow>(
    `WITH busy AS (
       SELECT organization_id FROM apps WHERE id = ANY($2::integer[])
       GROUP BY organization_id HAVING count(*) >= ${LOOKS_OF_AN_ORGANIZATION}
     ), ranked AS (
       SELECT DISTINCT ON (organization_id) campaigns.id, next_step_at FROM campaigns JOIN apps ON apps.id = app_id
       WHERE kind = 'feed' AND ${stepIsDue}
         AND apps.deleted_at IS NULL AND app_id <> ALL($2::integer[])
         AND organization_id NOT IN (SELECT organization_id FROM busy)
       ORDER BY organization_id, next_step_at, campaigns.id
     ), chosen AS (
       SELECT id FROM campaigns
       WHERE id = ANY(ARRAY(SELECT id FROM ranked ORDER BY next_step_at LIMIT $1))
         AND ${stepIsDue}
       ORDER BY id FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE campaigns SET retry_at = now() + make_interval(secs => $3 / 1000.0)
       FROM chosen WHERE campaigns.id = chosen.id RETURNING campaigns.*
     )
     SELECT ${dueColumns} FROM claimed AS campaigns JOIN apps ON apps.id = app_id ORDER BY next_step_at`,
    [limit, busy, leaseMs],
  );
  return rows.map(dueOf);
}

/**
 * Whichever engine comes first: another one that holds the row is at the same step. A feed's check belongs to one engine, so
 * whoever holds its row is an API's request: to wait for that is cheaper than to check again.
 */
async function moveRow(sql: Sql, { id, step, settings }: DueCampaign, move: CampaignMove): Promise<boolean> {
  const lock = settings.plan.kind === 'feed' ? 'FOR UPDATE' : 'FOR UPDATE SKIP LOCKED';
  const rows = await sql.query(
    `WITH due AS (
       SELECT id FROM campaigns WHERE id = $1 AND step = $2 AND next_step_at <= now()
         AND status = ANY($3) AND EXISTS (SELECT FROM apps WHERE apps.id = app_id AND deleted_at IS NULL)
       ${lock}
     )
     UPDATE campaigns SET step = step + 1, status = $4, next_step_at = $5, progress = $6, retry_at = NULL,
       error_message = $7, started_at = coalesce(started_at, now()), updated_at = now(),
       completed_at = CASE WHEN $4 = 'completed' THEN now() END
     FROM due WHERE campaigns.id = due.id RETURNING campaigns.id`,
    [id, step, openCampaignStatuses, move.status, move.nextAt, JSON.stringify(move.progress), move.trouble],
  );
  return rows.length === 1;
}

/** A campaign that was inserted in this transaction, with its first delivery. */
export async function startCampaign(sql: Sql, id: number, move: CampaignMove): Promise<void> {
  await sql.query(
    `UPDATE campaigns SET step = step + 1, status = $2, next_step_at = $3, progress = $4, started_at = now(),
       completed_at = CASE WHEN $2 = 'completed' THEN now() END WHERE id = $1`,
    [id, move.status, move.nextAt, JSON.stringify(move.progress)],
  );
}

/** Of a campaign, in the transaction that notes why. */
export async function createDeliveryOf(
  sql: Sql,
  { id, appId, name, settings }: Pick<DueCampaign, 'id' | 'appId' | 'name' | 'settings'>,
  { role, content, part, scheduledAt }: CampaignDelivery,
  { identifier, plaintext, wording = null }: Identity,
): Promise<void> {
  const words = contentOf(settings, content);
  const { options } = settings;
  await storeDelivery(sql, {
    appId,
    identifier,
    name: typeof content === 'number' ? nameOf(name, role) : nameOf(name, words.title.slice(0, MAX_NAME / 2)),
    title: words.title,
    body: words.body,
    url: words.url,
    imageHash: words.imageHash === null ? null : Buffer.from(words.imageHash, 'hex'),
    imageUrl: words.imageUrl,
    iconUrl: words.iconUrl ?? null,
    buttons: words.buttons,
    plaintext,
    language: words.language ?? null,
    translations: words.translations ?? [],
    wording,
    segmentId: options.segmentId,
    approvedRules: options.approvedRules ?? null,
    categoryId: options.categoryId,
    ignoreCap: options.ignoreCap,
    ttlSeconds: options.ttlSeconds,
    requireInteraction: options.requireInteraction,
    topic: options.topic,
    urgency: options.urgency,
    lane: 'bulk',
    ratePerMinute: options.ratePerMinute,
    rehearsal: options.rehearsal,
    scheduledAt: scheduledAt ?? null,
    expiresAt: dateOf(options.expiresAt),
    traceparent: null,
    campaign: { id, role, part },
    corrects: null,
  });
}

const dateOf = (text: string | null | undefined): Date | null =>
  text === null || text === undefined ? null : new Date(text);

/** Of a firing by local time its day; of an item of a feed that waits for the end of quiet hours, what it says. */
function labelOf(run: string, { contents }: CampaignSettings): string {
  if (/^\d{4}-/.test(run)) return run.slice(0, 10);
  return run.startsWith('run ') ? run : (contents[0]?.title.slice(0, MAX_NAME / 2) ?? run);
}

/** A label for people: cut, so that it fits. */
function nameOf(name: string, role: string): string {
  const what = role
    .replace(/^variant-/, 'variant ')
    .replace(/^(?:run|zones) (\S{10})T(\d\d:\d\d)\S*Z$/, '$1 $2 UTC');
  return `${name.slice(0, MAX_NAME - what.length - 3)} · ${what}`;
}

/** Accepted so far: a delivery that still runs has its sums in its shards. */
export async function readVariants(sql: Sql, campaignId: number): Promise<VariantDelivery[]> {
  const rows = await sql.query<{ id: DeliveryId; role: string; accepted: number }>(
    `SELECT id, campaign_role AS role,
       CASE WHEN completed_at IS NULL
         THEN coalesce((SELECT sum(accepted_count) FROM shards WHERE delivery_id = deliveries.id), 0)::int
         ELSE success_count END AS accepted
     FROM deliveries WHERE campaign_id = $1 AND campaign_role LIKE 'variant-%'`,
    [campaignId],
  );
  return rows
    .map(({ id, role, accepted }) => ({
      deliveryId: id,
      content: Number(role.slice('variant-'.length)) - 1,
      accepted,
    }))
    .sort((a, b) => a.content - b.content);
}
