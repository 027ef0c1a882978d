import { type Feed, feedOf, itemOf, MAX_ITEMS, type RawItem } from './feed.ts';
import { readHtml } from './html-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** JSON Feed 1.0 and 1.1 (jsonfeed.org). @returns null where the text is not JSON Feed. */
export function parseJsonFeed(text: string, address: string): Feed | null {
  const feed = fieldsOf(jsonOf(text));
  if (feed === null || !/jsonfeed\.org\/version\//.test(stringOf(feed.version) ?? '')) return null;
  if (!Array.isArray(feed.items)) return null;
  const items = recordsIn(feed.items.slice(0, MAX_ITEMS));
  return feedOf(
    stringOf(feed.title),
    stringOf(feed.home_page_url),
    items.map((item) => itemOf(rawItem(item, feed), address)),
    address,
  );
}

function rawItem(item: Fields, feed: Fields): RawItem {
  const html = readHtml(stringOf(item.content_html) ?? '');
  const attachments = recordsIn(listOf(item.attachments));
  const pictures = attachments.filter(({ mime_type }) => /^image\//i.test(stringOf(mime_type) ?? ''));
  const [author = null] = [...authorsOf(item), ...authorsOf(feed)];
  return {
    // Version 1.0 lets an id be a number.
    guid: typeof item.id === 'number' ? String(item.id) : stringOf(item.id),
    links: [stringOf(item.url), stringOf(item.external_url)],
    title: stringOf(item.title),
    summary: stringOf(item.summary) ?? stringOf(item.content_text) ?? html.text,
    images: [item.image, item.banner_image, ...pictures.map(({ url }) => url), html.image].map(stringOf),
    icons: [...facesOf(item), ...facesOf(feed), stringOf(feed.icon)],
    categories: listOf(item.tags).map(stringOf),
    dates: [stringOf(item.date_published), stringOf(item.date_modified)],
    author,
  };
}

/** Version 1.1 has `authors`, 1.0 one `author`. */
const peopleOf = ({ authors, author }: Fields): Fields[] => recordsIn([...listOf(authors), author]);
const authorsOf = (of: Fields): string[] => peopleOf(of).flatMap(({ name }) => stringOf(name) ?? []);
const facesOf = (of: Fields): string[] => peopleOf(of).flatMap(({ avatar }) => stringOf(avatar) ?? []);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
const recordsIn = (values: readonly unknown[]): Fields[] =>
  values.map(fieldsOf).filter((each) => each !== null);
const stringOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, 100) : []);
