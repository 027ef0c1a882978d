import type { NewDelivery } from '../../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import { say } from '../../../../engine/kit/http/explain-with.ts';
import { imageAddress } from '../../../../engine/notification/images/address.ts';
import type { Image } from '../../../../engine/notification/images/check-image.ts';
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

interface GivenImage {
  /** The image, where it came as a file. */
  readonly upload?: Buffer | null;
  readonly url: string | null | undefined;
}

/** Its image, as a delivery has it. */
export type Picture = Pick<NewDelivery, 'imageHash' | 'imageUrl'>;
export const noPicture: Picture = { imageHash: null, imageUrl: null };

export interface ImageRead {
  readonly kind: 'read';
  readonly image: Image | null;
  readonly picture: Picture;
}

/** @param path JSON pointer of the notification in the body; empty where the body is one. */
export async function readGivenImage(
  { readImage }: Pick<WriteDeps, 'readImage'>,
  { actor: { organizationId }, base }: Pick<Order, 'actor' | 'base'>,
  { upload = null, url }: GivenImage,
  path = '',
): Promise<ImageRead | Refused | { readonly kind: 'busy' }> {
  const read = await readImage({ organizationId, upload, url: url ?? undefined, base });
  if (read.kind === 'busy') return read;
  if (read.kind === 'refused') return { kind: 'refused', errors: say(`${path}/image_url`, read.words) };
  if (read.kind === 'none') return { kind: 'read', image: null, picture: noPicture };
  const { image } = read;
  return { kind: 'read', image, picture: { imageHash: image.hash, imageUrl: imageAddress(base, image) } };
}

type Unworded = Omit<NewDelivery, 'identifier' | 'plaintext' | 'wording'>;

/**
 * A delivery with the notification that says it.
 * @param replaces of a correction: the tag of what it corrects.
 */
export function wordDelivery(
  app: StoredApp,
  delivery: Unworded,
  origin: NotificationOrigin,
  replaces?: string,
): { readonly kind: 'worded'; readonly delivery: NewDelivery } | Refused {
  const { title, body, url, imageUrl, buttons, topic, requireInteraction, language, translations } = delivery;
  const texts = makeTexts(
    {
      ...{ title, body, url, imageUrl, buttons, topic, requireInteraction, language, translations },
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
