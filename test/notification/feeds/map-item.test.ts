// tier: unit
import { describe, expect, it } from 'vitest';
import {
  defaultDigest,
  defaultMapping,
  mapDigest,
  mapItem,
} from '../../../engine/notification/feeds/map-item.ts';
import { feedItem } from './feed-item.ts';

describe('an item as a notification', () => {
  it('has its title, summary, link and image', () => {
    expect(mapItem(feedItem({ image: 'https://news.example/a.png' }), defaultMapping)).toEqual({
      kind: 'mapped',
      title: 'Title',
      body: 'Summary',
      url: 'https://news.example/article',
      image_url: 'https://news.example/a.png',
      icon_url: null,
    });
    const plain = { ...defaultMapping, image: false };
    expect(mapItem(feedItem({ image: 'https://news.example/a.png' }), plain)).toMatchObject({
      image_url: null,
    });
  });

  it('has its own icon where the mapping asks for it, and a digest of several has none', () => {
    const item = feedItem({ icon: 'https://news.example/ada.png' });
    expect(mapItem(item, { ...defaultMapping, itemIcon: true })).toMatchObject({ icon_url: item.icon });
    expect(mapItem(item, { ...defaultMapping, itemIcon: false })).toMatchObject({ icon_url: null });
    const feed = { title: 'News', link: 'https://news.example/' };
    expect(mapDigest([item, item], feed, defaultDigest)).toMatchObject({ icon_url: null });
  });

  it.each([
    ['{category}: {title}', 'Sea: {author} $& wins'],
    ['{author} writes', 'Ada writes'],
    ['{nothing} {} {title', '{nothing} {} {title'],
    ['{constructor} {__proto__}', '{constructor} {__proto__}'],
  ])('fills %s in one pass, as text only', (title, expected) => {
    const item = feedItem({ title: '{author} $& wins', categories: ['Sea', 'Wind'], author: 'Ada' });
    expect(mapItem(item, { ...defaultMapping, title })).toMatchObject({ title: expected });
  });

  it.each([
    ['{category}: {title}', 'Title'],
    ['{title} – {author}', 'Title'],
    ['{author}', 'Title'],
  ])('leaves no separator alone at an end: %s', (title, expected) => {
    expect(mapItem(feedItem(), { ...defaultMapping, title })).toMatchObject({ title: expected });
  });

  it('names its site where nothing is left of the body', () => {
    expect(mapItem(feedItem({ summary: null }), defaultMapping)).toMatchObject({ body: 'news.example' });
  });

  it.each([
    ['word '.repeat(100), /^(?:word ){49,50}word…$/],
    [`${'w'.repeat(254)} next`, /^w{254}…$/],
    ['w'.repeat(300), /^w{254}…$/],
    ['w'.repeat(255), /^w{255}$/],
    [`a${'😀'.repeat(200)}`, /^a(?:😀)+…$/u],
  ])('is cut to 255 characters between words: %s', (title, expected) => {
    const mapped = mapItem(feedItem({ title }), defaultMapping);
    if (mapped.kind === 'unfit') throw new Error(mapped.words);
    expect(mapped.title).toMatch(expected);
    expect(mapped.title.length).toBeLessThanOrEqual(255);
  });

  it('cannot be sent without a link or a title', () => {
    expect(mapItem(feedItem({ link: null }), defaultMapping)).toEqual({
      kind: 'unfit',
      words: 'has no link',
    });
    expect(mapItem(feedItem({ title: null }), defaultMapping)).toEqual({
      kind: 'unfit',
      words: 'has no title',
    });
  });
});

describe('a digest', () => {
  const items = Array.from({ length: 40 }, (_, n) =>
    feedItem({ title: `Title ${n}`, link: `https://news.example/${n}` }),
  );

  it('says how many more there are, and leads to the site', () => {
    const digest = mapDigest(items, { title: 'The Post', link: 'https://news.example/' }, defaultDigest);
    expect(digest).toEqual({
      kind: 'mapped',
      title: 'The Post: +40',
      body: expect.stringMatching(/^Title 0 · Title 1 · .*Title 9$/),
      url: 'https://news.example/',
      icon_url: null,
      image_url: null,
    });
  });

  it('leads to its newest item if the feed names no site', () => {
    const feed = { title: null, link: null };
    expect(mapDigest(items, feed, { title: '{count} more', body: '{feed}' })).toMatchObject({
      title: '40 more',
      body: 'news.example',
      url: 'https://news.example/0',
    });
    const [item] = [feedItem({ link: null })];
    expect(mapDigest([item], feed, defaultDigest)).toEqual({ kind: 'unfit', words: 'has no link' });
  });
});
