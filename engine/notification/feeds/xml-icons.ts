import type { XmlElement } from './xml-items.ts';

/*
 * Neither RSS nor Atom has a field for an author's face. These carry one, or a square mark in its place:
 *
 * | where                                                  | who writes it                                  |
 * |--------------------------------------------------------|------------------------------------------------|
 * | `author` › `gd:image` or `media:thumbnail`             | Blogger, in Atom                               |
 * | `media:content` at Gravatar                            | WordPress.com, beside the item's image         |
 * | `itunes:image` of an item                              | podcasts: an episode's cover, which is square  |
 * | `webfeeds:icon` of the feed                            | Mastodon (the account's face), feeds at Feedly |
 * | `itunes:image` of the feed                             | podcasts                                       |
 *
 * The feed's `image`, `icon` and `logo` are left out: they are wide, or smaller than any icon of an app.
 */

/** Of an item, in the order of preference. */
export const iconsOf = (children: readonly XmlElement[]): (string | null)[] => [
  ...named(children, 'author')
    .flatMap((author) => named(author.children, 'gd:image', 'media:thumbnail'))
    .map(({ attributes }) => attributes.src ?? attributes.url ?? null),
  ...named(children, 'media:content').filter(isFace).map(urlOf),
  ...named(children, 'itunes:image').map(hrefOf),
];

/** Of a feed, for items that have none. */
export const feedIconsOf = (channel: readonly XmlElement[]): (string | null)[] => [
  ...named(channel, 'webfeeds:icon').map(({ text }) => text),
  ...named(channel, 'itunes:image').map(hrefOf),
];

/** Gravatar shows faces and nothing else. */
export const isFace = ({ attributes: { url = '' } }: XmlElement): boolean =>
  /^(?:https?:)?\/\/(?:[a-z0-9-]{1,20}\.)?gravatar\.com\/avatar\//i.test(url.trim());

const named = (elements: readonly XmlElement[], ...names: readonly string[]): XmlElement[] =>
  elements.filter(({ name }) => names.includes(name));
const urlOf = ({ attributes }: XmlElement): string | null => attributes.url ?? null;
const hrefOf = ({ attributes }: XmlElement): string | null => attributes.href ?? null;
