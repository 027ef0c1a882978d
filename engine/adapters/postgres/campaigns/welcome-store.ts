import type { AppId } from '../../../contract/ids.ts';
import type { Welcome } from '../../../contract/welcome.ts';
import type { Wording } from '../../../contract/wording.ts';
import { faceOfApp } from '../app-face.ts';
import type { Database } from '../database.ts';
import { type NewDelivery, storeDelivery } from '../deliveries/store-delivery.ts';
import type { Sql } from '../sql.ts';

/** So an app has at most one such delivery in this time, however many readers come. */
const BATCH_EVERY_SECONDS = 10;
const POSTPONE_SECONDS = 60;

export const hasWaiting = `next_at <= now()
  AND EXISTS (SELECT FROM welcomes WHERE welcomes.app_id = welcome_templates.app_id AND due_at <= now())`;

interface Identity {
  readonly identifier: string;
  readonly plaintext: Uint8Array;
  readonly wording?: Wording | null;
}

interface TemplateRow extends Omit<Welcome, 'appId'> {
  readonly enabled: boolean;
  readonly imageHash: Buffer | null;
  readonly ttlSeconds: number;
}

/**
 * The statements of welcomes. The template's row is locked during a batch: of several engines one makes it.
 *
 * Who waits for a welcome lives in `welcomes`, deleted in the transaction that creates their delivery. If its owner dies,
 * any engine makes the batch.
 */
export function createWelcomeStore(database: Database) {
  return {
    findDue: async (limit: number): Promise<AppId[]> => {
      const rows = await database.query<{ app_id: AppId }>(
        `SELECT app_id FROM welcome_templates WHERE ${hasWaiting}
         ORDER BY next_at LIMIT $1`,
        [limit],
      );
      return rows.map(({ app_id: appId }) => appId);
    },

    sendDue: (appId: AppId, limit: number, build: (welcome: Welcome) => Identity): Promise<number> =>
      database.transaction(async (sql) => {
        const template = await takeTemplate(sql, appId);
        if (template === null) return 0;
        const seqs = await takeDue(sql, appId, limit);
        if (!template.enabled || seqs.length === 0) return 0;
        const { wording = null, ...words } = build({ appId, ...template });
        await storeDelivery(sql, { ...deliveryOf(appId, template), ...words, wording, welcomeSeqs: seqs });
        return seqs.length;
      }),

    postpone: async (appId: AppId): Promise<void> => {
      await database.query(
        'UPDATE welcome_templates SET next_at = now() + make_interval(secs => $2) WHERE app_id = $1',
        [appId, POSTPONE_SECONDS],
      );
    },
  };
}

/** Null: another engine has it, it just had a batch, or the app is deleted. */
async function takeTemplate(sql: Sql, appId: AppId): Promise<TemplateRow | null> {
  const [row] = await sql.query<TemplateRow>(
    `WITH taken AS (
       SELECT app_id FROM welcome_templates WHERE app_id = $1 AND next_at <= now() FOR UPDATE SKIP LOCKED
     ), moved AS (
       UPDATE welcome_templates SET next_at = now() + make_interval(secs => $2)
       WHERE app_id = (SELECT app_id FROM taken) RETURNING *
     )
     SELECT identifier AS app, enabled, title, body, url, image_url AS "imageUrl", image_hash AS "imageHash", moved.icon_url AS "iconUrl", ${faceOfApp} AS face,
       default_query_params AS "queryParams", site_domain AS site, default_ttl_seconds AS "ttlSeconds",
       default_require_interaction AS "requireInteraction", default_silent AS silent,
       default_vibrate_pattern AS "vibratePattern"
     FROM moved JOIN apps ON apps.id = app_id WHERE deleted_at IS NULL`,
    [appId, BATCH_EVERY_SECONDS],
  );
  return row ?? null;
}

/** They wait no more. @returns those who are still subscribed. */
async function takeDue(sql: Sql, appId: AppId, limit: number): Promise<number[]> {
  const rows = await sql.query<{ seq: number }>(
    `WITH due AS (
       SELECT seq FROM welcomes WHERE app_id = $1 AND due_at <= now() ORDER BY due_at, seq LIMIT $2
       FOR UPDATE SKIP LOCKED
     ), taken AS (
       DELETE FROM welcomes WHERE app_id = $1 AND seq = ANY(ARRAY(SELECT seq FROM due)) RETURNING seq
     )
     SELECT seq FROM subscriptions
     WHERE app_id = $1 AND seq = ANY(ARRAY(SELECT seq FROM taken)) AND status = 'subscribed' ORDER BY seq`,
    [appId, limit],
  );
  return rows.map(({ seq }) => seq);
}

/** No segment has this id, as of a test: an engine that knows no names finds no rules, and sends it to nobody. */
const NO_SEGMENT = 0;
const NAME = 'Welcome';

const deliveryOf = (
  appId: AppId,
  template: TemplateRow,
): Omit<NewDelivery, 'identifier' | 'plaintext' | 'wording'> => ({
  appId,
  name: NAME,
  title: template.title,
  body: template.body,
  url: template.url,
  imageHash: template.imageHash,
  imageUrl: template.imageUrl,
  iconUrl: template.iconUrl,
  buttons: [],
  language: null,
  translations: [],
  segmentId: NO_SEGMENT,
  categoryId: null,
  ignoreCap: false,
  ttlSeconds: template.ttlSeconds,
  requireInteraction: template.requireInteraction,
  topic: null,
  urgency: 'normal',
  lane: 'bulk',
  ratePerMinute: null,
  rehearsal: false,
  scheduledAt: null,
  expiresAt: null,
  traceparent: null,
  campaign: null,
  corrects: null,
});
