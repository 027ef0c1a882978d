import type { NewDelivery } from '../../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import { say } from '../../../../engine/kit/http/explain-with.ts';
import { imageAddress } from '../../../../engine/notification/images/address.ts';
import type { Image } from '../../../../engine/notification/images/check-image.ts';
import type { Uploads } from '../create/uploads.ts';
import type { Refused } from '../refused.ts';
import type { Order, WriteDeps } from './order.ts';

/** Of a request: they are in memory together. Ten variants have an image each, and twenty languages an icon each. */
const MAX_PICTURES_BYTES = 24 * 1_048_576;
/** An organization has as many permits (`create/delivery-image.ts`). */
const AT_ONCE = 4;

interface GivenPictures {
  readonly image_url?: string | null | undefined;
  readonly icon_url?: string | null | undefined;
  readonly translations?: readonly { readonly icon_url?: string | null | undefined }[] | null | undefined;
}

/** A URL, or the bytes of a file. */
type Source = string | Buffer;
/** What a request has read: each URL once. */
export type PicturesKnown = Map<Source, Image>;

export interface PicturesRead {
  readonly kind: 'read';
  /** All of them, to be stored. */
  readonly images: readonly Image[];
  /** Its image and its own icon, as a delivery has them. */
  readonly picture: Required<Pick<NewDelivery, 'imageHash' | 'imageUrl' | 'iconUrl'>>;
  /** Where icons are served, by the URLs that were given. */
  readonly icons: ReadonlyMap<string, string>;
}

interface Where {
  readonly uploads?: Uploads;
  /** JSON pointer of the notification in the body; empty where the body is one. */
  readonly path?: string;
  /** Of a body with several notifications, what was read for those before. */
  readonly known?: PicturesKnown;
}

/** The image of a notification, its icon, and those of its translations. */
export async function readGivenPictures(
  deps: Pick<WriteDeps, 'readImage'>,
  order: Pick<Order, 'actor' | 'base'>,
  given: GivenPictures,
  { uploads = {}, path = '', known = new Map() }: Where = {},
): Promise<PicturesRead | Refused | { readonly kind: 'busy' }> {
  const imageFrom = uploads.image_url ?? given.image_url ?? null;
  const iconFrom = uploads.icon_url ?? given.icon_url ?? null;
  const wanted: (readonly [field: string, source: Source | null])[] = [
    [`${path}/image_url`, imageFrom],
    [`${path}/icon_url`, iconFrom],
    ...(given.translations ?? []).map(
      ({ icon_url: url }, at) => [`${path}/translations/${at}/icon_url`, url ?? null] as const,
    ),
  ];
  const wrong = await readAll(deps, order, wanted, known);
  if (wrong !== null) return wrong;
  const at = (source: Source | null): Image | null => (source === null ? null : (known.get(source) ?? null));
  const served = (image: Image | null): string | null =>
    image === null ? null : imageAddress(order.base, image);
  const icons = wanted.flatMap(([, source]) => {
    const url = served(at(source));
    return typeof source === 'string' && url !== null ? [[source, url] as const] : [];
  });
  const [image, icon] = [at(imageFrom), at(iconFrom)];
  return {
    kind: 'read',
    images: [...new Set(wanted.flatMap(([, source]) => at(source) ?? []))],
    picture: { imageHash: image?.hash ?? null, imageUrl: served(image), iconUrl: served(icon) },
    icons: new Map(icons),
  };
}

/** @returns why not; null: all are known now. */
async function readAll(
  { readImage }: Pick<WriteDeps, 'readImage'>,
  { actor: { organizationId }, base }: Pick<Order, 'actor' | 'base'>,
  wanted: readonly (readonly [field: string, source: Source | null])[],
  known: PicturesKnown,
): Promise<Refused | { readonly kind: 'busy' } | null> {
  const fields = new Map<Source, string>();
  for (const [field, source] of wanted)
    if (source !== null && !known.has(source) && !fields.has(source)) fields.set(source, field);
  const unread = [...fields];
  for (let start = 0; start < unread.length; start += AT_ONCE) {
    const some = unread.slice(start, start + AT_ONCE);
    const endings = await Promise.all(
      some.map(([source]) => {
        const from =
          typeof source === 'string' ? { upload: null, url: source } : { upload: source, url: undefined };
        return readImage({ organizationId, base, ...from });
      }),
    );
    for (const [at, [source, field]] of some.entries()) {
      const ending = endings[at];
      if (ending?.kind === 'busy') return ending;
      if (ending?.kind === 'refused') return { kind: 'refused', errors: say(field, ending.words) };
      if (ending?.kind === 'image') known.set(source, ending.image);
      if (bytesOf(known) > MAX_PICTURES_BYTES) return { kind: 'refused', errors: say(field, tooMuch) };
    }
  }
  return null;
}

const tooMuch = `makes the pictures of the request larger than ${MAX_PICTURES_BYTES / 1_048_576} MB in all: use smaller icons`;
const bytesOf = (known: PicturesKnown): number =>
  [...known.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
