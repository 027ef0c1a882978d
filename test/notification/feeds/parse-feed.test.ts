// tier: unit
import { describe, expect, it } from 'vitest';
import type { FeedItem } from '../../../engine/notification/feeds/feed.ts';
import { parseFeed } from '../../../engine/notification/feeds/parse-feed.ts';
import { hostileFeeds } from './hostile-feeds.ts';

const url = 'https://news.example/feeds/all.xml';
const parse = (text: string | Uint8Array, contentType = '') =>
  parseFeed({ bytes: typeof text === 'string' ? Buffer.from(text) : text, contentType, url });
const itemsOf = (text: string | Uint8Array, contentType = ''): readonly FeedItem[] => {
  const feed = parse(text, contentType);
  if (feed.kind === 'fault') throw new Error(feed.words);
  return feed.items;
};
const rss = (inside: string, attributes = ''): string =>
  `<?xml version="1.0"?><rss version="2.0" ${attributes}><channel><title>News</title>${inside}</channel></rss>`;

const wordpress = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
  <title>The &#8220;Harbour&#8221; Post</title>
  <atom:link href="https://news.example/feed/" rel="self" type="application/rss+xml" />
  <link>https://news.example</link>
  <image><url>https://news.example/logo.png</url><title>Not this</title><link>https://logo.example</link></image>
  <item>
    <title>Ferry &#038; tide: what&#8217;s next?</title>
    <link>https://news.example/2026/11/ferry/</link>
    <dc:creator><![CDATA[Ada Sailor]]></dc:creator>
    <pubDate>Mon, 23 Nov 2026 06:00:00 +0100</pubDate>
    <category><![CDATA[Harbour &amp; sea]]></category>
    <category><![CDATA[Traffic]]></category>
    <category>Traffic</category>
    <guid isPermaLink="false">https://news.example/?p=123</guid>
    <description><![CDATA[<p>The   ferry <b>sails</b> again.</p><p>From Monday&nbsp;on &#8230; </p>]]></description>
    <content:encoded><![CDATA[<script>var x = "<b>no</b>";</script><img src="/pixel.gif" width="1" height="1">
      <figure><img src="/wp-content/ferry.jpg?w=1200&amp;h=800" alt=""></figure><p>Long text</p>]]></content:encoded>
  </item>
</channel></rss>`;

describe('a feed', () => {
  it('is read from the RSS of a WordPress site', () => {
    expect(parse(wordpress)).toEqual({
      kind: 'parsed',
      title: 'The “Harbour” Post',
      link: 'https://news.example/',
      items: [
        {
          guid: 'https://news.example/?p=123',
          link: 'https://news.example/2026/11/ferry/',
          title: 'Ferry & tide: what’s next?',
          summary: 'The ferry sails again. From Monday on …',
          image: 'https://news.example/wp-content/ferry.jpg?w=1200&h=800',
          icon: null,
          categories: ['Harbour & sea', 'Traffic'],
          publishedAt: new Date('2026-11-23T05:00:00Z'),
          author: 'Ada Sailor',
        },
      ],
    });
  });

  it('is read from Atom, with the link that leads to a page among several', () => {
    const feed = parse(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://blog.example/sub/">
      <title type="html">&lt;b&gt;A&lt;/b&gt;</title><id>urn:feed</id>
      <link rel="self" href="atom.xml"/><link href="./"/>
      <author><name>Not of the entry</name></author>
      <entry xml:base="2026/">
        <id>urn:uuid:1</id>
        <title type="text">1 &lt; 2 &amp; so on</title>
        <link rel="edit" href="https://api.example/1"/>
        <link rel="alternate" type="application/json" href="one.json"/>
        <link rel="enclosure" type="image/png" href="one.png"/>
        <link rel="alternate" type="text/html" href="one.html"/>
        <author><name>Bea</name><email>b@example.com</email></author>
        <category term="sea" label="The Sea"/><category term="wind"/>
        <published>2026-11-22T10:00:00Z</published><updated>2026-11-23T10:00:00Z</updated>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Waves <em>hi</em>gh</p><p>again<script>no()</script></p></div></content>
      </entry></feed>`);
    expect(feed).toEqual({
      kind: 'parsed',
      title: 'A',
      link: 'https://blog.example/sub/',
      items: [
        {
          guid: 'urn:uuid:1',
          link: 'https://blog.example/sub/2026/one.html',
          title: '1 < 2 & so on',
          summary: 'Waves high again',
          image: 'https://blog.example/sub/2026/one.png',
          icon: null,
          categories: ['The Sea', 'wind'],
          publishedAt: new Date('2026-11-22T10:00:00Z'),
          author: 'Bea',
        },
      ],
    });
  });

  it('is read from Atom whose names carry a prefix', () => {
    const [item] = itemsOf(
      `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:id>1</a:id><a:title>T</a:title><a:link href="/x"/></a:entry></a:feed>`,
    );
    expect(item).toMatchObject({ guid: '1', title: 'T', link: 'https://news.example/x' });
  });

  it('is read from JSON Feed 1.1, and 1.0', () => {
    const feed = parse(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'Notes',
        home_page_url: 'https://notes.example/',
        authors: [{ name: 'Everybody' }],
        items: [
          {
            id: 'a',
            url: 'https://notes.example/a',
            content_html: '<p>Hello&nbsp;<img src="in.png"> there</p>',
            image: 'https://notes.example/a.jpg',
            date_published: '2026-11-23T08:00:00+02:00',
            tags: ['one', 'two'],
          },
          { id: 7, external_url: '/b', title: 'B', summary: 'S', author: { name: 'Cy' }, tags: 'none' },
          'no item',
        ],
      }),
      'text/plain',
    );
    expect(feed).toMatchObject({ kind: 'parsed', title: 'Notes', link: 'https://notes.example/' });
    expect(feed.kind === 'parsed' && feed.items).toEqual([
      {
        guid: 'a',
        link: 'https://notes.example/a',
        title: null,
        summary: 'Hello there',
        image: 'https://notes.example/a.jpg',
        icon: null,
        categories: ['one', 'two'],
        publishedAt: new Date('2026-11-23T06:00:00Z'),
        author: 'Everybody',
      },
      {
        guid: '7',
        link: 'https://news.example/b',
        title: 'B',
        summary: 'S',
        image: null,
        icon: null,
        categories: [],
        publishedAt: null,
        author: 'Cy',
      },
    ]);
  });

  it('is read from RSS 1.0 in RDF, whose items stand beside the channel', () => {
    const feed =
      parse(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:d="http://purl.org/dc/elements/1.1/"><channel rdf:about="/"><title>Old</title><link>/</link></channel>
      <item rdf:about="https://old.example/1"><title>One</title><d:date>2026-11-23T05:00:00Z</d:date><d:creator>Di</d:creator>
      <d:subject>Sea</d:subject></item></rdf:RDF>`);
    expect(feed).toMatchObject({
      title: 'Old',
      items: [
        {
          guid: 'https://old.example/1',
          link: 'https://old.example/1',
          categories: ['Sea'],
          author: 'Di',
          publishedAt: new Date('2026-11-23T05:00:00Z'),
        },
      ],
    });
  });

  it('takes a GUID as the link, if it is one and nothing else is', () => {
    const links = itemsOf(
      rss(`<item><guid>https://a.example/1</guid></item><item><guid isPermaLink="false">https://a.example/2</guid></item>
        <item><guid isPermaLink="true">tag:3</guid></item><item><guid>https://a.example/4</guid><link>/4</link></item>
        <item><atom:link href="/5"/><guid>x</guid></item>`),
    ).map(({ link }) => link);
    expect(links).toEqual([
      'https://a.example/1',
      null,
      null,
      'https://news.example/4',
      'https://news.example/5',
    ]);
  });

  it.each([
    [
      '<enclosure type="audio/mpeg" url="/a.mp3"/><enclosure type="image/png" url="/e.png"/><media:thumbnail url="/t.png"/>',
      '/e.png',
    ],
    [
      '<media:group><media:content url="/v.mp4" type="video/mp4"><media:thumbnail url="/v.jpg"/></media:content></media:group>',
      '/v.jpg',
    ],
    ['<media:thumbnail url="/t.png"/><media:content url="/c" medium="image"/>', '/c'],
    ['<media:content url="/c.jpg?x=1"/>', '/c.jpg?x=1'],
    [
      '<description>&lt;img src="data:image/png;base64,xx"&gt;&lt;img src="/d.png"&gt;</description>',
      '/d.png',
    ],
    ['<description>&lt;img src="javascript:alert(1)"&gt;</description>', null],
    [`<enclosure type="image/png" url="/${'x'.repeat(2_100)}"/>`, null],
  ])('finds the image of %s', (inside, image) => {
    const [item] = itemsOf(rss(`<item>${inside}</item>`));
    expect(item?.image).toBe(image === null ? null : `https://news.example${image}`);
  });

  it.each([
    ['by the XML declaration', 'iso-8859-1', 'text/xml'],
    ['by the header', null, 'text/xml; charset="windows-1252"'],
    ['by the header rather than the declaration', 'utf-8', 'text/xml;charset=windows-1252'],
  ])('is decoded %s', (_, encoding, contentType) => {
    const declaration = encoding === null ? '' : `<?xml version="1.0" encoding="${encoding}"?>`;
    const text = `${declaration}<rss><channel><item><title>Fünf \x80</title></item></channel></rss>`;
    expect(itemsOf(Buffer.from(text, 'latin1'), contentType)[0]?.title).toBe('Fünf €');
  });

  it.each([
    ['UTF-16 with a mark', Buffer.from(`\ufeff${wordpress}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(wordpress, 'utf16le')],
    ['UTF-16, the large byte first', Buffer.from(`\ufeff${wordpress}`, 'utf16le').swap16()],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${wordpress}`)],
    ['UTF-8 that calls itself UTF-16', Buffer.from(wordpress.replace('UTF-8', 'UTF-16'))],
    ['a charset that nobody knows', Buffer.from(wordpress.replace('UTF-8', 'klingon'))],
  ])('is decoded from %s', (_, bytes) => {
    expect(itemsOf(bytes)[0]?.title).toBe('Ferry & tide: what’s next?');
  });

  it.each([
    ['Mon, 23 Nov 2026 06:00:00 GMT', '2026-11-23T06:00:00.000Z'],
    ['23 Nov 2026 06:00 EST', '2026-11-23T11:00:00.000Z'],
    ['2026-11-23T06:00:00', '2026-11-23T06:00:00.000Z'],
    ['Mon, 23 Nov 2026 06:00:00', '2026-11-23T06:00:00.000Z'],
    ['yesterday', undefined],
  ])('dates an item of %s', (text, date) => {
    const [item] = itemsOf(rss(`<item><pubDate>${text}</pubDate></item>`));
    expect(item?.publishedAt?.toISOString()).toBe(date);
  });

  it('bounds every text, and cuts no identifier', () => {
    const long = 'x'.repeat(9_000);
    const [item] = itemsOf(
      rss(`<item><title>${long}</title><description>${long}</description><author>${long}</author><category>${long}</category>
        <guid>${long}</guid><link>https://a.example/${long}</link></item>`),
    );
    expect([item?.title?.length, item?.summary?.length, item?.author?.length]).toEqual([500, 2_000, 200]);
    expect([item?.categories[0]?.length, item?.guid, item?.link]).toEqual([200, null, null]);
  });

  it('leaves out the item in which it breaks off, and keeps those before', () => {
    const half = rss('<item><title>whole</title></item><item><title>Prime minister resi').replace(
      /<\/channel.*/,
      '',
    );
    expect(itemsOf(half).map(({ title }) => title)).toEqual(['whole']);
  });

  it('may be empty', () => {
    expect(itemsOf(rss('<atom:link href="x"/>'))).toEqual([]);
    expect(itemsOf('{"version":"https://jsonfeed.org/version/1.1","items":[]}')).toEqual([]);
  });

  it.each([
    ['<!doctype html><html><head><link rel="alternate"></head></html>', 'is a web page and no feed'],
    ['<svg/>', 'is not an RSS, Atom or JSON feed'],
    ['', 'is not an RSS, Atom or JSON feed'],
    ['{"items":[]}', 'is JSON, but no JSON Feed'],
    ['{"version":"https://jsonfeed.org/version/1.1"', 'is JSON, but no JSON Feed'],
    ['<rss><channel><title>x', 'broke off before its first item'],
  ])('is none: %s', (text, words) => {
    expect(parse(text)).toEqual({ kind: 'fault', words });
  });

  it.each(hostileFeeds)('ends soon with %s', (_, text, outcome) => {
    // Each takes less than a second. What grows with the square of 5 MB does not end within the time limit.
    const feed = parse(text);
    expect(feed.kind === 'fault' ? feed.words : feed.items.length).toBe(outcome);
    expect(JSON.stringify(feed).length).toBeLessThan(2_000_000);
  });
});
