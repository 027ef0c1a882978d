import type { RawItem } from './feed.ts';
import { readHtml, sourceOf } from './html-text.ts';
import { iconsOf, isFace } from './xml-icons.ts';
import type { XmlElement } from './xml-items.ts';

/** A first field of a name, in the order of the names. */
export function fieldOf(elements: readonly XmlElement[], ...names: readonly string[]): XmlElement | null {
  for (const name of names) {
    const found = elements.find((each) => each.name === name);
    if (found !== undefined) return found;
  }
  return null;
}

/** RSS 0.9 to 2.0, and RSS 1.0 in RDF. */
export function rssItem({ attributes, children }: XmlElement): RawItem {
  const guid = fieldOf(children, 'guid');
  const content = readHtml(textOf(fieldOf(children, 'content:encoded')));
  const description = readHtml(textOf(fieldOf(children, 'description')));
  const about = attributes['rdf:about'] ?? null;
  return {
    guid: guid?.text ?? about,
    links: [
      textOf(fieldOf(children, 'link')),
      ...hrefs(named(children, 'atom:link')),
      // The RSS 2.0 specification: a guid is a permanent link unless it says otherwise.
      guid?.attributes.ispermalink === 'false' || !isWebAddress(guid?.text) ? null : (guid?.text ?? null),
      isWebAddress(about) ? about : null,
    ],
    title: readHtml(textOf(fieldOf(children, 'title', 'media:title'))).text,
    summary: textIn(description.text, content.text, textOf(fieldOf(children, 'media:description'))),
    images: [...enclosures(children), ...media(children), content.image, description.image],
    icons: iconsOf(children),
    categories: named(children, 'category', 'dc:subject').map(({ text }) => readHtml(text).text),
    dates: named(children, 'pubdate', 'dc:date').map(({ text }) => text),
    author: textIn(textOf(fieldOf(children, 'dc:creator')), nameOf(textOf(fieldOf(children, 'author')))),
  };
}

export function atomItem({ children }: XmlElement): RawItem {
  const content = construct(fieldOf(children, 'content'));
  const summary = construct(fieldOf(children, 'summary'));
  return {
    guid: fieldOf(children, 'id')?.text ?? null,
    links: hrefs(named(children, 'link')),
    title: construct(fieldOf(children, 'title')).text,
    summary: textIn(summary.text, content.text, textOf(mediaFields(children, 'media:description')[0])),
    images: [...enclosures(children), ...media(children), content.image, summary.image],
    icons: iconsOf(children),
    categories: named(children, 'category').map(
      ({ attributes }) => attributes.label ?? attributes.term ?? null,
    ),
    // Its first publication: an entry that is edited is not a new one.
    dates: [...named(children, 'published'), ...named(children, 'updated')].map(({ text }) => text),
    author: textOf(fieldOf(fieldOf(children, 'author')?.children ?? [], 'name')),
  };
}

/** RFC 4287, section 3.1: text as it is, HTML as text, or XHTML as elements. */
export function construct(element: XmlElement | null): { text: string; image: string | null } {
  if (element === null) return { text: '', image: null };
  const type = element.attributes.type ?? 'text';
  if (type === 'html' || type === 'text/html') return readHtml(element.text);
  return { text: element.text, image: type === 'xhtml' ? imageIn(element) : null };
}

/** Where a site, a page or an item is: `rel` is `alternate` unless it says otherwise, and pages come first. */
export function hrefs(links: readonly XmlElement[]): (string | null)[] {
  const alternate = links
    .map(({ attributes }) => attributes)
    .filter(({ rel = 'alternate' }) => rel === 'alternate');
  const pages = alternate.filter(({ type = 'text/html' }) => /html/.test(type));
  return [...pages, ...alternate].map(({ href }) => href ?? null);
}

export const named = (elements: readonly XmlElement[], ...names: readonly string[]): XmlElement[] =>
  elements.filter(({ name }) => names.includes(name));

const textOf = (element: XmlElement | null | undefined): string => element?.text ?? '';
const textIn = (...texts: readonly string[]): string | null =>
  texts.find((text) => text.trim() !== '') ?? null;
const isWebAddress = (text: string | null | undefined): boolean => /^\s*https?:\/\//i.test(text ?? '');

/** RSS 2.0 gives an address with a name in brackets, which is often given alone. */
function nameOf(author: string): string {
  // The search costs the square of its text.
  const short = author.slice(0, 500);
  return short.match(/\(([^()]+)\)\s*$/)?.[1] ?? short;
}

function enclosures(children: readonly XmlElement[]): (string | null)[] {
  const links = named(children, 'link', 'atom:link').filter(
    ({ attributes }) => attributes.rel === 'enclosure',
  );
  return [...named(children, 'enclosure'), ...links]
    .filter(({ attributes }) => /^image\//i.test(attributes.type ?? ''))
    .map(({ attributes }) => attributes.url ?? attributes.href ?? null);
}

/** Media RSS: a picture of the item, then a small one. */
function media(children: readonly XmlElement[]): (string | null)[] {
  const isImage = ({ medium, type = '', url = '' }: Readonly<Record<string, string>>): boolean =>
    medium === 'image' || /^image\//i.test(type) || /\.(?:jpe?g|png)(?:\?|$)/i.test(url);
  const contents = mediaFields(children, 'media:content').filter((each) => !isFace(each));
  const thumbnails = [
    ...mediaFields(children, 'media:thumbnail'),
    ...contents.flatMap((each) => named(each.children, 'media:thumbnail')),
  ];
  return [...contents.filter(({ attributes }) => isImage(attributes)), ...thumbnails].map(
    ({ attributes }) => attributes.url ?? null,
  );
}

const mediaFields = (children: readonly XmlElement[], name: string): XmlElement[] => [
  ...named(children, name),
  ...named(children, 'media:group').flatMap((group) => named(group.children, name)),
];

function imageIn({ name, attributes, children }: XmlElement): string | null {
  if (name === 'img') return sourceOf(attributes);
  for (const child of children) {
    const image = imageIn(child);
    if (image !== null) return image;
  }
  return null;
}
