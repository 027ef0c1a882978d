import { decodeText } from './decode-text.ts';
import { type Feed, feedOf, itemOf } from './feed.ts';
import { parseJsonFeed } from './json-feed.ts';
import { atomItem, construct, fieldOf, hrefs, named, rssItem } from './xml-fields.ts';
import { feedIconsOf } from './xml-icons.ts';
import { readXmlItems, type XmlFeed } from './xml-items.ts';

export type ParsedFeed =
  | ({ readonly kind: 'parsed' } & Feed)
  /** A predicate in words for people; its subject is the feed. */
  | { readonly kind: 'fault'; readonly words: string };

export interface FeedBytes {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Where it was read: relative URLs are relative to it. */
  readonly url: string;
}

/** RSS 0.9 to 2.0 (RDF too), Atom 1.0 and JSON Feed, by what the bytes are: a content type is often wrong. */
export function parseFeed({ bytes, contentType, url }: FeedBytes): ParsedFeed {
  const text = decodeText(bytes, contentType);
  const isJson = /^\s*\{/.test(text.slice(0, 1_000));
  const feed = isJson ? parseJsonFeed(text, url) : parseXmlFeed(readXmlItems(text), url);
  if (feed === null) return fault('is JSON, but no JSON Feed');
  return typeof feed === 'string' ? fault(feed) : { kind: 'parsed', ...feed };
}

const fault = (words: string): ParsedFeed => ({ kind: 'fault', words });

/** @returns words where it is none. */
function parseXmlFeed(xml: XmlFeed, url: string): Feed | string {
  if (xml.fault === 'too-deep') return 'is nested too deeply';
  if (xml.fault === 'too-many-attributes') return 'has an element with too many attributes';
  if (xml.root === 'html') return 'is a web page and no feed';
  if (xml.root !== 'rss' && xml.root !== 'rdf' && xml.root !== 'feed')
    return 'is not an RSS, Atom or JSON feed';
  // Items before the break are whole.
  if (xml.fault === 'broken-off' && xml.items.length === 0) return 'broke off before its first item';
  const isAtom = xml.root === 'feed';
  const base = (xml.base === null ? null : URL.parse(xml.base, url)?.href) ?? url;
  const feedIcons = feedIconsOf(xml.channel);
  const items = xml.items.map((item) => {
    const own = item.attributes['xml:base'];
    const raw = isAtom ? atomItem(item) : rssItem(item);
    return itemOf(
      { ...raw, icons: [...raw.icons, ...feedIcons] },
      (own === undefined ? null : URL.parse(own, base)?.href) ?? base,
    );
  });
  const [site] = isAtom ? hrefs(named(xml.channel, 'link')) : [fieldOf(xml.channel, 'link')?.text];
  const title = fieldOf(xml.channel, 'title');
  const html = title === null || isAtom ? title : { ...title, attributes: { type: 'html' } };
  return feedOf(construct(html).text, site ?? null, items, base);
}
