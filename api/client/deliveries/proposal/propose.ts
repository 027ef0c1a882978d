import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import { createWorkQueue } from '../../../../engine/contract/work-queue.ts';
import { createFetchPublic } from '../../../../engine/network/fetch-public.ts';
import type { PublicAddresses } from '../../../../engine/network/public-addresses.ts';
import { isHttpUrl } from '../../fields.ts';
import { readHead } from './read-head.ts';

/** The head of a page is at its beginning. */
const page = {
  accept: 'text/html, application/xhtml+xml',
  maxBytes: 512 * 1_024,
  cut: true,
  timeLimitMs: 5_000,
} as const;
/** At a time in this process, and how many requests may wait for one. */
const FETCHES = { permits: 4, waiting: 8, perOwner: 2 } as const;
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
  const fetchPublic = createFetchPublic(addresses, page);
  const queue = createWorkQueue(FETCHES);

  async function read(url: string): Promise<Proposal> {
    const fetched = await fetchPublic(url);
    if (fetched.kind !== 'fetched' || !/^(text\/html|application\/xhtml\+xml)\b/i.test(fetched.type)) {
      return nothing;
    }
    const { title, image } = readHead(decode(fetched.body, fetched.type));
    return {
      title: title === null ? null : shortened(title),
      image_url: image === null ? null : absolute(image, fetched.url),
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

const DECLARED_WITHIN_BYTES = 1_024;

/** As the answer says, or the page near its beginning; an unknown encoding is read as UTF-8. */
function decode(body: Buffer, type: string): string {
  const start = body.subarray(0, DECLARED_WITHIN_BYTES).toString('latin1');
  const charset = /charset=["']?([\w-]{1,40})/i;
  const label = charset.exec(type)?.[1] ?? charset.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
