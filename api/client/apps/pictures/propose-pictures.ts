import { storeImage } from '../../../../engine/adapters/postgres/deliveries/store-image.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { createFairQueue } from '../../../../engine/contract/concurrency/fair-queue.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import { createFetchPublic } from '../../../../engine/network/fetch-public.ts';
import type { PublicAddresses } from '../../../../engine/network/public-addresses.ts';
import { checkIcon, type Icon } from '../../../../engine/notification/icons/check-icon.ts';
import { imagePath, smallPath } from '../../../../engine/notification/images/address.ts';
import { MAX_IMAGE_BYTES } from '../../../../engine/notification/images/check-image.ts';
import { createReadPage, type ReadPage } from '../../pages/read-page.ts';
import { manifestOptions, readManifest } from '../home-screen/judge-manifest.ts';
import { type Candidate, candidatesOf, type SitePictures } from './candidates.ts';

const picture = {
  accept: 'image/png, image/jpeg, image/webp',
  maxBytes: MAX_IMAGE_BYTES,
  cut: false,
  timeLimitMs: 5_000,
} as const;
/** At a time in this process, and how many requests may wait for one. */
const PROPOSALS = { permits: 2, waiting: 8, mostOfOwner: 2 } as const;
/** After this no further picture is asked for. */
const ENOUGH_MS = 15_000;

export interface ProposedPicture {
  /** Ours, as a path. */
  readonly path: string;
  /** Where the site has it. */
  readonly source: string;
}

export interface PicturesProposed {
  /** Null: the site has none that would do. */
  readonly icon: ProposedPicture | null;
  readonly badge: ProposedPicture | null;
}

/** Where an icon is named: the small one, or a badge. */
export const iconPath = (icon: Icon): string =>
  icon.small === null ? imagePath(icon) : smallPath(icon.hash);

/**
 * Looks for an icon and a badge among what a site shows of itself, and keeps them for a day: whoever takes them names them.
 * @returns a function that answers `busy` where too many sites are being read.
 */
export function createProposePictures(sql: Sql, addresses: PublicAddresses) {
  const readPage = createReadPage(addresses);
  const fetchManifest = createFetchPublic(addresses, manifestOptions);
  const fetchPicture = createFetchPublic(addresses, picture);
  const queue = createFairQueue(PROPOSALS);

  async function candidates(site: string): Promise<SitePictures> {
    const page = await readPage(`${site}/`);
    const pageUrl = page?.url ?? new URL(`${site}/`);
    return candidatesOf({ pageUrl, links: page?.head.icons ?? [], manifest: await manifestOf(page) });
  }

  async function manifestOf(page: ReadPage | null) {
    const url = page?.head.manifest ? URL.parse(page.head.manifest, page.url) : null;
    const fetched = url === null ? null : await fetchManifest(url.href);
    if (fetched?.kind !== 'fetched') return null;
    const fields = readManifest(fetched.body.toString());
    return fields === null ? null : { url: fetched.url, fields };
  }

  async function firstGood(tries: readonly Candidate[], untilMs: number): Promise<ProposedPicture | null> {
    for (const { url, use } of tries) {
      if (performance.now() > untilMs) return null;
      const fetched = await fetchPicture(url);
      const checked = fetched.kind === 'fetched' ? await checkIcon(use, fetched.body) : null;
      if (checked?.kind !== 'icon') continue;
      await storeImage(sql, checked.icon);
      return { path: iconPath(checked.icon), source: url };
    }
    return null;
  }

  async function propose(site: string): Promise<PicturesProposed> {
    const untilMs = performance.now() + ENOUGH_MS;
    const { icons, badges } = await candidates(site);
    return { icon: await firstGood(icons, untilMs), badge: await firstGood(badges, untilMs) };
  }

  return async function proposePictures(
    organizationId: OrganizationId,
    site: string,
  ): Promise<PicturesProposed | 'busy'> {
    const ending = await queue.run(() => propose(site), organizationId);
    return ending === 'full' || ending === 'closed' ? 'busy' : ending;
  };
}
