import fc from 'fast-check';
import { chooseItems } from '../../../engine/notification/feeds/choose-items.ts';
import { MAX_ITEMS } from '../../../engine/notification/feeds/feed.ts';
import { parseFeed } from '../../../engine/notification/feeds/parse-feed.ts';
import { readItems } from '../../../engine/notification/feeds/read-feed.ts';
import { type FuzzTarget, within } from '../target.ts';
import { addresses } from './urls.ts';

/** Feeds of this size; those of the largest size that is read are the tests' of `engine/feeds`. */
const MOST_BYTES = 65_536;
const MOST_MS = 100;
const PER_HOUR = 5;
const filter = { categories: null, words: null, without: null };

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '&lt;b&gt;',
    '<![CDATA[ <b> ]]>',
    '&#x110000;',
    '&amp;'.repeat(200),
    '<'.repeat(300),
    ']]>',
    '\0',
  ),
);
const date = fc.oneof(fc.date({ noInvalidDate: true }).map(String), text);

const rssItem = fc
  .tuple(text, addresses, text, date, addresses)
  .map(
    ([title, link, guid, at, image]) =>
      `<item><title>${title}</title><link>${link}</link><guid>${guid}</guid><pubDate>${at}</pubDate>` +
      `<enclosure url="${image}"/><description>${title}</description></item>`,
  );
const rss = fc
  .tuple(text, addresses, fc.array(rssItem, { maxLength: 20 }))
  .map(
    ([title, base, items]) =>
      `<rss xml:base="${base}"><channel><title>${title}</title>${items.join('')}</channel></rss>`,
  );
const atom = fc
  .array(fc.tuple(text, addresses, date), { maxLength: 20 })
  .map(
    (entries) =>
      `<feed xmlns="http://www.w3.org/2005/Atom">${entries
        .map(
          ([id, link, at]) => `<entry><id>${id}</id><link href="${link}"/><updated>${at}</updated></entry>`,
        )
        .join('')}</feed>`,
  );
const json = fc
  .record({
    version: fc.constant('https://jsonfeed.org/version/1.1'),
    title: fc.oneof(text, fc.anything()),
    items: fc.oneof(
      fc.array(
        fc.record({
          id: fc.oneof(text, fc.anything()),
          url: fc.oneof(addresses, fc.anything()),
          title: text,
        }),
      ),
      fc.anything(),
    ),
  })
  .map((feed) => JSON.stringify(feed, (_key, value) => (typeof value === 'bigint' ? String(value) : value)));

/** Cut, doubled or with other bytes in the middle, as a server may send it. */
const damaged = (feed: fc.Arbitrary<string>) =>
  fc
    .tuple(
      feed,
      fc.nat(),
      fc.constantFrom('whole', 'cut', 'doubled', 'poked'),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    .map(([whole, place, how, bytes]) => {
      const at = place % (whole.length + 1);
      if (how === 'cut') return whole.slice(0, at);
      if (how === 'doubled') return whole + whole;
      return how === 'poked' ? whole.slice(0, at) + bytes + whole.slice(at) : whole;
    });

const feeds = fc.oneof(damaged(rss), damaged(atom), damaged(json), text);
const types = fc.constantFrom(
  '',
  'text/xml',
  'application/json',
  'text/html; charset=utf-7',
  'text/xml; charset=x',
);

export const feedsTarget: FuzzTarget = {
  name: 'feeds',
  holds: 'whatever a server sends is read or refused, and never more is sent than an hour has room for',
  property: fc.property(feeds, types, fc.array(fc.string(), { maxLength: 5 }), (feed, contentType, seen) => {
    const bytes = Buffer.from(feed).subarray(0, MOST_BYTES);
    const url = 'https://news.example/feed';
    const parsed = within(MOST_MS, () => parseFeed({ bytes, contentType, url }));
    if (parsed.kind === 'fault') return;
    const { items } = parsed;
    if (items.length > MAX_ITEMS) throw new Error(`${items.length} items were read`);
    for (const { link, image } of items)
      for (const address of [link, image])
        if (address !== null && !/^https?:\/\//.test(new URL(address).href))
          throw new Error(`${address} is not a page`);
    const check = {
      ...{
        items: within(MOST_MS, () => readItems(items, filter)),
        seen: new Set(seen),
        isFirstCheck: false,
        perHour: PER_HOUR,
        sentLastHour: 0,
      },
      overflow: 'drop' as const,
      ...{ maxAgeHours: 48, now: new Date('2026-01-01') },
    };
    const choice = within(MOST_MS, () => chooseItems(check));
    if (choice.send.length > PER_HOUR) throw new Error(`${choice.send.length} items are sent in an hour`);
    const again = chooseItems({ ...check, seen: new Set([...seen, ...choice.seenNow]) });
    if (again.send.length > 0) throw new Error('an item is sent twice');
  }),
};
