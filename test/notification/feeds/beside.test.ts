// tier: unit
import { describe, expect, it } from 'vitest';
import { chooseItems } from '../../../engine/notification/feeds/choose-items.ts';
import { createReadFeed } from '../../../engine/notification/feeds/read-feed.ts';
import { someOf } from '../../support/cases.ts';
import { leastCpuMs } from '../../support/least-ms.ts';
import { hostileFeeds } from './hostile-feeds.ts';

const MOST_MS = 20;
const readFeed = createReadFeed();
const words = Array.from({ length: 20 }, (_, n) => `word${n}`);
const filter = { categories: words, words, without: ['nothing'] };
const limits = { perHour: 20, sentLastHour: 0, overflow: 'digest', maxAgeHours: 24 } as const;

const feedOf = (linkOf: (n: number) => string): string =>
  `<rss version="2.0"><channel><title>News</title>${Array.from(
    { length: 500 },
    (_, n) =>
      `<item><guid>g${n}</guid><title>word1 ${'e\u0301'.repeat(240)}</title><link>${linkOf(n)}</link><description>${'word2 ﷺ '.repeat(250)}</description></item>`,
  ).join('')}</channel></rss>`;

const link = (n: number, part: string): string => {
  const start = `https://news.example/${n}`;
  return (start + part.repeat(2_048)).slice(0, 2_000).replaceAll('&', '&amp;');
};

const feeds: readonly (readonly [name: string, text: string])[] = [
  ['links of counters', feedOf((n) => link(n, '?utm_a=1&utm_a=1&utm_a=1&utm_a=1'))],
  ['links of one counter and other parameters', feedOf((n) => link(n, '?utm_a=1&b=2&c&d&e&f&g&h&i&j&k&l'))],
  ['links of slashes', feedOf((n) => link(n, '/'))],
  ['links of percent signs', feedOf((n) => link(n, '?%=%25&'))],
  // All of them end soon: see `parse-feed.test.ts`.
  ...someOf(hostileFeeds, 3).map(([name, text]) => [name, text] as const),
];

describe(`a poll of a feed costs less than ${MOST_MS} ms of the event loop`, () => {
  it.each(feeds)('of %s', async (_name, text) => {
    const given = { bytes: Buffer.from(text), contentType: '', url: 'https://news.example/feed', filter };
    const cpuMs = await leastCpuMs(async () => {
      const read = await readFeed(given);
      if (read.kind === 'fault') return;
      const { items } = read;
      chooseItems({ items, seen: new Set(), isFirstCheck: false, now: new Date(), ...limits });
    }, MOST_MS);
    expect(cpuMs).toBeLessThan(MOST_MS);
  });
});
