import { say } from '../../../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { absoluteImage, parseImageAddress } from '../../../../engine/notification/images/address.ts';
import type { StoredApp } from '../store.ts';

/** Fields of an app that name a picture. */
export const pictureFields = ['icon_url', 'badge_url'] as const;
export type PictureField = (typeof pictureFields)[number];

type Pictures = { readonly [field in PictureField]?: string | null };

export type PicturesGiven<Body> =
  | { readonly kind: 'given'; readonly body: Body }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/** A body with the paths of our own images in place of their addresses, as an app keeps them. */
export function readPictures<Body extends Pictures>(body: Body, base: string): PicturesGiven<Body> {
  const errors: Record<string, readonly string[]> = {};
  const read = { ...body };
  for (const field of pictureFields) {
    const url = body[field];
    if (typeof url !== 'string') continue;
    if (parseImageAddress(base, url) !== null) Object.assign(read, { [field]: url.slice(base.length) });
    else if (!isSecure(url))
      Object.assign(errors, say(`/${field}`, 'must be a URL that starts with https://'));
  }
  return Object.keys(errors).length > 0 ? { kind: 'refused', errors } : { kind: 'given', body: read };
}

/** Notifications are of pages on https, where browsers load nothing else; on one's own machine they do. */
function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** As answers have them: whole addresses. */
export const shownPictures = (base: string, app: Pick<StoredApp, PictureField>) => ({
  icon_url: absoluteImage(base, app.icon_url),
  badge_url: absoluteImage(base, app.badge_url),
});
