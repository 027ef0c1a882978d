import { createHash } from 'node:crypto';
import { withoutEnd } from '../../contract/without-end.ts';
import type { FeedItem } from './feed.ts';

export interface KeyedItem {
  readonly item: FeedItem;
  /** What it is: 22 characters of `[A-Za-z0-9_-]`, of which the first says by what (`g`uid, `l`ink, `h`ash). */
  readonly key: string;
  /** It was there before if one of these was. `key` is among them. */
  readonly knownBy: readonly string[];
  /** Kept of it, so that it is recognized when the feed names it otherwise. */
  readonly remembered: readonly string[];
}

/**
 * What the items of one check are: by GUID, otherwise by link, otherwise by title and summary.
 *
 * A system that publishes an article again often gives it another GUID under the same address, and a reader would get
 * it twice. So an item with a new GUID is known by its link too, if the link is of this item alone: where several items
 * of the feed share it (all lead to the front page, or to one live blog), or it has no path, it says nothing, and
 * link and title together stand in for it.
 */
export function keyItems(items: readonly FeedItem[]): KeyedItem[] {
  const normals = items.map(({ link }) => (link === null ? null : normalLink(link)));
  const shared = sharedOf(normals.filter((link) => link !== null));
  return items.map((item, at) => {
    const { guid, link, title, summary } = item;
    const normal = normals[at] ?? null;
    const byGuid = guid === null ? [] : [keyOf('g', guid)];
    const byTitle = normal === null ? [] : [keyOf('l', normal, title ?? '')];
    const byLink = normal === null ? [] : [keyOf('l', normal)];
    const isOwn = normal !== null && !shared.has(normal) && /[/?]./.test(normal);
    const byText = guid === null && link === null ? [keyOf('h', title ?? '', summary ?? '')] : [];
    const knownBy = [...byGuid, ...(isOwn ? byLink : []), ...byTitle, ...byText];
    const [key = ''] = knownBy;
    return { item, key, knownBy, remembered: [...byGuid, ...byLink, ...byTitle, ...byText] };
  });
}

function sharedOf(links: readonly string[]): ReadonlySet<string> {
  const once = new Set<string>();
  return new Set(links.filter((link) => once.size === once.add(link).size));
}

const keyOf = (by: 'g' | 'l' | 'h', ...parts: readonly string[]): string =>
  by + createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 21);

/** Added to a link by whoever counts its clicks, and different for the same page. */
const counting = /^(?:utm_.*|fbclid|gclid|msclkid|mc_cid|mc_eid|at_medium|at_campaign|_ga)$/i;

/** A page's address without what does not change the page: http or https, a fragment, a last slash, counters. */
function normalLink(link: string): string {
  const url = new URL(link);
  const given = [...url.searchParams];
  const kept = given.filter(([name]) => !counting.test(name));
  // Rewritten only where a counter goes: keys that are remembered come from links as they were written then. All in
  // one go, because each `delete` writes the whole query.
  const query = kept.length === given.length ? url.search.slice(1) : new URLSearchParams(kept).toString();
  return `${url.host}${withoutEnd(url.pathname, '/')}${query === '' ? '' : `?${query}`}`;
}
