import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { createFairQueue } from '../../../../engine/contract/concurrency/fair-queue.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import type { PublicAddresses } from '../../../../engine/network/public-addresses.ts';
import { parseImageAddress } from '../../../../engine/notification/images/address.ts';
import {
  checkImage,
  type Image,
  type ImageChecked,
} from '../../../../engine/notification/images/check-image.ts';
import { createFetchImage } from '../../../../engine/notification/images/fetch-image.ts';
import { findImage } from '../../../images/store.ts';

/** Fetches at a time in this process, each of up to 2 MB and 5 s, and how many requests may wait for one. */
const FETCHES = { permits: 8, waiting: 16, mostOfOwner: 4 } as const;

export type DeliveryImage =
  | { readonly kind: 'none' }
  | ImageChecked
  /** Too many are being fetched: the client should come again. */
  | { readonly kind: 'busy' };

export interface ImageWish {
  readonly organizationId: OrganizationId;
  readonly upload: Buffer | null;
  readonly url: string | undefined;
  /** Our own address, as the client knows it. */
  readonly base: string;
}

export type ReadDeliveryImage = (wish: ImageWish) => Promise<DeliveryImage>;

export function createReadDeliveryImage(sql: Sql, addresses: PublicAddresses): ReadDeliveryImage {
  const fetchImage = createFetchImage(addresses);
  const queue = createFairQueue(FETCHES);

  /** The image URL of an earlier delivery need not be fetched: it names an image we store. */
  async function findOwn(base: string, url: string): Promise<Image | null> {
    const name = parseImageAddress(base, url);
    return name === null ? null : findImage(sql, name);
  }

  return async function readDeliveryImage({ organizationId, upload, url, base }) {
    if (upload !== null) return checkImage(upload);
    if (url === undefined) return { kind: 'none' };
    const own = await findOwn(base, url);
    if (own !== null) return { kind: 'image', image: own };
    const fetched = await queue.run(() => fetchImage(url), organizationId);
    return fetched === 'full' || fetched === 'closed' ? { kind: 'busy' } : fetched;
  };
}
