// tier: unit
import { describe, expect, it } from 'vitest';
import {
  buildNotification,
  type NotificationContent,
  withQueryParams,
} from '../../engine/notification/notification.ts';

const content = (changes: Partial<NotificationContent> = {}): NotificationContent => ({
  title: 'Title',
  body: 'Body',
  url: 'https://a.example.com/',
  imageUrl: null,
  buttons: [],
  topic: null,
  requireInteraction: false,
  silent: false,
  vibratePattern: [],
  ...changes,
});
const origin = { app: 'app-1', delivery: 'dlv_1', proof: 'p' };
const built = (changes: Partial<NotificationContent> = {}, params: { key: string; value: string }[] = []) =>
  JSON.parse(buildNotification(content(changes), origin, params).toString()).notification;

describe('the notification', () => {
  it('has as its tag the topic, otherwise the delivery', () => {
    expect(built().tag).toBe('dlv_1');
    expect(built({ topic: 'weather' }).tag).toBe('weather');
  });

  it('contains only the given fields', () => {
    expect(Object.keys(built())).toEqual([
      'timestamp',
      'title',
      'body',
      'navigate',
      'tag',
      'data',
      'mutable',
    ]);
    expect(built({ imageUrl: 'https://a.example.com/i.png', requireInteraction: true })).toMatchObject({
      image: 'https://a.example.com/i.png',
      requireInteraction: true,
    });
  });

  it('that is silent does not vibrate, for browsers refuse both at once', () => {
    expect(built({ vibratePattern: [100, 50] }).vibrate).toEqual([100, 50]);
    const silent = built({ vibratePattern: [100, 50], silent: true });
    expect([silent.silent, silent.vibrate]).toEqual([true, undefined]);
  });

  /** Where each looks for what lets a worker show, and so count, the message. */
  it.each([
    ['18.4', 'notification', 'WebKit 268066@main'],
    ['18.6', 'notification', 'WebKit 268066@main'],
    ['26.1', 'notification', 'WebKit 268066@main'],
    ['26.2', 'top', 'WebKit bug 296770, 298677@main'],
    ['a later one, without the fallback', 'top', 'WebKit bug 297389'],
  ])('lets the worker of Safari %s count it: %s (%s)', (_version, place) => {
    const message = JSON.parse(buildNotification(content(), origin, []).toString());
    expect(message.web_push).toBe(8030);
    expect((place === 'top' ? message : message.notification).mutable).toBe(true);
  });

  it('carries the app’s parameters to where clicks lead, buttons too', () => {
    const { navigate, actions } = built({ buttons: [{ title: 'Go', url: 'https://b.example.com/?x=1' }] }, [
      { key: 'utm_source', value: 'push' },
    ]);
    expect(navigate).toBe('https://a.example.com/?utm_source=push');
    expect(actions).toEqual([
      { action: 'button-0', title: 'Go', navigate: 'https://b.example.com/?x=1&utm_source=push' },
    ]);
  });
});

describe('a link of the notification', () => {
  const site = 'https://a.example.com';
  it('says on the app’s own site which delivery it was in, behind the app’s parameters', () => {
    const url = `${site}/storm`;
    const buttons = [
      { title: 'Here', url },
      { title: 'There', url: 'https://b.example.com/' },
    ];
    const { navigate, actions } = built({ url, buttons, site }, [{ key: 'a', value: '1' }]);
    expect(navigate).toBe(`${url}?a=1&broadside=dlv_1.p`);
    expect(actions.map((action: { navigate: string }) => action.navigate)).toEqual([
      `${url}?a=1&broadside=dlv_1.p.0`,
      'https://b.example.com/?a=1',
    ]);
  });
});

describe('parameters added to a URL', () => {
  const params = [
    { key: 'a', value: '1 & 2' },
    { key: 'b', value: 'ż' },
  ];
  it.each([
    ['https://x.example.com', 'https://x.example.com?a=1%20%26%202&b=%C5%BC'],
    ['https://x.example.com/p?', 'https://x.example.com/p?a=1%20%26%202&b=%C5%BC'],
    ['https://x.example.com/p#top', 'https://x.example.com/p?a=1%20%26%202&b=%C5%BC#top'],
    [
      'https://x.example.com/p?q=a%20b+c&#x?y',
      'https://x.example.com/p?q=a%20b+c&a=1%20%26%202&b=%C5%BC#x?y',
    ],
    ['https://x.example.com/?a=own', 'https://x.example.com/?a=own&b=%C5%BC'],
    ['https://x.example.com/?b=&a=', 'https://x.example.com/?b=&a='],
  ])('%s becomes %s', (url, expected) => {
    expect(withQueryParams(url, params)).toBe(expected);
  });

  it('keep a URL as written where there are none', () => {
    expect(withQueryParams('https://X.example.com/ą?q=a b', [])).toBe('https://X.example.com/ą?q=a b');
  });
});
