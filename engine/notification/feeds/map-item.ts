import type { FeedItem } from './feed.ts';

/** Of the notification's texts (`DeliveryBody`). */
const MAX_TEXT_LENGTH = 255;
/** Of a digest's body: more would not fit. */
const MAX_TITLES = 10;

/** Texts with `{title}`, `{summary}`, `{category}` (the first) and `{author}`. Any other braces are text. */
export interface ItemMapping {
  readonly title: string;
  readonly body: string;
  readonly image: boolean;
  /** Shows the item's own icon, where the feed has one. Absent: no. */
  readonly itemIcon?: boolean;
}

export const defaultMapping: ItemMapping = { title: '{title}', body: '{summary}', image: true };

export interface NotificationFields {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly image_url: string | null;
  /** As the feed names it. Null: the mapping's or the app's is shown. */
  readonly icon_url: string | null;
}

export type MappedItem =
  | ({ readonly kind: 'mapped' } & NotificationFields)
  /** Why it cannot be sent, in words whose subject is the item. */
  | { readonly kind: 'unfit'; readonly words: string };

/** An item as a notification. If nothing is left of the body, it names the site: a notification has a body. */
export function mapItem(item: FeedItem, { title, body, image, itemIcon = false }: ItemMapping): MappedItem {
  if (item.link === null) return { kind: 'unfit', words: 'has no link' };
  if (item.title === null) return { kind: 'unfit', words: 'has no title' };
  return {
    kind: 'mapped',
    title: filled(title, item) || shortened(item.title),
    body: filled(body, item) || shortened(new URL(item.link).host),
    url: item.link,
    image_url: image ? item.image : null,
    icon_url: itemIcon ? item.icon : null,
  };
}

/** Texts of a digest: `{count}`, `{feed}` (its title), and the fields of its newest item. */
export interface DigestMapping {
  readonly title: string;
  readonly body: string;
}

/** Needs no language: which one the readers have, the publisher knows. */
export const defaultDigest: DigestMapping = { title: '{feed}: +{count}', body: '{titles}' };

/** @param feed its link is where a click leads; without one, to the newest item. */
export function mapDigest(
  items: readonly FeedItem[],
  feed: { readonly title: string | null; readonly link: string | null },
  { title, body }: DigestMapping,
): MappedItem {
  const titled = items.filter((item) => item.title !== null);
  const url = feed.link ?? titled.find(({ link }) => link !== null)?.link ?? null;
  if (url === null) return { kind: 'unfit', words: 'has no link' };
  const { host } = new URL(url);
  const values = {
    count: String(items.length),
    feed: feed.title ?? host,
    titles: titled
      .slice(0, MAX_TITLES)
      .map((item) => item.title)
      .join(' · '),
  };
  return {
    kind: 'mapped',
    title: replaced(title, values) || shortened(`${host}: +${items.length}`),
    body: replaced(body, values) || shortened(host),
    url,
    image_url: null,
    // Of several authors no face is that of all.
    icon_url: null,
  };
}

const filled = (template: string, { title, summary, categories, author }: FeedItem): string =>
  replaced(template, {
    title: title ?? '',
    summary: summary ?? '',
    category: categories[0] ?? '',
    author: author ?? '',
  });

/** In one pass: what a value brings is text, whatever it looks like. */
function replaced(template: string, values: Readonly<Record<string, string>>): string {
  let isComplete = true;
  const text = template.replace(/\{(\w+)\}/g, (written, name: string) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : written;
    if (value === '') isComplete = false;
    return value;
  });
  // A separator beside a field that is not there would stand at an end.
  return shortened(isComplete ? text : text.replace(/^[\s:|·–—,-]+|(?<![\s:|·–—,-])[\s:|·–—,-]+$/g, ''));
}

/** Cut between two words, unless one alone is longer. */
function shortened(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= MAX_TEXT_LENGTH) return plain;
  const cut = plain.slice(0, MAX_TEXT_LENGTH - 1);
  const space = cut.lastIndexOf(' ');
  const whole = plain[MAX_TEXT_LENGTH - 1] === ' ' || space < MAX_TEXT_LENGTH / 2 ? cut : cut.slice(0, space);
  return `${whole.replace(/[\ud800-\udbff]$/, '').replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/, '')}…`;
}
