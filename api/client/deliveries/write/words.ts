import type { Face } from '../../../../engine/contract/face.ts';
import type { NewDelivery } from '../../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import { say } from '../../../../engine/kit/http/explain-with.ts';
import { absoluteImage, imageAddress } from '../../../../engine/notification/images/address.ts';
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

/** What comes as files. */
export type Uploads = { readonly [field in 'image_url' | 'icon_url']?: Buffer };

interface GivenPictures {
  readonly image_url?: string | null | undefined;
  readonly icon_url?: string | null | undefined;
  readonly translations?: readonly { readonly icon_url?: string | null | undefined }[] | null | undefined;
}

/** Its image and its own icon, as a delivery has them. */
export type Picture = Required<Pick<NewDelivery, 'imageHash' | 'imageUrl' | 'iconUrl'>>;
export const noPicture: Picture = { imageHash: null, imageUrl: null, iconUrl: null };

/** Where the icons of translations are served, by the URLs that were given. */
export type ServedIcons = ReadonlyMap<string, string>;

export interface PicturesRead {
  readonly kind: 'read';
  /** All of them, to be stored. */
  readonly images: readonly Image[];
  readonly picture: Picture;
  readonly icons: ServedIcons;
}

/**
 * One after another: a request takes one of the organization's permits at a time. Each URL is fetched once.
 * @param path JSON pointer of the notification in the body; empty where the body is one.
 */
export async function readGivenPictures(
  { readImage }: Pick<WriteDeps, 'readImage'>,
  { actor: { organizationId }, base }: Pick<Order, 'actor' | 'base'>,
  given: GivenPictures,
  { uploads = {}, path = '' }: { readonly uploads?: Uploads; readonly path?: string } = {},
): Promise<PicturesRead | Refused | { readonly kind: 'busy' }> {
  const read = new Map<string | Buffer, Image>();
  const ownIcons = (given.translations ?? []).map(({ icon_url: url }, at) => [
    `${path}/translations/${at}/icon_url`,
    url ?? null,
  ]);
  const wanted = [
    [`${path}/image_url`, uploads.image_url ?? given.image_url ?? null],
    [`${path}/icon_url`, uploads.icon_url ?? given.icon_url ?? null],
    ...ownIcons,
  ] as readonly [string, string | Buffer | null][];
  for (const [field, source] of wanted) {
    if (source === null || read.has(source)) continue;
    const from = typeof source === 'string' ? { upload: null, url: source } : { upload: source, url: undefined };
    const ending = await readImage({ organizationId, base, ...from });
    if (ending.kind === 'busy') return ending;
    if (ending.kind === 'refused') return { kind: 'refused', errors: say(field, ending.words) };
    if (ending.kind === 'image') read.set(source, ending.image);
  }
  const [image = null, icon = null] = wanted.map(([, source]) => (source === null ? null : read.get(source)));
  return {
    kind: 'read',
    images: [...read.values()],
    picture: {
      imageHash: image?.hash ?? null,
      imageUrl: image === null ? null : imageAddress(base, image),
      iconUrl: icon === null ? null : imageAddress(base, icon),
    },
    icons: new Map(
      [...read].flatMap(([source, each]) =>
        typeof source === 'string' ? [[source, imageAddress(base, each)] as const] : [],
      ),
    ),
  };
}

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
