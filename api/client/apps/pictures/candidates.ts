import type { IconUse } from '../../../../engine/notification/icons/make-icon.ts';
import { SMALL_SIDE } from '../../../../engine/notification/images/address.ts';
import type { LinkedIcon } from '../../pages/read-head.ts';

/** A picture of a site that may do, and where it is. */
export interface Candidate {
  readonly url: string;
  readonly use: IconUse;
}

export interface SitePictures {
  /** Those to try, the best first. */
  readonly icons: readonly Candidate[];
  readonly badges: readonly Candidate[];
}

export interface SiteSaid {
  readonly pageUrl: URL;
  readonly links: readonly LinkedIcon[];
  /** Null: it has none that can be read. */
  readonly manifest: { readonly url: URL; readonly fields: Readonly<Record<string, unknown>> } | null;
}

/** Each is fetched from the site: some, and not what a stranger lists by the thousand. */
const [MOST_ICONS, MOST_BADGES] = [4, 2];
const MOST_LISTED = 100;
const ENOUGH_PIXELS = 512;
/** Of those for iPhones, where nothing is said. */
const TOUCH_SIDE = 180;

interface Rated extends Candidate {
  /** The lower, the earlier it is tried. */
  readonly rank: number;
  /** Pixels a side, as the site says; 0: it does not. */
  readonly side: number;
}

/**
 * The pictures that a site shows of itself: those of its web app manifest (https://www.w3.org/TR/appmanifest/#icons-member),
 * then those that its page links, then the one that iPhones look for by its name.
 */
export function candidatesOf({ pageUrl, links, manifest }: SiteSaid): SitePictures {
  const listed = manifest === null ? [] : manifestIcons(manifest.fields.icons, manifest.url);
  const linked = links.flatMap((link) => ratedLink(link, pageUrl));
  const byName: Rated = {
    url: new URL('/apple-touch-icon.png', pageUrl).href,
    use: 'touch-icon',
    rank: 9,
    side: TOUCH_SIDE,
  };
  const all = [...listed, ...linked, byName].filter(({ url }) => /^https?:/.test(url));
  return {
    icons: best(
      all.filter(({ use }) => use !== 'badge'),
      MOST_ICONS,
    ),
    badges: best(
      all.filter(({ use }) => use === 'badge'),
      MOST_BADGES,
    ),
  };
}

/** Of one rank, the smallest that is large enough, and then the largest. */
function best(rated: readonly Rated[], most: number): Candidate[] {
  const cost = ({ side }: Rated): number => (side >= ENOUGH_PIXELS ? side - ENOUGH_PIXELS : 1e6 - side);
  const ordered = rated.toSorted((a, b) => a.rank - b.rank || cost(a) - cost(b));
  const found = new Map(ordered.map(({ url, use }) => [url, use]));
  return Array.from(found, ([url, use]) => ({ url, use })).slice(0, most);
}

function manifestIcons(icons: unknown, base: URL): Rated[] {
  if (!Array.isArray(icons)) return [];
  return icons.slice(0, MOST_LISTED).flatMap((icon: unknown) => {
    const { src, sizes, type, purpose } = Object(icon) as Readonly<Record<string, unknown>>;
    const url = typeof src === 'string' && !isSvg(src, type) ? URL.parse(src, base) : null;
    if (url === null) return [];
    const purposes = typeof purpose === 'string' ? purpose.toLowerCase().split(/\s+/) : ['any'];
    const place = { url: url.href, side: sideOf(sizes) };
    return [
      ...(purposes.includes('monochrome') ? [{ ...place, use: 'badge' as const, rank: 0 }] : []),
      ...(purposes.includes('any') ? [{ ...place, use: 'icon' as const, rank: 0 }] : []),
      // With a border that launchers cut away.
      ...(purposes.includes('maskable') && !purposes.includes('any')
        ? [{ ...place, use: 'icon' as const, rank: 1 }]
        : []),
    ];
  });
}

function ratedLink({ href, touch, sizes, type }: LinkedIcon, base: URL): Rated[] {
  const url = isSvg(href, type) ? null : URL.parse(href, base);
  const side = sideOf(sizes);
  // Those of tabs are small.
  if (url === null || (!touch && side < SMALL_SIDE)) return [];
  return [
    { url: url.href, use: touch ? 'touch-icon' : 'icon', rank: touch ? 3 : 2, side: side || TOUCH_SIDE },
  ];
}

const isSvg = (address: string, type: unknown): boolean =>
  type === 'image/svg+xml' || /\.svg(?:[?#]|$)/i.test(address);

/** The largest of `sizes`, such as `48x48 192x192`. */
function sideOf(sizes: unknown): number {
  if (typeof sizes !== 'string') return 0;
  const sides = sizes.slice(0, 1_000).match(/\d{1,5}(?=x\d)/gi) ?? [];
  return Math.max(0, ...sides.map(Number));
}
