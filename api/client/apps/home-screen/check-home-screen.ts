import { createFairQueue } from '../../../../engine/contract/concurrency/fair-queue.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import { createFetchPublic } from '../../../../engine/network/fetch-public.ts';
import type { PublicAddresses } from '../../../../engine/network/public-addresses.ts';
import { createReadPage } from '../../pages/read-page.ts';
import {
  type Finding,
  type FindingCode,
  findingOf,
  judgeManifest,
  manifestOptions,
} from './judge-manifest.ts';

/** At a time in this process, and how many requests may wait for one. */
const CHECKS = { permits: 4, waiting: 8, mostOfOwner: 2 } as const;

export interface HomeScreenCheck {
  /** Null: the page names none. */
  readonly manifest_url: string | null;
  /** The worst first; empty: it is ready. */
  readonly findings: readonly Finding[];
}

/** @returns a function that answers `busy` where too many sites are being read. */
export function createCheckHomeScreen(addresses: PublicAddresses) {
  const readPage = createReadPage(addresses);
  const fetchManifest = createFetchPublic(addresses, manifestOptions);
  const queue = createFairQueue(CHECKS);

  async function check(site: string): Promise<HomeScreenCheck> {
    const page = await readPage(`${site}/`);
    if (page === null) return checked(null, ['page_unreachable']);
    const { url: pageUrl, head } = page;
    if (head.manifest === null) return checked(null, ['manifest_missing']);
    const manifestUrl = URL.parse(head.manifest, pageUrl);
    if (manifestUrl === null) return checked(null, ['manifest_unreachable']);
    const { href } = manifestUrl;
    const fetched = await fetchManifest(href);
    if (fetched.kind !== 'fetched') return checked(href, ['manifest_unreachable']);
    const place = { pageUrl, manifestUrl: fetched.url, hasTouchIcon: head.hasTouchIcon };
    return checked(href, judgeManifest(fetched.body.toString(), place));
  }

  return async function checkHomeScreen(
    organizationId: OrganizationId,
    site: string,
  ): Promise<HomeScreenCheck | 'busy'> {
    const ending = await queue.run(() => check(site), organizationId);
    return ending === 'full' || ending === 'closed' ? 'busy' : ending;
  };
}

const checked = (url: string | null, codes: readonly FindingCode[]): HomeScreenCheck => ({
  manifest_url: url,
  findings: codes.map(findingOf),
});
