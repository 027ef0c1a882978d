import { createFairQueue } from '../../../../engine/contract/concurrency/fair-queue.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import type { PublicAddresses } from '../../../../engine/network/public-addresses.ts';
import { isHttpUrl } from '../../../http/fields.ts';
import { createReadPage } from '../../pages/read-page.ts';

/** At a time in this process, and how many requests may wait for one. */
const FETCHES = { permits: 4, waiting: 8, mostOfOwner: 2 } as const;
const MOST_TITLE = 255;
const MOST_ADDRESS = 2_048;

export interface Proposal {
  readonly title: string | null;
  readonly image_url: string | null;
}

/** The same whatever went wrong: an answer must not say what runs in our network. */
const nothing: Proposal = { title: null, image_url: null };

/** @returns a function that answers `busy` where too many pages are being fetched. */
export function createPropose(addresses: PublicAddresses) {
  const readPage = createReadPage(addresses);
  const queue = createFairQueue(FETCHES);

  async function read(from: string): Promise<Proposal> {
    const page = await readPage(from);
    if (page === null) return nothing;
    const { head, url } = page;
    const { title, image } = head;
    return {
      title: title === null ? null : shortened(title),
      image_url: image === null ? null : absolute(image, url),
    };
  }

  return async function propose(organizationId: OrganizationId, url: string): Promise<Proposal | 'busy'> {
    const proposal = await queue.run(() => read(url), organizationId);
    return proposal === 'full' || proposal === 'closed' ? 'busy' : proposal;
  };
}

/** Never through the middle of a character. */
const shortened = (title: string): string =>
  title.length <= MOST_TITLE ? title : `${title.slice(0, MOST_TITLE - 1).replace(/[\ud800-\udbff]$/, '')}…`;

function absolute(image: string, base: URL): string | null {
  const href = URL.parse(image, base)?.href ?? '';
  return href.length <= MOST_ADDRESS && isHttpUrl(href) ? href : null;
}
