const SIZE = 5 * 1024 * 1024;
const fill = (part: string, size = SIZE): string => part.repeat(Math.floor(size / part.length));
const many = (count: number, part: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join('');
const rss = (inside: string): string =>
  `<rss version="2.0"><channel><title>T</title>${inside}</channel></rss>`;
const item = (inside: string): string => rss(`<item><title>t</title>${inside}</item>`);

const laughs = many(9, (n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`);

/** Name, text of about 5 MB, and what the parser makes of it: a number of items, or words. */
export const hostileFeeds: readonly (readonly [name: string, text: string, outcome: number | string])[] = [
  [
    'a billion laughs',
    `<!DOCTYPE a [<!ENTITY lol0 "lol">${laughs}]>${rss('<item><title>&lol9;</title></item>')}`,
    1,
  ],
  [
    'one entity of 100 KB, a million times',
    `<!DOCTYPE a [<!ENTITY a "${fill('b', 100_000)}">]>${item(`<description>${fill('&a;', 3_000_000)}</description>`)}`,
    1,
  ],
  ['a million declared entities', `<!DOCTYPE a [${fill('<!ENTITY a "b">')}]>${item('')}`, 1],
  ['nothing but <', fill('<'), 'is not an RSS, Atom or JSON feed'],
  ['a title of <', rss(`<item><title>${fill('<')}`), 0],
  ['elements nested without end', rss(`<item>${fill('<a>')}`), 'is nested too deeply'],
  [
    'elements nested and closed',
    item(fill('<a>', SIZE / 2) + fill('</a>', SIZE / 2)),
    'is nested too deeply',
  ],
  ['a huge attribute', rss(`<item a="${fill('x')}"><title>t</title></item>`), 1],
  ['an attribute without an end', rss(`<item a="${fill('x')}`), 'broke off before its first item'],
  [
    '300,000 attributes',
    rss(`<item ${many(300_000, (n) => `a${n}="x" `)}/>`),
    'has an element with too many attributes',
  ],
  ['100,000 items', rss(fill('<item><title>t</title></item>', 2_900_000)), 500],
  ['400,000 elements of other names', item(many(400_000, (n) => `<a${n}/>`)), 1],
  ['60,000 namespaces', item(many(60_000, (n) => `<a xmlns:n${n}="http://purl.org/dc/elements/1.1/"/>`)), 1],
  ['half a million titles', item(fill('<title>x</title>')), 1],
  ['broken entities', item(`<description>${fill('&#x')}</description>`), 1],
  ['an entity without an end', item(`<description>&${fill('a')}</description>`), 1],
  ['CDATA that is not closed', rss(`<item><title>${fill('<![CDATA[')}`), 'broke off before its first item'],
  ['comments that are not closed', rss(fill('<!--')), 'broke off before its first item'],
  ['closing tags alone', rss(fill('</a>')), 0],
  [
    'HTML nested deeply, in 500 items',
    rss(`<item><description><![CDATA[${fill('<p>', 9_000)}]]></description></item>`.repeat(500)),
    500,
  ],
  ['HTML of <', item(`<description><![CDATA[${fill('<')}]]></description>`), 1],
  ['images without an end', item(`<description><![CDATA[${fill('<img ')}]]></description>`), 1],
  ['a date of spaces', item(`<pubDate>${fill(' ')}</pubDate>`), 1],
  ['an author of brackets', item(`<author>${fill('(')}</author>`), 1],
  ['spaces', fill(' \n'), 'is not an RSS, Atom or JSON feed'],
  ['a JSON list nested without end', `{"items":${fill('[')}`, 'is JSON, but no JSON Feed'],
  [
    'a JSON list nested and closed',
    `{"items":${fill('[', SIZE / 2)}${fill(']', SIZE / 2)}}`,
    'is JSON, but no JSON Feed',
  ],
  ['a million JSON items', `{"version":"https://jsonfeed.org/version/1.1","items":[${fill('{},')}{}]}`, 500],
];
