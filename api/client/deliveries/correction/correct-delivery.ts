import {
  insertDelivery,
  insertOutbox,
  type NewDelivery,
} from '../../../../engine/adapters/postgres/deliveries/insert-delivery.ts';
import { storeImage } from '../../../../engine/adapters/postgres/deliveries/store-image.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type DeliveryId, toId } from '../../../../engine/contract/ids.ts';
import type { Traceparent } from '../../../../engine/contract/trace-context.ts';
import { say } from '../../../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { imageAddress } from '../../../../engine/notification/images/address.ts';
import type { Image } from '../../../../engine/notification/images/check-image.ts';
import { tagOf } from '../../../../engine/notification/notification.ts';
import { newOrigin } from '../../../../engine/notification/origin.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import { askForApproval, authorsOf, needsApproval } from '../../approvals/store.ts';
import type { StoredApp } from '../../apps/store.ts';
import { cancelIn, lockWaiting, stopWaiting } from '../cancel/cancel-delivery.ts';
import { type CreateDeliveryDeps, noSubject, refuseImage } from '../create/create-delivery.ts';
import { findUse, type Idempotency, type KeyUse, keepAnswer, takeKey } from '../create/idempotency.ts';
import { deliveryResource } from '../resource.ts';
import { findDelivery, NO_SEGMENT, type StoredDelivery } from '../store.ts';
import { makeTexts, textsOf } from '../texts/make-texts.ts';
import type { CorrectionBody } from './schema.ts';

export interface CorrectionOrder {
  readonly app: StoredApp;
  /** The delivery that is wrong. */
  readonly id: DeliveryId;
  readonly body: CorrectionBody;
  readonly actor: Actor;
  readonly idempotency: Idempotency | null;
  /** Our own address, as the client knows it: images are served there. */
  readonly base: string;
  readonly traceparent: Traceparent | null;
}

export type DeliveryCorrected =
  | { readonly kind: 'created'; readonly answer: string }
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  | { readonly kind: 'repeated'; readonly use: KeyUse }
  | { readonly kind: 'missing' }
  | { readonly kind: 'busy' };

type Deps = Pick<CreateDeliveryDeps, 'database' | 'proofs' | 'readImage' | 'wakeRelay' | 'subjectOf'>;

/**
 * One transaction stops what is left of a delivery and creates another one for those whose push service accepted it,
 * under the same tag. Where its readers slept, the deliveries that serve them later are part of the same message: each
 * that has started gets its own correction.
 */
export function createCorrectDelivery({ database, proofs, readImage, wakeRelay, subjectOf }: Deps) {
  return async function correctDelivery(order: CorrectionOrder): Promise<DeliveryCorrected> {
    const { app, body, actor, base } = order;
    if (subjectOf(app.site_domain) === null) return noSubject(app.site_domain);
    const { organizationId } = actor;
    const read = await readImage({ organizationId, upload: null, url: body.image_url, base });
    if (read.kind === 'busy') return read;
    if (read.kind === 'refused') return refuseImage(read.words);
    const image = read.kind === 'image' ? read.image : null;

    const ending = await database.transaction((sql) => correctIn(sql, order, image));
    if (ending.kind === 'created') wakeRelay();
    return ending;
  };

  /** Everything that can be wrong is found before anything is stopped. */
  async function correctIn(
    sql: Sql,
    order: CorrectionOrder,
    image: Image | null,
  ): Promise<DeliveryCorrected> {
    const { app, id, actor, idempotency } = order;
    await lockWaiting(sql, id);
    const wrong = await lockDelivery(sql, app, id);
    if (wrong === null) return { kind: 'missing' };
    // Under the lock: the repetition of a request that came a moment ago is answered as that one.
    const use = idempotency === null ? null : await findUse(sql, app.id, idempotency);
    if (use !== null && use.kind !== 'first') return { kind: 'repeated', use };
    const why = await whyNot(sql, wrong);
    if (why !== null) return { kind: 'refused', errors: { status: [why] } };
    const unsaid = languagesLeft(wrong, order.body);
    if (unsaid !== null) return { kind: 'refused', errors: unsaid };
    const corrections: (NewDelivery & { readonly corrects: DeliveryId })[] = [];
    for (const each of [wrong, ...(await lockOthers(sql, app, wrong))]) {
      const correction = correctionOf(order, each, image);
      if ('kind' in correction) return correction;
      corrections.push(correction);
    }
    const taken = idempotency === null ? null : await takeKey(sql, app.id, idempotency);
    if (taken !== null && taken.kind !== 'first') return { kind: 'repeated', use: taken };
    await stopWaiting(sql, id);
    if (image !== null) await storeImage(sql, image);
    const made: StoredDelivery[] = [];
    for (const correction of corrections) {
      await cancelIn(sql, actor, app.id, correction.corrects);
      const isHeld = needsApproval(app, correction);
      made.push(await insertCorrection(sql, actor, { ...correction, isHeld, authors: authorsOf(actor) }));
    }
    const [first] = made;
    if (first === undefined) throw new RangeError('a delivery has a correction of its own');
    const answer = JSON.stringify({ data: deliveryResource(first, 0) });
    if (idempotency !== null) await keepAnswer(sql, app.id, idempotency.key, answer);
    return { kind: 'created', answer };
  }

  function correctionOf(
    { app, body, base, traceparent }: CorrectionOrder,
    wrong: Wrong,
    image: Image | null,
  ) {
    const origin = newOrigin(proofs, app.identifier);
    const imageUrl = image === null ? null : imageAddress(base, image);
    const { title, body: text, url, action_buttons: buttons = [] } = body;
    const texts = makeTexts(
      {
        ...{ title, body: text, url, imageUrl, buttons, ...textsOf(body), mayBePersonal: true },
        site: app.site_domain,
        topic: wrong.topic,
        replaces: tagOf(wrong.plaintext),
        requireInteraction: wrong.require_interaction,
        // Browsers count silent notifications against the site, and a reader has to hear of a correction.
        silent: false,
        vibratePattern: app.default_vibrate_pattern,
      },
      origin,
      app.default_query_params,
    );
    if (texts.kind === 'refused') return texts;
    return {
      ...{
        appId: app.id,
        identifier: origin.delivery,
        traceparent,
        title,
        body: text,
        url,
        buttons,
        imageUrl,
      },
      name: (body.name ?? `Correction: ${wrong.name}`).slice(0, MAX_NAME),
      imageHash: image?.hash ?? null,
      // Whoever got the first one gets this one: whatever a segment, a category or a cap says by now.
      ...{ segmentId: NO_SEGMENT, categoryId: null, ignoreCap: true, ratePerMinute: null, rehearsal: false },
      ...{ scheduledAt: null, expiresAt: null, campaign: null, corrects: wrong.id },
      // An offline device gets the first one as long as that is kept for it, so this one is kept as long.
      ttlSeconds: wrong.ttl_seconds,
      requireInteraction: wrong.require_interaction,
      topic: wrong.topic,
      urgency: wrong.urgency,
      lane: wrong.lane,
      plaintext: texts.plaintext,
      wording: texts.wording,
      ...textsOf(body),
    } satisfies NewDelivery;
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

async function insertCorrection(sql: Sql, actor: Actor, delivery: NewDelivery): Promise<StoredDelivery> {
  const id = await insertDelivery(sql, delivery);
  const { appId, name, corrects, isHeld = false } = delivery;
  if (isHeld) await askForApproval(sql, appId, { delivery: id }, {});
  else await insertOutbox(sql, id, delivery);
  const detail = { name, corrects };
  await noteChange(sql, actor, { action: 'delivery.corrected', subjectId: id, appId, detail });
  const stored = await findDelivery(sql, appId, toId(id));
  if (stored === null) throw new Error('the correction just inserted is not there');
  return stored;
}
