// tier: unit
import { describe, expect, it } from 'vitest';
import { keyItems } from '../../../engine/notification/feeds/item-keys.ts';
import { feedItem } from './feed-item.ts';

type Given = Parameters<typeof feedItem>[0];
const known = (before: readonly Given[], now: readonly Given[]): boolean[] => {
  const seen = new Set(keyItems(before.map(feedItem)).flatMap(({ remembered }) => remembered));
  return keyItems(now.map(feedItem)).map(({ knownBy }) => knownBy.some((key) => seen.has(key)));
};

describe('the identity of an item', () => {
  it('is its GUID, else its link, else its title and summary', () => {
    const items = [
      { guid: '1', link: 'https://a.example/1' },
      { guid: null, link: 'https://a.example/2' },
      { guid: null, link: null },
    ].map(feedItem);
    const keys = keyItems(items).map(({ key }) => key);
    expect(keys.map(([by]) => by)).toEqual(['g', 'l', 'h']);
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(keyItems(items)).toEqual(keyItems(items));
    for (const { key, knownBy } of keyItems(items)) expect(knownBy).toContain(key);
  });

  it('stays with its GUID, whatever else is edited', () => {
    const now = { guid: '1', link: 'https://a.example/new', title: 'New' };
    expect(known([{ guid: '1', link: 'https://a.example/old', title: 'Old' }], [now])).toEqual([true]);
  });

  it('stays with its link, whatever title it gets and however the link is written', () => {
    const before = [{ guid: null, link: 'http://a.example/1/?p=2&utm_source=rss#top', title: 'Old' }];
    expect(known(before, [{ guid: null, link: 'https://a.example/1?p=2', title: 'New' }])).toEqual([true]);
    expect(known(before, [{ guid: null, link: 'https://a.example/1?p=3', title: 'Old' }])).toEqual([false]);
  });

  it('stays with its link if it is published again under another GUID', () => {
    const link = 'https://a.example/1';
    expect(known([{ guid: '1', link }], [{ guid: '2', link, title: 'Corrected' }])).toEqual([true]);
  });

  it('is not the link where several items share it: a live blog has many', () => {
    const link = 'https://a.example/live';
    const before = [{ guid: '1', link, title: 'First' }];
    const now = [{ guid: '2', link, title: 'Second' }, ...before];
    expect(known(before, now)).toEqual([false, true]);
    expect(known([{ guid: null, link, title: 'First' }], now)).toEqual([false, true]);
    // And once a shared link is one item's alone, that item is not new.
    expect(known(now, [{ guid: '2', link, title: 'Second' }])).toEqual([true]);
  });

  it('is not the link where it leads to the front page', () => {
    const link = 'https://a.example/';
    expect(known([{ guid: '1', link, title: 'First' }], [{ guid: '2', link, title: 'Second' }])).toEqual([
      false,
    ]);
  });
});
