import { createFetchPublic } from '../../network/fetch-public.ts';
import type { PublicAddresses } from '../../network/public-addresses.ts';
import { checkImage, type ImageChecked, MAX_IMAGE_BYTES, refuseImage, tooLarge } from './check-image.ts';

export type FetchImage = (url: string) => Promise<ImageChecked>;

const options = {
  accept: 'image/png, image/jpeg',
  maxBytes: MAX_IMAGE_BYTES,
  cut: false,
  timeLimitMs: 5_000,
} as const;

/** Fetches the image at a URL that a stranger chose. */
export function createFetchImage(addresses: PublicAddresses): FetchImage {
  const fetchPublic = createFetchPublic(addresses, options);
  return async function fetchImage(url) {
    const fetched = await fetchPublic(url);
    switch (fetched.kind) {
      case 'fetched':
        return checkImage(fetched.body);
      case 'status':
        return refuseImage(`must lead to an image, not to an answer ${fetched.status}`);
      case 'too-large':
        return tooLarge;
      case 'too-many-redirects':
        return refuseImage('must not redirect more than 3 times');
      case 'unreachable':
        return refuseImage('must lead to an image that can be fetched from the public internet');
    }
  };
}
