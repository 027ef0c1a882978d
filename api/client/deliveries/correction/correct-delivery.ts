import type { NewDelivery } from '../../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { DeliveryId } from '../../../../engine/contract/ids.ts';
import { say } from '../../../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import type { Image } from '../../../../engine/notification/images/check-image.ts';
import { tagOf } from '../../../../engine/notification/notification.ts';
import { newOrigin } from '../../../../engine/notification/origin.ts';
import { authorsOf, needsApproval } from '../../approvals/store.ts';
import type { StoredApp } from '../../apps/store.ts';
import { cancelIn, lockWaiting, stopWaiting } from '../cancel/cancel-delivery.ts';
import { type Created, createOnce, findRepetition } from '../create/idempotency.ts';
import { deliveryResource } from '../resource.ts';
import type { Refusal } from '../send-refusal.ts';
import { NO_SEGMENT, type StoredDelivery } from '../store.ts';
import { textsOf } from '../texts/make-texts.ts';
import type { Order, WriteDeps } from '../write/order.ts';
import { type PicturesRead, readGivenPictures } from '../write/pictures.ts';
import { whyNoSubject, wordDelivery } from '../write/words.ts';
import { writeDelivery } from '../write/write-delivery.ts';
import type { CorrectionBody } from './schema.ts';

export interface CorrectionOrder extends Order {
  /** The delivery that is wrong. */
  readonly id: DeliveryId;
  readonly body: CorrectionBody;
}

/** One of the deliveries that a correction makes. */
type Correction = NewDelivery & { readonly corrects: DeliveryId };

/**
 * One transaction stops what is left of a delivery and creates another one for those whose push service accepted it,
 * under the same tag. Where its readers slept, the deliveries that serve them later are part of the same message: each
 * that has started gets its own correction.
 */
export function createCorrectDelivery(deps: WriteDeps) {
  return async function correctDelivery(order: CorrectionOrder): Promise<Created | Refusal> {
    const noSubject = whyNoSubject(deps, order.app);
    if (noSubject !== null) return noSubject;
    const read = await readGivenPictures(deps, order, order.body);
    if (read.kind !== 'read') return read;
    const ending = await deps.database.transaction((sql) => correctIn(sql, order, read));
    if (ending.kind === 'created') deps.wakeRelay();
    return ending;
  };

  /** Everything that can be wrong is found before anything is stopped. */
  async function correctIn(
    sql: Sql,
    order: CorrectionOrder,
    pictures: PicturesRead,
  ): Promise<Created | Refusal> {
    const { app, id, idempotency } = order;
    await lockWaiting(sql, id);
    const wrong = await lockDelivery(sql, app, id);
    if (wrong === null) return { kind: 'missing' };
    // Under the lock: the repetition of a request that came a moment ago is answered as that one.
    const repeated = await findRepetition(sql, app.id, idempotency);
    if (repeated !== null) return repeated;
    const why = await whyNot(sql, wrong);
    if (why !== null) return { kind: 'refused', errors: { status: [why] } };
    const unsaid = languagesLeft(wrong, order.body);
    if (unsaid !== null) return { kind: 'refused', errors: unsaid };
    const corrections: Correction[] = [];
    for (const each of [wrong, ...(await lockOthers(sql, app, wrong))]) {
      const worded = correctionOf(order, each, pictures);
      if (worded.kind === 'refused') return worded;
      corrections.push({ ...worded.delivery, corrects: each.id });
    }
    return createOnce(sql, order, async () => {
      await stopWaiting(sql, id);
      const made: StoredDelivery[] = [];
      for (const correction of corrections)
        made.push(await insertCorrection(sql, order, correction, pictures.images));
      const [first] = made;
      if (first === undefined) throw new RangeError('a delivery has a correction of its own');
      return deliveryResource(first, 0);
    });
  }

  function correctionOf(order: CorrectionOrder, wrong: Wrong, { picture, icons }: PicturesRead) {
    const { app, body, actor, traceparent } = order;
    const delivery = {
      ...{ appId: app.id, traceparent, title: body.title, body: body.body, url: body.url, ...picture },
      ...{ buttons: body.action_buttons ?? [], ...textsOf(body, icons), authors: authorsOf(actor) },
      name: (body.name ?? `Correction: ${wrong.name}`).slice(0, MAX_NAME),
      // Whoever got the first one gets this one: whatever a segment, a category or a cap says by now.
      ...{ segmentId: NO_SEGMENT, categoryId: null, ignoreCap: true, ratePerMinute: null, rehearsal: false },
      ...{ scheduledAt: null, expiresAt: null, campaign: null, corrects: wrong.id },
      // An offline device gets the first one as long as that is kept for it, so this one is kept as long.
      ttlSeconds: wrong.ttl_seconds,
      requireInteraction: wrong.require_interaction,
      topic: wrong.topic,
      urgency: wrong.urgency,
      lane: wrong.lane,
    };
    return wordDelivery(order, delivery, newOrigin(deps.proofs, app.identifier), tagOf(wrong.plaintext));
  }
}

const MAX_NAME = 255;

interface Wrong
  extends Pick<
    StoredDelivery,
    | 'id'
    | 'name'
    | 'status'
    | 'started_at'
    | 'rehearsal'
    | 'test'
    | 'ttl_seconds'
    | 'require_interaction'
    | 'topic'
    | 'urgency'
    | 'lane'
  > {
  readonly plaintext: Uint8Array;
  readonly languages: string[] | null;
}

const lockWrong = `SELECT id, name, status, started_at, rehearsal, test, ttl_seconds, require_interaction, topic, urgency, lane, plaintext,
  ARRAY(SELECT each ->> 'language' FROM jsonb_array_elements(translations) AS each) AS languages
  FROM deliveries WHERE app_id = $1`;

/** A correction that says nothing in a language would reach its readers in another one. */
function languagesLeft({ languages }: Wrong, { translations }: CorrectionBody): FieldErrors | null {
  if (languages === null || languages.length === 0 || translations !== undefined) return null;
  return say(
    '/translations',
    `is required: the delivery has texts in ${languages.join(', ')}. Give those of the correction, or [] to send its main text to everyone`,
  );
}

async function lockDelivery(sql: Sql, { id: appId }: StoredApp, id: DeliveryId): Promise<Wrong | null> {
  const [row] = await sql.query<Wrong>(`${lockWrong} AND id = $2 FOR UPDATE`, [appId, id]);
  return row ?? null;
}

/** Those of the same message that serve readers who slept. What has not started is cancelled and reached nobody. */
async function lockOthers(sql: Sql, { id: appId }: StoredApp, { id }: Wrong): Promise<Wrong[]> {
  const rows = await sql.query<Wrong>(
    `${lockWrong} AND id <> $2 AND campaign_id = (
       SELECT campaign_id FROM deliveries JOIN campaigns ON campaigns.id = campaign_id AND kind = 'quiet_hours'
       WHERE deliveries.id = $2) ORDER BY id FOR UPDATE`,
    [appId, id],
  );
  return rows.filter(({ started_at }) => started_at !== null);
}

async function whyNot(sql: Sql, { id, status, started_at, rehearsal, test }: Wrong): Promise<string | null> {
  if (rehearsal) return 'The delivery is a rehearsal and reached nobody.';
  if (test) return 'The delivery is a test: send another one.';
  if (status === 'scheduled') return 'The delivery has not started: change it, or cancel it.';
  if (started_at === null)
    return 'The delivery has been sent to nobody yet: cancel it, and create another one.';
  const [earlier] = await sql.query<{ id: number }>(
    `SELECT id FROM deliveries WHERE corrects_delivery_id = $1 AND status NOT IN ('cancelled', 'failed') LIMIT 1`,
    [id],
  );
  if (earlier === undefined) return null;
  return `Delivery ${earlier.id} corrects it already: correct that one, or cancel it first.`;
}

async function insertCorrection(
  sql: Sql,
  order: CorrectionOrder,
  correction: Correction,
  images: readonly Image[],
): Promise<StoredDelivery> {
  const { app, actor } = order;
  const { name, corrects } = correction;
  await cancelIn(sql, actor, app.id, corrects);
  const delivery = { ...correction, isHeld: needsApproval(app, correction) };
  const note = { action: 'delivery.corrected', detail: { name, corrects } } as const;
  return writeDelivery(sql, order, { delivery, images, note });
}
