import type { PublicAddresses } from '../../network/public-addresses.ts';
import { imageAddress } from './address.ts';
import type { Image } from './check-image.ts';
import { createFetchImage } from './fetch-image.ts';

/** The image of an item of a feed, and where it will be served. Null: it is shown without one. */
export function createReadItemImage(
  addresses: PublicAddresses,
): (url: string, base: string) => Promise<{ readonly image: Image; readonly url: string } | null> {
  const fetchImage = createFetchImage(addresses);
  return async function readItemImage(url, base) {
    const fetched = await fetchImage(url);
    if (fetched.kind !== 'image') return null;
    return { image: fetched.image, url: imageAddress(base, fetched.image) };
  };
}
