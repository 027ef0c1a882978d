import type { NewDelivery } from '../../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import type { Face } from '../../../../engine/contract/face.ts';
import { absoluteImage } from '../../../../engine/notification/images/address.ts';
import type { NotificationOrigin } from '../../../../engine/notification/notification.ts';
import type { StoredApp } from '../../apps/store.ts';
import type { Refused } from '../refused.ts';
import { makeTexts } from '../texts/make-texts.ts';
import type { Order, WriteDeps } from './order.ts';

/** Before anything is accepted: every push service would refuse, or take it ill, message by message. */
export const whyNoSubject = (
  { subjectOf }: Pick<WriteDeps, 'subjectOf'>,
  { site_domain: site }: StoredApp,
): Refused | null =>
  subjectOf(site) !== null
    ? null
    : {
        kind: 'refused',
        errors: {
          site_domain: [
            `Push services require a contact, and the app’s site ${site} is not valid as one: change the site_domain to one on https, ` +
              'or let the operator set VAPID_SUBJECT.',
          ],
        },
      };

/** As the app has it now. @param base our own address, where its own pictures are served. */
export const faceOf = (app: Pick<StoredApp, 'icon_url' | 'badge_url' | 'app_badge'>, base: string): Face => ({
  icon: absoluteImage(base, app.icon_url),
  badge: absoluteImage(base, app.badge_url),
  counts: app.app_badge,
});

type Unworded = Omit<NewDelivery, 'identifier' | 'plaintext' | 'wording'>;

/**
 * A delivery with the notification that says it.
 * @param replaces of a correction: the tag of what it corrects.
 */
export function wordDelivery(
  { app, base }: Pick<Order, 'app' | 'base'>,
  delivery: Unworded,
  origin: NotificationOrigin,
  replaces?: string,
): { readonly kind: 'worded'; readonly delivery: NewDelivery } | Refused {
  const { title, body, url, imageUrl, iconUrl = null, buttons, topic, requireInteraction } = delivery;
  const { language, translations } = delivery;
  const texts = makeTexts(
    {
      ...{ title, body, url, imageUrl, iconUrl, buttons, topic, requireInteraction, language, translations },
      face: faceOf(app, base),
      site: app.site_domain,
      // Browsers count silent notifications against the site, and a reader has to hear of a correction.
      silent: replaces === undefined && app.default_silent,
      vibratePattern: app.default_vibrate_pattern,
      mayBePersonal: true,
      ...(replaces === undefined ? {} : { replaces }),
    },
    origin,
    app.default_query_params,
  );
  if (texts.kind === 'refused') return texts;
  const { plaintext, wording } = texts;
  return { kind: 'worded', delivery: { ...delivery, identifier: origin.delivery, plaintext, wording } };
}
