/** What a page says of itself, as far as notifications about it and from it are concerned. */
export interface PageHead {
  readonly title: string | null;
  /** As it stands in the page: it may be relative. */
  readonly image: string | null;
  /** Of its web app manifest, as it stands in the page. */
  readonly manifest: string | null;
  /** An icon for the home screen of an iPhone. */
  readonly hasTouchIcon: boolean;
  /** Its icons, in the order of the page. */
  readonly icons: readonly LinkedIcon[];
}

export interface LinkedIcon {
  /** As it stands in the page. */
  readonly href: string;
  /** For the home screen of an iPhone. */
  readonly touch: boolean;
  /** Such as `32x32 192x192`; empty: not said. */
  readonly sizes: string;
  readonly type: string;
}

/** Names of `<meta>`, the better one first. */
const titleNames = ['og:title', 'twitter:title'];
const imageNames = ['og:image:secure_url', 'og:image:url', 'og:image', 'twitter:image', 'twitter:image:src'];

/** Pages name up to twenty. */
const MOST_ICONS = 50;

const touchIconNames = ['apple-touch-icon', 'apple-touch-icon-precomposed'];

/** Their content is text to a parser, whatever tags it seems to hold. */
const textElements: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg']);

/**
 * Reads `<title>`, `<meta>` and `<link>` up to the end of the head. A page of strangers: one pass from its beginning to its end,
 * without a step back, so no page costs more than its length.
 */
export function readHead(html: string): PageHead {
  const metas = new Map<string, string>();
  const links = new Map<string, string>();
  const icons: LinkedIcon[] = [];
  let title: string | null = null;
  const tag = /<(?:!--|(\/?)([a-z][a-z0-9]*))/gi;
  for (let found = tag.exec(html); found !== null; found = tag.exec(html)) {
    const [, closing, given] = found;
    const name = given?.toLowerCase();
    if (name === 'body' || (name === 'head' && closing === '/')) break;
    if (name === undefined) tag.lastIndex = after(html, '-->', tag.lastIndex);
    else if (closing === '/') continue;
    else if (name === 'meta') noteMeta(metas, attributesOf(html, tag));
    else if (name === 'link') noteLink(links, icons, attributesOf(html, tag));
    else if (name === 'title' && title === null) {
      const from = after(html, '>', tag.lastIndex);
      const end = endOf(html, name, from);
      title = html.slice(from, end);
      tag.lastIndex = end;
    } else if (textElements.has(name)) tag.lastIndex = endOf(html, name, tag.lastIndex);
  }
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => metas.get(name)).find((content) => content !== undefined && content.trim() !== '');
  return {
    title: cleaned(first(titleNames) ?? title),
    image: cleaned(first(imageNames) ?? null),
    manifest: cleaned(links.get('manifest') ?? null),
    hasTouchIcon: touchIconNames.some((name) => links.has(name)),
    icons,
  };
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

/** Where the element's content ends. */
function endOf(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

/** The first of a name counts, as browsers and networks have it. */
function noteMeta(metas: Map<string, string>, attributes: ReadonlyMap<string, string>): void {
  const name = (attributes.get('property') ?? attributes.get('name'))?.toLowerCase();
  const content = attributes.get('content');
  if (name !== undefined && content !== undefined && !metas.has(name)) metas.set(name, content);
}

/** Relations are words apart; the first link of one counts, and every icon. */
function noteLink(
  links: Map<string, string>,
  icons: LinkedIcon[],
  attributes: ReadonlyMap<string, string>,
): void {
  const href = attributes.get('href') ?? '';
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  for (const relation of relations) if (href !== '' && !links.has(relation)) links.set(relation, href);
  const touch = touchIconNames.some((name) => relations.includes(name));
  if (!(touch || relations.includes('icon')) || icons.length === MOST_ICONS) return;
  const [sizes = '', type = ''] = [attributes.get('sizes'), attributes.get('type')];
  const address = cleaned(href);
  if (address !== null) icons.push({ href: address, touch, sizes, type });
}

/** Of the tag whose name was just read; moves on behind the tag. */
function attributesOf(html: string, tag: RegExp): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const one = /[\s/"']*([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']*)))?/y;
  one.lastIndex = tag.lastIndex;
  let end = tag.lastIndex;
  for (let match = one.exec(html); match !== null; match = one.exec(html)) {
    const [, name = '', double, single, bare] = match;
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), double ?? single ?? bare ?? '');
    end = one.lastIndex;
  }
  tag.lastIndex = Math.max(end, tag.lastIndex);
  return found;
}

const cleaned = (text: string | null): string | null => {
  const clean = text === null ? '' : decodeEntities(text).replaceAll(/\s+/g, ' ').trim();
  return clean === '' ? null : clean;
};

/** Those that titles have; any other stays as it is written. */
const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '', hellip: '…', euro: '€' },
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' },
  ...{ laquo: '«', raquo: '»', lsaquo: '‹', rsaquo: '›', szlig: 'ß', ccedil: 'ç', ntilde: 'ñ' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü' },
  ...{ aacute: 'á', eacute: 'é', iacute: 'í', oacute: 'ó', uacute: 'ú' },
  ...{ agrave: 'à', egrave: 'è', acirc: 'â', ecirc: 'ê', icirc: 'î', ocirc: 'ô', ucirc: 'û' },
};

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : ' ';
  });
}
