// tier: unit
import { describe, expect, it } from 'vitest';
import type { FeedItem } from '../../../engine/notification/feeds/feed.ts';
import { parseFeed } from '../../../engine/notification/feeds/parse-feed.ts';

const itemOf = (text: string): FeedItem => {
  const feed = parseFeed({
    bytes: Buffer.from(text),
    contentType: '',
    url: 'https://news.example/feeds/all',
  });
  if (feed.kind === 'fault') throw new Error(feed.words);
  const [item] = feed.items;
  if (item === undefined) throw new Error('the feed has no item');
  return item;
};
const json = (feed: object, item: object): FeedItem =>
  itemOf(
    JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', ...feed, items: [{ id: '1', ...item }] }),
  );
const rss = (channel: string, item: string): FeedItem =>
  itemOf(`<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:pod="http://www.itunes.com/dtds/podcast-1.0.dtd"
    xmlns:webfeeds="http://webfeeds.org/rss/1.0"><channel>${channel}<item>${item}</item></channel></rss>`);

const ada = { name: 'Ada', avatar: '/ada.png' };
const site = 'https://news.example';

describe('the icon of an item', () => {
  it.each([
    ['its author’s face', {}, { authors: [ada] }, '/ada.png'],
    [
      'that of the second author, where the first has none',
      {},
      { authors: [{ name: 'Bo' }, ada] },
      '/ada.png',
    ],
    ['as version 1.0 has it', {}, { author: ada }, '/ada.png'],
    ['that of the feed’s author', { authors: [ada], icon: '/mark.png' }, {}, '/ada.png'],
    ['the feed’s own', { icon: '/mark.png', favicon: '/16.png' }, { authors: [{ name: 'Bo' }] }, '/mark.png'],
    ['none', { favicon: '/16.png' }, { authors: [{ avatar: 'data:image/png;base64,xx' }, 7, null] }, null],
  ])('is in JSON Feed %s', (_, feed, item, icon) => {
    expect(json(feed, item).icon).toBe(icon === null ? null : site + icon);
  });

  it.each([
    [
      'an episode’s cover',
      '<pod:image href="/show.jpg"/>',
      '<pod:image href="/episode.jpg"/>',
      '/episode.jpg',
    ],
    ['the show’s', '<pod:image href="/show.jpg"/>', '', '/show.jpg'],
    ['the account’s face', '<webfeeds:icon>/account.png</webfeeds:icon>', '', '/account.png'],
    ['none', '<image><url>/logo-88x31.png</url></image>', '<media:content url="/a.png"/>', null],
    ['no address of a script', '', '<pod:image href="javascript:alert(1)"/>', null],
  ])('is in RSS %s', (_, channel, item, icon) => {
    expect(rss(channel, item).icon).toBe(icon === null ? null : site + icon);
  });

  it('is the face that WordPress.com puts beside the image of the item, which it is not', () => {
    const face = 'https://0.gravatar.com/avatar/0123abcd?s=96&amp;d=identicon';
    const item = rss(
      '',
      `<media:content url="${face}" medium="image"><media:title>ada</media:title></media:content>
       <media:content url="/storm.jpg" medium="image"/>`,
    );
    expect([item.icon, item.image]).toEqual([face.replace('&amp;', '&'), `${site}/storm.jpg`]);
    const alone = rss('', `<media:content url="${face}" medium="image"/>`);
    expect(alone.image).toBeNull();
    const other = rss('', '<media:content url="https://gravatar.com.evil.example/avatar/1.png"/>');
    expect([other.icon, other.image]).toEqual([null, 'https://gravatar.com.evil.example/avatar/1.png']);
  });

  it('is the face in the author of an Atom entry, as Blogger has it', () => {
    const entry = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://schemas.google.com/g/2005"><icon>/16.ico</icon>
      <entry><id>1</id><author><name>Ada</name><g:image rel="thumbnail" width="32" src="//face.example/ada.jpg"/></author></entry></feed>`;
    expect(itemOf(entry)).toMatchObject({ author: 'Ada', icon: 'https://face.example/ada.jpg' });
    expect(itemOf(entry.replace(/<g:image[^>]*>/, '')).icon).toBeNull();
  });

  it('is one address of bounded length, however many there are', () => {
    const long = `/${'x'.repeat(3_000)}.png`;
    const authors = [{ avatar: long }, ...Array.from({ length: 5_000 }, () => ada)];
    expect(json({}, { authors }).icon).toBe(`${site}/ada.png`);
    expect(json({}, { authors: [{ avatar: long }] }).icon).toBeNull();
  });
});
